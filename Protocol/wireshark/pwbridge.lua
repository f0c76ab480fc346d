-- Wireshark dissector for recordings that `pwbridge export --pcapng` writes: a packet for each
-- message of a Flutter platform channel and for each answer. README.md describes the packets.
--
-- Works with Wireshark 3.4 and newer, whose Lua is 5.1 to 5.4: no integer division, no bit operators.

local proto = Proto("pwbridge", "Flutter platform channel")

local directions = { [0] = "Dart -> native", [1] = "native -> Dart" }
local kinds = { [1] = "message", [2] = "reply", [3] = "dropped", [4] = "refused" }
local codecs = {
  [0] = "unknown", [1] = "standard method", [2] = "standard message", [3] = "JSON method",
  [4] = "JSON message", [5] = "string", [6] = "binary",
}
local types = {
  [0] = "null", [1] = "true", [2] = "false", [3] = "int32", [4] = "int64", [5] = "large integer",
  [6] = "float64", [7] = "string", [8] = "Uint8List", [9] = "Int32List", [10] = "Int64List",
  [11] = "Float64List", [12] = "list", [13] = "map", [14] = "Float32List",
}

local f = {
  version = ProtoField.uint8("pwbridge.version", "Version"),
  direction = ProtoField.uint8("pwbridge.direction", "Direction", base.DEC, directions),
  kind = ProtoField.uint8("pwbridge.kind", "Kind", base.DEC, kinds),
  flags = ProtoField.uint8("pwbridge.flags", "Flags", base.HEX),
  no_payload = ProtoField.bool("pwbridge.flags.no_payload", "No payload", 8, nil, 0x01),
  one_way = ProtoField.bool("pwbridge.flags.one_way", "Wants no reply", 8, nil, 0x02),
  codec = ProtoField.uint8("pwbridge.codec", "Codec", base.DEC, codecs),
  reserved = ProtoField.bytes("pwbridge.reserved", "Reserved"),
  name_length = ProtoField.uint16("pwbridge.channel.length", "Length of the channel's name"),
  id = ProtoField.uint64("pwbridge.id", "Id"),
  sequence = ProtoField.uint64("pwbridge.sequence", "Sequence"),
  length = ProtoField.uint32("pwbridge.length", "Length of the payload"),
  channel = ProtoField.string("pwbridge.channel", "Channel", base.UNICODE),
  payload = ProtoField.bytes("pwbridge.payload", "Payload"),

  method = ProtoField.string("pwbridge.method", "Method", base.UNICODE),
  outcome = ProtoField.string("pwbridge.outcome", "Outcome"),
  error_code = ProtoField.string("pwbridge.error.code", "Error code", base.UNICODE),
  error_message = ProtoField.string("pwbridge.error.message", "Error message", base.UNICODE),
  refusal = ProtoField.string("pwbridge.refusal", "Refusal", base.UNICODE),
  text = ProtoField.string("pwbridge.text", "Text", base.UNICODE),

  value = ProtoField.none("pwbridge.value", "Value"),
  type = ProtoField.uint8("pwbridge.value.type", "Type", base.DEC, types),
  size = ProtoField.uint32("pwbridge.value.size", "Size"),
  padding = ProtoField.bytes("pwbridge.value.padding", "Padding"),
  int32 = ProtoField.int32("pwbridge.value.int32", "int32"),
  int64 = ProtoField.int64("pwbridge.value.int64", "int64"),
  float64 = ProtoField.double("pwbridge.value.float64", "float64"),
  large = ProtoField.string("pwbridge.value.large_integer", "large integer"),
  string = ProtoField.string("pwbridge.value.string", "string", base.UNICODE),
  list_bytes = ProtoField.bytes("pwbridge.value.elements", "Elements"),
  flag = ProtoField.uint8("pwbridge.envelope", "Envelope", base.DEC,
    { [0] = "success", [1] = "error" }),

  request_in = ProtoField.framenum("pwbridge.request_in", "Answer to", base.NONE,
    frametype.REQUEST),
  response_in = ProtoField.framenum("pwbridge.response_in", "Answered in", base.NONE,
    frametype.RESPONSE),
  time = ProtoField.relative_time("pwbridge.time", "Time to the answer"),
}

local fields = {}
for _, field in pairs(f) do fields[#fields + 1] = field end
proto.fields = fields

local e = {
  malformed = ProtoExpert.new("pwbridge.malformed", "Malformed value", expert.group.MALFORMED,
    expert.severity.ERROR),
  error = ProtoExpert.new("pwbridge.error", "The call failed", expert.group.RESPONSE_CODE,
    expert.severity.NOTE),
  none = ProtoExpert.new("pwbridge.unimplemented", "A reply without payload: not implemented or null",
    expert.group.RESPONSE_CODE, expert.severity.NOTE),
  again = ProtoExpert.new("pwbridge.again", "The message was answered before",
    expert.group.SEQUENCE, expert.severity.WARN),
  orphan = ProtoExpert.new("pwbridge.orphan", "The message is not in this file",
    expert.group.SEQUENCE, expert.severity.WARN),
  cut = ProtoExpert.new("pwbridge.cut", "The payload was cut by the export",
    expert.group.UNDECODED, expert.severity.NOTE),
}
proto.experts = { e.malformed, e.error, e.none, e.again, e.orphan, e.cut }

-- Deeper and longer values are shown as bytes: Wireshark bounds both in a packet.
local MAX_DEPTH = 60
local MAX_ITEMS = 20000

-- Frames by number, filled in as they are first seen.
local open, requests, responses

function proto.init()
  open = {}
  requests = {}
  responses = {}
end

-------------------------------------------------------------------------------------------------
-- Values of the standard codec. `reader` has: buffer (the payload), at (offset of the next byte),
-- size, items (left to be shown). Alignment counts from byte 0 of the payload. Each function answers
-- with a short text for the line of its item; problems are raised as tables with `text`.

local function fail(reader, text)
  error({ text = text, at = reader.at })
end

local function need(reader, count, what)
  if reader.at + count > reader.size then
    fail(reader, "the message ends within " .. what)
  end
end

local function read_size(reader, tree)
  need(reader, 1, "a size")
  local first = reader.buffer(reader.at, 1):uint()
  local size, length
  if first < 254 then
    size, length = first, 1
  elseif first == 254 then
    need(reader, 3, "a size")
    size, length = reader.buffer(reader.at + 1, 2):le_uint(), 3
  else
    need(reader, 5, "a size")
    size, length = reader.buffer(reader.at + 1, 4):le_uint(), 5
  end
  tree:add(f.size, reader.buffer(reader.at, length), size)
  reader.at = reader.at + length
  return size
end

local function align(reader, width, tree)
  local padding = (width - reader.at % width) % width
  if padding > 0 then
    need(reader, padding, "padding")
    tree:add(f.padding, reader.buffer(reader.at, padding))
    reader.at = reader.at + padding
  end
end

-- Text that is safe for a line: controls are shown as dots.
local function short(text, limit)
  text = text:gsub("%c", ".")
  if #text > limit then
    local last = limit
    -- Not in the middle of a character.
    while last > 0 and text:byte(last + 1) >= 0x80 and text:byte(last + 1) < 0xc0 do
      last = last - 1
    end
    return text:sub(1, last) .. "..."
  end
  return text
end

local function read_text(reader, tree, field, what)
  local size = read_size(reader, tree)
  need(reader, size, what)
  if size == 0 then
    tree:add(field, "")
    return ""
  end
  local range = reader.buffer(reader.at, size)
  local text = range:string(ENC_UTF_8)
  tree:add(field, range, text)
  reader.at = reader.at + size
  return text
end

local function read_list(reader, tree, width, kind, element)
  local size = read_size(reader, tree)
  align(reader, width, tree)
  need(reader, size * width, kind)
  if size == 0 then return kind .. "[]" end
  local range = reader.buffer(reader.at, size * width)
  tree:add(f.list_bytes, range)
  local shown = {}
  for number = 0, math.min(size, 8) - 1 do
    shown[#shown + 1] = element(range(number * width, width))
  end
  reader.at = reader.at + size * width
  return kind .. "[" .. table.concat(shown, ", ") .. (size > 8 and ", ...]" or "]")
end

local read_value

local function read_elements(reader, tree, size, depth)
  local shown = {}
  for number = 1, size do
    local text = read_value(reader, tree, "[" .. (number - 1) .. "]", depth)
    if number <= 6 then shown[number] = text end
  end
  return "[" .. table.concat(shown, ", ") .. (size > 6 and ", ...]" or "]")
end

local function read_pairs(reader, tree, size, depth)
  local shown = {}
  for number = 1, size do
    local pair = tree:add(f.value, reader.buffer(reader.at, math.min(1, reader.size - reader.at)))
    local start = reader.at
    local key = read_value(reader, pair, "key", depth)
    local value = read_value(reader, pair, "value", depth)
    pair:set_len(reader.at - start)
    pair:set_text(short(key .. ": " .. value, 200))
    if number <= 6 then shown[number] = key .. ": " .. value end
  end
  return "{" .. table.concat(shown, ", ") .. (size > 6 and ", ...}" or "}")
end

local function number_text(value)
  local text = string.format("%.17g", value)
  local shorter = string.format("%.15g", value)
  if tonumber(shorter) == value then text = shorter end
  -- As Dart writes doubles, so that they are told from integers.
  if text:match("^-?%d+$") then text = text .. ".0" end
  return text
end

local readers = {
  [0] = function() return "null" end,
  [1] = function() return "true" end,
  [2] = function() return "false" end,
  [3] = function(reader, tree)
    need(reader, 4, "an int32")
    local range = reader.buffer(reader.at, 4)
    tree:add_le(f.int32, range)
    reader.at = reader.at + 4
    return tostring(range:le_int())
  end,
  [4] = function(reader, tree)
    need(reader, 8, "an int64")
    local range = reader.buffer(reader.at, 8)
    tree:add_le(f.int64, range)
    reader.at = reader.at + 8
    return tostring(range:le_int64())
  end,
  [5] = function(reader, tree)
    return "0x" .. short(read_text(reader, tree, f.large, "a large integer"), 80)
  end,
  [6] = function(reader, tree)
    align(reader, 8, tree)
    need(reader, 8, "a float64")
    local range = reader.buffer(reader.at, 8)
    tree:add_le(f.float64, range)
    reader.at = reader.at + 8
    return number_text(range:le_float())
  end,
  [7] = function(reader, tree)
    return '"' .. short(read_text(reader, tree, f.string, "a string"), 80) .. '"'
  end,
  [8] = function(reader, tree)
    return read_list(reader, tree, 1, "Uint8List", function(r) return tostring(r:uint()) end)
  end,
  [9] = function(reader, tree)
    return read_list(reader, tree, 4, "Int32List", function(r) return tostring(r:le_int()) end)
  end,
  [10] = function(reader, tree)
    return read_list(reader, tree, 8, "Int64List", function(r) return tostring(r:le_int64()) end)
  end,
  [11] = function(reader, tree)
    return read_list(reader, tree, 8, "Float64List", function(r) return number_text(r:le_float()) end)
  end,
  [12] = function(reader, tree, depth)
    return read_elements(reader, tree, read_size(reader, tree), depth)
  end,
  [13] = function(reader, tree, depth)
    return read_pairs(reader, tree, read_size(reader, tree), depth)
  end,
  [14] = function(reader, tree)
    return read_list(reader, tree, 4, "Float32List", function(r) return number_text(r:le_float()) end)
  end,
}

function read_value(reader, tree, label, depth)
  need(reader, 1, label)
  if depth > MAX_DEPTH or reader.items <= 0 then
    error({ text = "too deep or too long to be shown", at = reader.at, is_limit = true })
  end
  reader.items = reader.items - 1
  local start = reader.at
  local kind = reader.buffer(start, 1):uint()
  local item = tree:add(f.value, reader.buffer(start, 1))
  item:add(f.type, reader.buffer(start, 1))
  item:set_text(label)
  reader.at = start + 1
  local text
  if readers[kind] then
    text = readers[kind](reader, item, depth + 1)
  elseif kind >= 128 then
    -- A type of Pigeon or of a codec of the app's own; Pigeon has one value behind it.
    text = "<" .. kind .. ">" .. read_value(reader, item, "contents", depth + 1)
  else
    reader.at = start
    fail(reader, "type byte " .. kind .. " is none that is known")
  end
  item:set_len(reader.at - start)
  item:set_text(label .. ": " .. short(text, 200))
  return short(text, 400)
end

-- A string value whose text is wanted, such as a method's name. Null answers nil.
local function read_name(reader, tree, field, label)
  need(reader, 1, label)
  local kind = reader.buffer(reader.at, 1):uint()
  local start = reader.at
  if kind == 0 then
    reader.at = start + 1
    return nil
  end
  if kind ~= 7 then fail(reader, label .. " is not a string") end
  reader.at = start + 1
  local item = tree:add(f.value, reader.buffer(start, 1))
  item:add(f.type, reader.buffer(start, 1))
  local text = read_text(reader, item, f.string, label)
  item:set_len(reader.at - start)
  item:set_text(label .. ': "' .. short(text, 200) .. '"')
  local named = tree:add(field, reader.buffer(start, reader.at - start), text)
  named:set_generated()
  return text
end

-------------------------------------------------------------------------------------------------
-- Payloads. Each answers with the text for the column.

local function check_end(reader)
  if reader.at < reader.size then
    fail(reader, (reader.size - reader.at) .. " bytes behind the last value")
  end
end

local function standard_call(reader, tree)
  local method = read_name(reader, tree, f.method, "method") or ""
  local arguments = read_value(reader, tree, "arguments", 0)
  check_end(reader)
  return short(method, 120) .. (arguments == "null" and "" or " " .. arguments)
end

local function standard_envelope(reader, tree)
  need(reader, 1, "an envelope")
  local flag = reader.buffer(0, 1):uint()
  tree:add(f.flag, reader.buffer(0, 1))
  reader.at = 1
  if flag == 0 then
    tree:add(f.outcome, "success"):set_generated()
    local result = read_value(reader, tree, "result", 0)
    check_end(reader)
    return "success " .. result
  elseif flag == 1 then
    tree:add(f.outcome, "error"):set_generated()
    local code = read_name(reader, tree, f.error_code, "code") or ""
    local message = read_name(reader, tree, f.error_message, "message")
    local details = read_value(reader, tree, "details", 0)
    if reader.at < reader.size then read_value(reader, tree, "stacktrace", 0) end
    check_end(reader)
    tree:add_proto_expert_info(e.error)
    return "error " .. short(code, 80) .. " " .. (message and '"' .. short(message, 120) .. '"'
      or "null") .. (details == "null" and "" or " " .. details)
  end
  fail({ at = 0 }, "an envelope begins with 00 or 01")
end

local function standard_message(reader, tree)
  local text = read_value(reader, tree, "value", 0)
  check_end(reader)
  return text
end

local json = Dissector.get("json")

local function json_payload(range, pinfo, tree, is_call)
  local text = range:string(ENC_UTF_8)
  tree:add(f.text, range, text)
  if json then json:call(range:tvb(), pinfo, tree) end
  if is_call then
    local method = text:match('^%s*{%s*"method"%s*:%s*"([^"\\]*)"')
    if method then tree:add(f.method, range, method):set_generated() end
  end
  return short(text, 200)
end

-- What a payload without a known codec seems to be.
local function guess(buffer, size, is_reply)
  local first = buffer(0, 1):uint()
  if first == 0x7b or first == 0x5b then return 4 end
  if not is_reply and first == 7 and size > 2 then
    local length = buffer(1, 1):uint()
    if length < 254 and size > length + 2 then return 1 end
  end
  if is_reply and first <= 1 and size > 1 then return 1 end
  return 6
end

local function dissect_payload(range, pinfo, tree, head)
  local size = range:len()
  local codec = head.codec
  if codec == 0 then codec = guess(range, size, head.kind == 2) end
  if codec == 3 or codec == 4 then
    return json_payload(range, pinfo, tree, codec == 3 and head.kind == 1)
  elseif codec == 5 then
    local text = range:string(ENC_UTF_8)
    tree:add(f.text, range, text)
    return short(text, 200)
  elseif codec == 6 then
    return size .. " bytes"
  end
  local reader = { buffer = range, at = 0, size = size, items = MAX_ITEMS }
  local read = standard_message
  if codec == 1 then
    if head.kind == 2 then
      read = standard_envelope
    elseif head.direction == 1 and range(0, 1):uint() ~= 7 then
      -- An event of an event channel.
      read = standard_envelope
    else
      read = standard_call
    end
  end
  local ok, text = pcall(read, reader, tree)
  if ok then
    if read == standard_envelope and head.kind == 1 then text = "event " .. text end
    return text
  end
  if type(text) ~= "table" then error(text, 0) end
  if not text.is_limit then
    tree:add_proto_expert_info(e.malformed, text.text .. ", at byte " .. text.at)
  end
  return text.text
end

-------------------------------------------------------------------------------------------------
-- Packets

-- Notes which frame answers which, once for each frame.
local function link(pinfo, head)
  local key = head.key
  if head.kind == 1 then
    if head.flags % 4 < 2 then open[key] = { frame = pinfo.number, time = pinfo.abs_ts } end
    return
  end
  local request = open[key]
  if not request then
    requests[pinfo.number] = { is_orphan = true }
    return
  end
  local is_again = responses[request.frame] ~= nil
  requests[pinfo.number] = {
    frame = request.frame, time = pinfo.abs_ts - request.time, is_again = is_again,
  }
  if not is_again then
    responses[request.frame] = { frame = pinfo.number, time = pinfo.abs_ts - request.time }
  end
end

local function seconds(time)
  time = math.max(0, time)
  local whole = math.floor(time)
  return NSTime.new(whole, math.floor((time - whole) * 1e6 + 0.5) * 1000)
end

local function add_links(pinfo, tree)
  local response = responses[pinfo.number]
  if response then
    tree:add(f.response_in, response.frame):set_generated()
    tree:add(f.time, seconds(response.time)):set_generated()
  end
  local request = requests[pinfo.number]
  if not request then return end
  if request.is_orphan then
    tree:add_proto_expert_info(e.orphan)
    return
  end
  tree:add(f.request_in, request.frame):set_generated()
  tree:add(f.time, seconds(request.time)):set_generated()
  if request.is_again then tree:add_proto_expert_info(e.again) end
end

local HEAD = 32

function proto.dissector(buffer, pinfo, tree)
  if buffer:len() < HEAD or buffer(0, 1):uint() ~= 1 then return 0 end
  pinfo.cols.protocol = "PWBRIDGE"
  local head = {
    direction = buffer(1, 1):uint(), kind = buffer(2, 1):uint(), flags = buffer(3, 1):uint(),
    codec = buffer(4, 1):uint(), name = buffer(6, 2):le_uint(), length = buffer(24, 4):le_uint(),
  }
  -- A reply goes the other way than its message, and both are named by the message's.
  local way = head.kind == 1 and head.direction or 1 - head.direction
  head.key = way .. " " .. tostring(buffer(8, 8):le_uint64())
  if not pinfo.visited then link(pinfo, head) end

  local root = tree:add(proto, buffer())
  root:add(f.version, buffer(0, 1))
  root:add(f.direction, buffer(1, 1))
  root:add(f.kind, buffer(2, 1))
  local flags = root:add(f.flags, buffer(3, 1))
  flags:add(f.no_payload, buffer(3, 1))
  flags:add(f.one_way, buffer(3, 1))
  root:add(f.codec, buffer(4, 1))
  root:add(f.reserved, buffer(5, 1))
  root:add_le(f.name_length, buffer(6, 2))
  root:add_le(f.id, buffer(8, 8))
  root:add_le(f.sequence, buffer(16, 8))
  root:add_le(f.length, buffer(24, 4))
  root:add(f.reserved, buffer(28, 4))

  local channel = ""
  local at = HEAD
  if head.name > 0 and at + head.name <= buffer:len() then
    channel = buffer(at, head.name):string(ENC_UTF_8)
    root:add(f.channel, buffer(at, head.name), channel)
  end
  at = at + head.name
  add_links(pinfo, root)

  local text
  local has_payload = head.flags % 2 == 0
  local present = math.max(0, math.min(head.length, buffer:len() - at))
  if present < head.length then root:add_proto_expert_info(e.cut) end
  if head.kind == 4 then
    text = "refused"
    if present > 0 then
      local words = buffer(at, present):string(ENC_UTF_8)
      root:add(f.refusal, buffer(at, present), words)
      text = "refused " .. short(words, 200)
    end
    root:add(f.outcome, "refused"):set_generated()
  elseif head.kind == 3 then
    text = "dropped"
    root:add(f.outcome, "dropped"):set_generated()
  elseif not has_payload then
    text = "no payload"
    if head.kind == 2 then
      root:add(f.outcome, "no payload"):set_generated()
      root:add_proto_expert_info(e.none)
    end
  elseif present == 0 then
    text = "empty"
  else
    local payload = root:add(f.payload, buffer(at, present))
    if present == head.length then
      text = dissect_payload(buffer(at, present):tvb():range(), pinfo, payload, head)
    else
      text = head.length .. " bytes, cut"
    end
  end
  local arrow = head.direction == 0 and "-> " or "<- "
  local word = head.kind == 2 and " = " or " "
  pinfo.cols.info = arrow .. short(channel, 120) .. word .. text
  root:append_text(", " .. (kinds[head.kind] or "?") .. " on " .. short(channel, 120))
  return buffer:len()
end

DissectorTable.get("wtap_encap"):add(wtap.USER0, proto)
