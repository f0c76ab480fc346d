// Flutter's own Linux engine codec, measured (`bench DIR [ROUNDS]`) or answering
// requests (`serve`, see engine_serve.c). Built by build-engine.sh.
//
// bench prints one JSON object: payload name -> decode_ns, visit_ns (decode and
// read every leaf), encode_ns and, for d and e, memcpy_ns, each the smallest of
// all rounds, with a `…_median_ns` beside it. Freeing is counted everywhere.
//
// d and e are too large to store. Both sides make them from xorshift64:
//   x ^= x << 13;  x ^= x >> 7;  x ^= x << 17;   (64 bits, the new x is the output)
//   d  seed 0x0123456789abcdef: 131,072 outputs as little-endian bytes, one after another
//   e  seed 0xfedcba9876543210: 131,072 doubles (output >> 11) * 2^-53, all in [0, 1)
// SHA-256 of the whole messages, type and size bytes included:
//   d  6ad5e089e091c6680aed6d09ba5b754ac357cd47ed70f90c53d30364413d4fc9
//   e  a07ddf3318e7710ceaa348d91eecc09852c107c3c951e9f9660a5323eac393b8
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine_api.h"

enum Kind { MESSAGE, CALL, RESPONSE };
enum Op { DECODE, VISIT, ENCODE, MEMCPY, OPS };
enum { MAX_ROUNDS = 1000, DEFAULT_ROUNDS = 15, COUNT_1MIB = 131072 };

static const char *const op_names[OPS] = {"decode", "visit", "encode", "memcpy"};
// A batch this long keeps the clock's own cost below a thousandth.
static const double batch_ns = 3e6;

typedef struct {
  const char *name;
  enum Kind kind;
  uint8_t *bytes;
  size_t count;
  GBytes *message;
  // What encode starts from: name and value of a call, or the response's parts.
  char *call_name;
  FlValue *value;
  void *response;
  long batch[OPS];
  double samples[OPS][MAX_ROUNDS];
} Payload;

static Payload payloads[] = {
    {.name = "a_call_start", .kind = CALL},
    {.name = "b_call_default", .kind = CALL},
    {.name = "c_contacts", .kind = MESSAGE},
    {.name = "d_uint8list_1mib", .kind = MESSAGE},
    {.name = "e_float64list_131072", .kind = MESSAGE},
    {.name = "f_ints_100000", .kind = MESSAGE},
    {.name = "g_strings_20000", .kind = MESSAGE},
    {.name = "h_success_null", .kind = RESPONSE},
    {.name = "h_error", .kind = RESPONSE},
    {.name = "i_nested_64", .kind = MESSAGE},
};
enum { PAYLOADS = sizeof payloads / sizeof *payloads };

static void *standard, *method;
static volatile uint64_t sink;

static void die(const char *what, const char *name) {
  fprintf(stderr, "engine_codec: %s: %s\n", name, what);
  exit(1);
}

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// MARK: Payloads

static uint64_t xorshift64(uint64_t *x) {
  *x ^= *x << 13;
  *x ^= *x >> 7;
  *x ^= *x << 17;
  return *x;
}

static void make_uint8list(Payload *p) {
  static const uint8_t head[6] = {0x08, 0xff, 0x00, 0x00, 0x10, 0x00};
  p->count = sizeof head + 8 * COUNT_1MIB;
  p->bytes = malloc(p->count);
  memcpy(p->bytes, head, sizeof head);
  uint64_t x = 0x0123456789abcdef;
  for (size_t i = 0; i < COUNT_1MIB; i++) {
    xorshift64(&x);
    memcpy(p->bytes + sizeof head + 8 * i, &x, 8);
  }
}

static void make_float64list(Payload *p) {
  // 6 bytes of type and size, 2 of padding to the alignment of 8.
  static const uint8_t head[8] = {0x0b, 0xff, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00};
  p->count = sizeof head + 8 * COUNT_1MIB;
  p->bytes = malloc(p->count);
  memcpy(p->bytes, head, sizeof head);
  uint64_t x = 0xfedcba9876543210;
  for (size_t i = 0; i < COUNT_1MIB; i++) {
    double value = (double)(xorshift64(&x) >> 11) * 0x1p-53;
    memcpy(p->bytes + sizeof head + 8 * i, &value, 8);
  }
}

static void read_file(Payload *p, const char *folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.bin", folder, p->name);
  FILE *file = fopen(path, "rb");
  if (!file) die("cannot open the payload", path);
  fseek(file, 0, SEEK_END);
  p->count = (size_t)ftell(file);
  rewind(file);
  p->bytes = malloc(p->count);
  if (fread(p->bytes, 1, p->count, file) != p->count) die("cannot read the payload", path);
  fclose(file);
}

// MARK: Operations

// A string counts as its first byte and a typed list as its length and last
// element: what costs is reaching a leaf, not summing up a megabyte.
static uint64_t visit(FlValue *v) {
  size_t n;
  uint64_t sum = 0;
  switch (fl_value_get_type(v)) {
    case FL_NULL: return 1;
    case FL_BOOL: return (uint64_t)fl_value_get_bool(v);
    case FL_INT: return (uint64_t)fl_value_get_int(v);
    case FL_FLOAT: return (uint64_t)(fl_value_get_float(v) != 0);
    case FL_STRING: return (uint8_t)*fl_value_get_string(v);
    case FL_UINT8_LIST:
      n = fl_value_get_length(v);
      return n ? n + fl_value_get_uint8_list(v)[n - 1] : 0;
    case FL_INT32_LIST:
      n = fl_value_get_length(v);
      return n ? n + (uint64_t)fl_value_get_int32_list(v)[n - 1] : 0;
    case FL_INT64_LIST:
      n = fl_value_get_length(v);
      return n ? n + (uint64_t)fl_value_get_int64_list(v)[n - 1] : 0;
    case FL_FLOAT_LIST:
      n = fl_value_get_length(v);
      return n ? n + (fl_value_get_float_list(v)[n - 1] != 0) : 0;
    case FL_FLOAT32_LIST:
      n = fl_value_get_length(v);
      return n ? n + (fl_value_get_float32_list(v)[n - 1] != 0) : 0;
    case FL_LIST:
      n = fl_value_get_length(v);
      for (size_t i = 0; i < n; i++) sum += visit(fl_value_get_list_value(v, i));
      return sum;
    case FL_MAP:
      n = fl_value_get_length(v);
      for (size_t i = 0; i < n; i++)
        sum += visit(fl_value_get_map_key(v, i)) + visit(fl_value_get_map_value(v, i));
      return sum;
    default: return 0;
  }
}

static uint64_t visit_response(void *response) {
  if (is_success(response)) return visit(fl_method_success_response_get_result(response));
  const char *message = fl_method_error_response_get_message(response);
  FlValue *details = fl_method_error_response_get_details(response);
  return (uint8_t)*fl_method_error_response_get_code(response) +
         (message ? (uint8_t)*message : 0u) + (details ? visit(details) : 0u);
}

static void decode(Payload *p, int visiting) {
  char *name;
  FlValue *value;
  void *response;
  switch (p->kind) {
    case MESSAGE:
      value = fl_message_codec_decode_message(standard, p->message, NULL);
      if (visiting) sink += visit(value);
      fl_value_unref(value);
      break;
    case CALL:
      class_of(method)->decode_method_call(method, p->message, &name, &value, NULL);
      if (visiting) sink += (uint8_t)*name + visit(value);
      g_free(name);
      fl_value_unref(value);
      break;
    case RESPONSE:
      response = class_of(method)->decode_response(method, p->message, NULL);
      if (visiting) sink += visit_response(response);
      g_object_unref(response);
      break;
  }
}

static GBytes *encode(Payload *p) {
  const MethodCodecClass *class = class_of(method);
  switch (p->kind) {
    case MESSAGE: return fl_message_codec_encode_message(standard, p->value, NULL);
    case CALL: return class->encode_method_call(method, p->call_name, p->value, NULL);
    default:
      if (is_success(p->response))
        return class->encode_success_envelope(
            method, fl_method_success_response_get_result(p->response), NULL);
      return class->encode_error_envelope(
          method, fl_method_error_response_get_code(p->response),
          fl_method_error_response_get_message(p->response),
          fl_method_error_response_get_details(p->response), NULL);
  }
}

static void copy(Payload *p) {
  void *owned = malloc(p->count);
  memcpy(owned, p->bytes, p->count);
  // Keeps the compiler from removing the unused copy.
  __asm__ volatile("" : : "r"(owned) : "memory");
  free(owned);
}

static double run(Payload *p, enum Op op, long times) {
  double start = now_ns();
  switch (op) {
    case DECODE: for (long i = 0; i < times; i++) decode(p, 0); break;
    case VISIT: for (long i = 0; i < times; i++) decode(p, 1); break;
    case ENCODE: for (long i = 0; i < times; i++) g_bytes_unref(encode(p)); break;
    default: for (long i = 0; i < times; i++) copy(p); break;
  }
  return now_ns() - start;
}

// MARK: Measuring

static void prepare(Payload *p, const char *folder) {
  if (p->name[0] == 'd') make_uint8list(p);
  else if (p->name[0] == 'e') make_float64list(p);
  else read_file(p, folder);
  p->message = g_bytes_new_static(p->bytes, p->count);
  int ok = 1;
  if (p->kind == CALL)
    ok = class_of(method)->decode_method_call(method, p->message, &p->call_name, &p->value, NULL);
  else if (p->kind == RESPONSE)
    ok = (p->response = class_of(method)->decode_response(method, p->message, NULL)) != NULL;
  else
    ok = (p->value = fl_message_codec_decode_message(standard, p->message, NULL)) != NULL;
  if (!ok) die("the engine refuses the payload", p->name);

  GBytes *again = encode(p);
  size_t size;
  const void *data = g_bytes_get_data(again, &size);
  if (size != p->count || memcmp(data, p->bytes, size))
    die("the engine encodes other bytes than it decoded", p->name);
  g_bytes_unref(again);
}

static int measured(const Payload *p, enum Op op) {
  return op != MEMCPY || p->name[0] == 'd' || p->name[0] == 'e';
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void stay_on_this_core(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET((size_t)sched_getcpu(), &set);
  // Unpinned figures are only noisier, so a refusal is no error.
  (void)sched_setaffinity(0, sizeof set, &set);
}

static int bench(const char *folder, int rounds) {
  standard = fl_standard_message_codec_new();
  method = fl_standard_method_codec_new();
  stay_on_this_core();
  for (int i = 0; i < PAYLOADS; i++) prepare(&payloads[i], folder);

  // Finding the batch size is the warm-up too.
  for (int i = 0; i < PAYLOADS; i++)
    for (int op = 0; op < OPS; op++) {
      if (!measured(&payloads[i], op)) continue;
      long times = 1;
      while (run(&payloads[i], op, times) < batch_ns) times *= 2;
      payloads[i].batch[op] = times;
    }
  // A slow moment of the machine then falls on all rows, not on one.
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < PAYLOADS; i++)
      for (int op = 0; op < OPS; op++)
        if (measured(&payloads[i], op))
          payloads[i].samples[op][round] =
              run(&payloads[i], op, payloads[i].batch[op]) / (double)payloads[i].batch[op];

  putchar('{');
  for (int i = 0; i < PAYLOADS; i++) {
    Payload *p = &payloads[i];
    printf("%s\n  \"%s\": {", i ? "," : "", p->name);
    for (int op = 0; op < OPS; op++) {
      if (!measured(p, op)) continue;
      qsort(p->samples[op], (size_t)rounds, sizeof(double), ascending);
      printf("%s\"%s_ns\": %.1f, \"%s_median_ns\": %.1f", op ? ", " : "", op_names[op],
             p->samples[op][0], op_names[op], p->samples[op][rounds / 2]);
    }
    putchar('}');
  }
  puts("\n}");
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[1], "serve")) return serve();
  if ((argc == 3 || argc == 4) && !strcmp(argv[1], "bench")) {
    int rounds = argc == 4 ? atoi(argv[3]) : DEFAULT_ROUNDS;
    if (rounds >= 1 && rounds <= MAX_ROUNDS) return bench(argv[2], rounds);
  }
  fputs("usage: engine_codec bench PAYLOAD_FOLDER [ROUNDS] | engine_codec serve\n", stderr);
  return 64;
}
