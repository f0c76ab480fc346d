// `engine_codec serve`: the engine as a testee for differential tests.
//
// Request   u32 LE length | u8 op     | payload     length = 1 + payload bytes
// Answer    u32 LE length | u8 status | payload     length = 1 + payload bytes
//
// op 0  standard message: decode, encode again
// op 1  method call: decode, encode name and arguments again
// op 2  response envelope: decode, encode again
// op 3  JSON message: decode, encode again as JSON
//
// status 0  accepted, the payload is the new bytes
// status 1  refused, the payload is "domain code: message"
//
// Answers come in request order. Requests may be pipelined without bound as long
// as the other side reads while it writes. A crash of the engine ends the process
// after the answers already written: the request that caused it is among those
// without an answer, so send them one at a time to find it.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine_api.h"

enum { READ_SIZE = 1 << 18, FLUSH_SIZE = 1 << 18 };

typedef struct {
  uint8_t *bytes;
  size_t count, capacity;
} Buffer;

static void *standard, *json, *method;

static void reserve(Buffer *buffer, size_t extra) {
  if (buffer->capacity - buffer->count >= extra) return;
  buffer->capacity = (buffer->count + extra) * 2;
  buffer->bytes = realloc(buffer->bytes, buffer->capacity);
  if (!buffer->bytes) {
    fputs("engine_codec: out of memory\n", stderr);
    exit(2);
  }
}

static void flush(Buffer *out) {
  size_t done = 0;
  while (done < out->count) {
    ssize_t n = write(STDOUT_FILENO, out->bytes + done, out->count - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      perror("engine_codec: write");
      exit(2);
    }
    done += (size_t)n;
  }
  out->count = 0;
}

static void answer(Buffer *out, uint8_t status, const void *payload, size_t count) {
  uint32_t length = (uint32_t)count + 1;
  reserve(out, 5 + count);
  uint8_t *at = out->bytes + out->count;
  memcpy(at, &length, 4);
  at[4] = status;
  if (count) memcpy(at + 5, payload, count);
  out->count += 5 + count;
}

static GBytes *again_message(void *codec, GBytes *in, GError **error) {
  FlValue *value = fl_message_codec_decode_message(codec, in, error);
  if (!value) return NULL;
  GBytes *bytes = fl_message_codec_encode_message(codec, value, error);
  fl_value_unref(value);
  return bytes;
}

static GBytes *again_call(GBytes *in, GError **error) {
  char *name = NULL;
  FlValue *args = NULL;
  if (!class_of(method)->decode_method_call(method, in, &name, &args, error)) return NULL;
  GBytes *bytes = class_of(method)->encode_method_call(method, name, args, error);
  g_free(name);
  fl_value_unref(args);
  return bytes;
}

static GBytes *again_response(GBytes *in, GError **error) {
  void *response = class_of(method)->decode_response(method, in, error);
  if (!response) return NULL;
  GBytes *bytes =
      is_success(response)
          ? class_of(method)->encode_success_envelope(
                method, fl_method_success_response_get_result(response), error)
          : class_of(method)->encode_error_envelope(
                method, fl_method_error_response_get_code(response),
                fl_method_error_response_get_message(response),
                fl_method_error_response_get_details(response), error);
  g_object_unref(response);
  return bytes;
}

static void handle(Buffer *out, uint8_t op, const uint8_t *payload, size_t count) {
  GError *error = NULL;
  GBytes *bytes = NULL;
  GBytes *in = g_bytes_new_static(payload, count);
  switch (op) {
    case 0: bytes = again_message(standard, in, &error); break;
    case 1: bytes = again_call(in, &error); break;
    case 2: bytes = again_response(in, &error); break;
    case 3: bytes = again_message(json, in, &error); break;
    default:
      fprintf(stderr, "engine_codec: unknown op %u\n", op);
      exit(2);
  }
  g_bytes_unref(in);
  if (bytes) {
    size_t size;
    const void *data = g_bytes_get_data(bytes, &size);
    answer(out, 0, data, size);
    g_bytes_unref(bytes);
  } else if (error) {
    char text[512];
    int n = snprintf(text, sizeof text, "%s %d: %s", g_quark_to_string(error->domain),
                     error->code, error->message);
    answer(out, 1, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
  } else {
    static const char none[] = "none 0: refused without an error";
    answer(out, 1, none, sizeof none - 1);
  }
  if (error) g_error_free(error);
}

int serve(void) {
  standard = fl_standard_message_codec_new();
  json = fl_json_message_codec_new();
  method = fl_standard_method_codec_new();
  Buffer in = {0}, out = {0};
  for (;;) {
    reserve(&in, READ_SIZE);
    ssize_t n = read(STDIN_FILENO, in.bytes + in.count, in.capacity - in.count);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      perror("engine_codec: read");
      return 2;
    }
    if (n == 0) break;
    in.count += (size_t)n;
    size_t at = 0;
    while (in.count - at >= 4) {
      uint32_t length;
      memcpy(&length, in.bytes + at, 4);
      if (length == 0) {
        fputs("engine_codec: a request without an op\n", stderr);
        return 2;
      }
      if (in.count - at - 4 < length) {
        // Room for the whole request at once, or a large one is copied again and again.
        reserve(&in, 4 + (size_t)length);
        break;
      }
      handle(&out, in.bytes[at + 4], in.bytes + at + 5, length - 1);
      at += 4 + (size_t)length;
      if (out.count >= FLUSH_SIZE) flush(&out);
    }
    flush(&out);
    in.count -= at;
    memmove(in.bytes, in.bytes + at, in.count);
  }
  if (in.count) {
    fprintf(stderr, "engine_codec: input ended inside a request (%zu bytes left)\n", in.count);
    return 2;
  }
  return 0;
}
