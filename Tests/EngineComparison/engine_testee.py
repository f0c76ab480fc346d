#!/usr/bin/env python3
"""Flutter's own Linux engine as a testee of `pwbridge conform`.

    engine_testee.py LIBRARY

Answers the JSON lines of Protocol/conformance.md by calling libflutter_linux_gtk.so, as
install-engine.sh puts it on the disk. Values are built and read through the engine's public
functions; the method codecs are reached through their class structure, as in engine_api.h.
"""

import ctypes as c
import json
import struct
import sys

NULL, BOOL, INT, FLOAT, STRING, UINT8S, INT32S, INT64S, FLOATS, LIST, MAP, FLOAT32S = range(12)

# Member of typed JSON, struct letter, constructor and reader, for lists of numbers.
NUMBER_LISTS = {
    INT32S: ("int32list", "i", "int32_list"),
    INT64S: ("int64list", "q", "int64_list"),
    FLOATS: ("float64list", "d", "float_list"),
    FLOAT32S: ("float32list", "f", "float32_list"),
}


class Refusal(Exception):
    """The engine refuses, or has no such value."""


class Skip(Exception):
    """There is nothing in the engine that the request could be put to."""


class Error(c.Structure):
    _fields_ = [("domain", c.c_uint32), ("code", c.c_int), ("message", c.c_char_p)]


class Engine:
    def __init__(self, path):
        self.library = c.CDLL(path)
        self.glib = c.CDLL("libglib-2.0.so.0")
        self.gobject = c.CDLL("libgobject-2.0.so.0")
        pointer = c.c_void_p
        self._declare(self.glib, "g_bytes_new", pointer, c.c_char_p, c.c_size_t)
        self._declare(self.glib, "g_bytes_get_data", pointer, pointer, c.POINTER(c.c_size_t))
        self._declare(self.glib, "g_bytes_unref", None, pointer)
        self._declare(self.glib, "g_quark_to_string", c.c_char_p, c.c_uint32)
        self._declare(self.gobject, "g_object_unref", None, pointer)
        f = self._declare
        lib = self.library
        for name in ("standard_message", "json_message", "standard_method", "json_method",
                     "string", "binary"):
            f(lib, f"fl_{name}_codec_new", pointer)
        f(lib, "fl_message_codec_encode_message", pointer, pointer, pointer, pointer)
        f(lib, "fl_message_codec_decode_message", pointer, pointer, pointer, pointer)
        f(lib, "fl_value_new_null", pointer)
        f(lib, "fl_value_new_bool", pointer, c.c_bool)
        f(lib, "fl_value_new_int", pointer, c.c_int64)
        f(lib, "fl_value_new_float", pointer, c.c_double)
        f(lib, "fl_value_new_string_sized", pointer, c.c_char_p, c.c_size_t)
        f(lib, "fl_value_new_list", pointer)
        f(lib, "fl_value_new_map", pointer)
        for name in ("uint8_list", "int32_list", "int64_list", "float_list", "float32_list"):
            f(lib, f"fl_value_new_{name}", pointer, c.c_char_p, c.c_size_t)
            f(lib, f"fl_value_get_{name}", pointer, pointer)
        f(lib, "fl_value_append_take", None, pointer, pointer)
        f(lib, "fl_value_set_take", None, pointer, pointer, pointer)
        f(lib, "fl_value_unref", None, pointer)
        f(lib, "fl_value_get_type", c.c_int, pointer)
        f(lib, "fl_value_get_bool", c.c_bool, pointer)
        f(lib, "fl_value_get_int", c.c_int64, pointer)
        f(lib, "fl_value_get_float", c.c_double, pointer)
        f(lib, "fl_value_get_string", c.c_char_p, pointer)
        f(lib, "fl_value_get_length", c.c_size_t, pointer)
        f(lib, "fl_value_get_list_value", pointer, pointer, c.c_size_t)
        f(lib, "fl_value_get_map_key", pointer, pointer, c.c_size_t)
        f(lib, "fl_value_get_map_value", pointer, pointer, c.c_size_t)
        f(lib, "fl_method_success_response_get_type", c.c_size_t)
        f(lib, "fl_method_success_response_get_result", pointer, pointer)
        f(lib, "fl_method_error_response_get_code", c.c_char_p, pointer)
        f(lib, "fl_method_error_response_get_message", c.c_char_p, pointer)
        f(lib, "fl_method_error_response_get_details", pointer, pointer)
        self.message_codecs = {
            "message": lib.fl_standard_message_codec_new(),
            "json-message": lib.fl_json_message_codec_new(),
            "string": lib.fl_string_codec_new(),
            "binary": lib.fl_binary_codec_new(),
        }
        self.method_codecs = {
            "": MethodCodec(lib.fl_standard_method_codec_new()),
            "json-": MethodCodec(lib.fl_json_method_codec_new()),
        }

    @staticmethod
    def _declare(library, name, result, *arguments):
        function = getattr(library, name)
        function.restype, function.argtypes = result, list(arguments)

    # Errors and bytes

    def call(self, function, *arguments):
        """Calls with a place for an error as the last argument."""
        error = c.POINTER(Error)()
        result = function(*arguments, c.byref(error))
        if error:
            found = error.contents
            domain = self.glib.g_quark_to_string(found.domain) or b"no domain"
            text = found.message.decode(errors="replace")
            raise Refusal(f"{domain.decode()} {found.code}: {text}")
        if not result:
            raise Refusal("refused without an error")
        return result

    def bytes_in(self, payload):
        return self.glib.g_bytes_new(payload, len(payload))

    def bytes_out(self, handle):
        size = c.c_size_t()
        data = self.glib.g_bytes_get_data(handle, c.byref(size))
        payload = c.string_at(data, size.value) if size.value else b""
        self.glib.g_bytes_unref(handle)
        return payload

    # Values

    def make(self, typed):
        """A new FlValue from typed JSON."""
        lib = self.library
        if isinstance(typed, dict) and len(typed) == 1:
            (kind, content), = typed.items()
            if kind == "null":
                return lib.fl_value_new_null()
            if kind == "bool":
                return lib.fl_value_new_bool(content)
            if kind in ("int32", "int64"):
                return lib.fl_value_new_int(int(content))
            if kind == "float64":
                return lib.fl_value_new_float(struct.unpack("<d", number_bytes(content, "d"))[0])
            if kind in ("string", "string_hex"):
                text = text_bytes(content) if kind == "string" else bytes.fromhex(content)
                return lib.fl_value_new_string_sized(text, len(text))
            if kind == "uint8list":
                data = bytes.fromhex(content)
                return lib.fl_value_new_uint8_list(data, len(data))
            for member, letter, name in NUMBER_LISTS.values():
                if kind == member:
                    data = b"".join(number_bytes(item, letter) for item in content)
                    return getattr(lib, f"fl_value_new_{name}")(data, len(content))
            if kind == "list":
                value = lib.fl_value_new_list()
                for element in content:
                    lib.fl_value_append_take(value, self.make(element))
                return value
            if kind == "map":
                value = lib.fl_value_new_map()
                for key, element in content:
                    lib.fl_value_set_take(value, self.make(key), self.make(element))
                return value
            if kind in ("bigint", "custom"):
                raise Skip(f"the engine has no value {kind}")
        raise ValueError(f"no typed JSON: {typed!r}")

    def read(self, value):
        """Typed JSON of an FlValue. Where a value may be absent, the engine means null."""
        lib = self.library
        if not value:
            return {"null": None}
        kind = lib.fl_value_get_type(value)
        if kind == NULL:
            return {"null": None}
        if kind == BOOL:
            return {"bool": lib.fl_value_get_bool(value)}
        if kind == INT:
            whole = lib.fl_value_get_int(value)
            return {"int32": whole} if -2**31 <= whole < 2**31 else {"int64": str(whole)}
        if kind == FLOAT:
            return {"float64": bits(struct.pack("<d", lib.fl_value_get_float(value)))}
        if kind == STRING:
            return string(lib.fl_value_get_string(value))
        count = lib.fl_value_get_length(value)
        if kind == LIST:
            elements = (lib.fl_value_get_list_value(value, i) for i in range(count))
            return {"list": [self.read(element) for element in elements]}
        if kind == MAP:
            return {"map": [[self.read(lib.fl_value_get_map_key(value, i)),
                             self.read(lib.fl_value_get_map_value(value, i))]
                            for i in range(count)]}
        if kind == UINT8S:
            data = c.string_at(lib.fl_value_get_uint8_list(value), count) if count else b""
            return {"uint8list": data.hex()}
        member, letter, name = NUMBER_LISTS[kind]
        size = struct.calcsize(letter)
        data = b""
        if count:
            data = c.string_at(getattr(lib, f"fl_value_get_{name}")(value), count * size)
        if letter == "q":
            return {member: [str(item) for item in struct.unpack(f"<{count}q", data)]}
        if letter == "i":
            return {member: list(struct.unpack(f"<{count}i", data))}
        return {member: [bits(data[i:i + size]) for i in range(0, len(data), size)]}

    # Codecs

    def decode_message(self, codec, payload):
        handle = self.bytes_in(payload)
        try:
            return self.call(self.library.fl_message_codec_decode_message,
                             self.message_codecs[codec], handle)
        finally:
            self.glib.g_bytes_unref(handle)

    def encode_message(self, codec, value):
        return self.bytes_out(self.call(self.library.fl_message_codec_encode_message,
                                        self.message_codecs[codec], value))

    def read_envelope(self, response):
        lib = self.library
        if class_of(response)[0] == lib.fl_method_success_response_get_type():
            return {"success": self.read(lib.fl_method_success_response_get_result(response))}
        message = lib.fl_method_error_response_get_message(response)
        details = lib.fl_method_error_response_get_details(response)
        code = lib.fl_method_error_response_get_code(response)
        return {"error": {
            **member("code", code), **member("message", message),
            "details": self.read(details)}}


def class_of(instance):
    return c.cast(c.cast(instance, c.POINTER(c.c_void_p))[0], c.POINTER(c.c_size_t))


class MethodCodec:
    """The functions of a method codec, which stand behind the 136 bytes of GObjectClass."""

    def __init__(self, instance):
        self.instance = instance
        slots = class_of(instance)
        p, place = c.c_void_p, c.c_void_p
        signatures = [
            ("encode_call", p, (p, c.c_char_p, p, place)),
            ("decode_call", c.c_int, (p, p, c.POINTER(p), c.POINTER(p), place)),
            ("encode_success", p, (p, p, place)),
            ("encode_error", p, (p, c.c_char_p, c.c_char_p, p, place)),
            ("decode_response", p, (p, p, place)),
        ]
        for slot, (name, result, arguments) in enumerate(signatures):
            setattr(self, name, c.CFUNCTYPE(result, *arguments)(slots[136 // 8 + slot]))


# Typed JSON

def text_bytes(text):
    return text.encode("utf-8", "surrogatepass")


def string(data):
    try:
        return {"string": data.decode()}
    except UnicodeDecodeError:
        return {"string_hex": data.hex()}


def member(name, data):
    """A member of a call or an error that holds a string as it is."""
    if data is None:
        return {name: None}
    try:
        return {name: data.decode()}
    except UnicodeDecodeError:
        return {f"{name}_hex": data.hex()}


def number_bytes(item, letter):
    """Bits stay bytes: as a Python float, a signalling NaN of 32 bits would be made quiet."""
    if letter in "iq":
        return struct.pack(f"<{letter}", int(item))
    if isinstance(item, str) and item.startswith("0x"):
        return bytes.fromhex(item[2:])[::-1]
    return struct.pack(f"<{letter}", float(item))


def bits(data):
    return "0x" + data[::-1].hex()


def plain_text(fields, name):
    """Bytes of a string member for a parameter of type `const gchar*`."""
    if f"{name}_hex" in fields:
        return bytes.fromhex(fields[f"{name}_hex"])
    text = fields.get(name)
    return None if text is None else text_bytes(text)


# Requests

def decode(engine, codec, payload):
    lib = engine.library
    kind = codec.removeprefix("json-")
    if kind == "envelope" and payload is None:
        # A response without bytes is FlMethodNotImplementedResponse, before any codec.
        return None
    if payload is None:
        raise Skip("the engine hands no null message to a codec")
    if codec in engine.message_codecs:
        value = engine.decode_message(codec, payload)
        result = engine.read(value)
        lib.fl_value_unref(value)
        return result
    methods = engine.method_codecs[codec[:-len(kind)]]
    handle = engine.bytes_in(payload)
    try:
        if kind == "call":
            method_name, arguments = c.c_void_p(), c.c_void_p()
            engine.call(methods.decode_call, methods.instance, handle, c.byref(method_name),
                        c.byref(arguments))
            method = c.string_at(method_name.value)
            result = {**member("method", method), "args": engine.read(arguments)}
            if arguments:
                lib.fl_value_unref(arguments)
            return result
        response = engine.call(methods.decode_response, methods.instance, handle)
        result = engine.read_envelope(response)
        engine.gobject.g_object_unref(response)
        return result
    finally:
        engine.glib.g_bytes_unref(handle)


def encode(engine, codec, typed):
    kind = codec.removeprefix("json-")
    if codec in engine.message_codecs:
        if typed is None:
            raise Skip("the engine has no value for no message")
        value = engine.make(typed)
        try:
            return engine.encode_message(codec, value)
        finally:
            engine.library.fl_value_unref(value)
    methods = engine.method_codecs[codec[:-len(kind)]]
    if kind == "call":
        method = plain_text(typed, "method")
        return engine.bytes_out(engine.call(
            methods.encode_call, methods.instance, method, engine.make(typed["args"])))
    if typed is None:
        return None
    if "success" in typed:
        return engine.bytes_out(engine.call(
            methods.encode_success, methods.instance, engine.make(typed["success"])))
    error = typed["error"]
    if "stacktrace" in error or "stacktrace_hex" in error:
        raise Skip("the engine's error response has no stack trace")
    code = plain_text(error, "code")
    if code is None:
        raise Refusal("the engine's error response needs a code")
    return engine.bytes_out(engine.call(
        methods.encode_error, methods.instance, code,
        plain_text(error, "message"), engine.make(error["details"])))


def answer(engine, request):
    if request.get("extensions"):
        raise Skip("the engine's codec is extended by subclasses in C")
    operation, codec = request["op"], request["codec"]
    if operation == "encode":
        payload = encode(engine, codec, request["value"])
        return {"hex": None if payload is None else payload.hex()}
    payload = None if request["hex"] is None else bytes.fromhex(request["hex"])
    value = decode(engine, codec, payload)
    if operation == "decode":
        return {"value": value}
    payload = encode(engine, codec, value)
    return {"hex": None if payload is None else payload.hex()}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    # Values may be nested more deeply than Python expects; the caller lifts the limit of the stack.
    sys.setrecursionlimit(1_000_000)
    engine = Engine(sys.argv[1])
    for line in sys.stdin.buffer:
        request = json.loads(line)
        try:
            reply = answer(engine, request)
        except Refusal as refusal:
            reply = {"error": str(refusal)}
        except Skip as reason:
            reply = {"skipped": str(reason)}
        reply["id"] = request["id"]
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
