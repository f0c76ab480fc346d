// The few GLib and Flutter Linux engine symbols used here, declared by hand so
// that neither GTK nor GLib headers have to be installed.
#ifndef PWBRIDGE_ENGINE_API_H
#define PWBRIDGE_ENGINE_API_H

#include <stddef.h>
#include <stdint.h>

// MARK: GLib

typedef struct GBytes GBytes;

typedef struct {
  uint32_t domain;
  int code;
  char *message;
} GError;

GBytes *g_bytes_new_static(const void *data, size_t size);
const void *g_bytes_get_data(GBytes *bytes, size_t *size);
void g_bytes_unref(GBytes *bytes);
void g_error_free(GError *error);
const char *g_quark_to_string(uint32_t quark);
void g_free(void *memory);
void g_object_unref(void *object);

// MARK: Values

typedef struct FlValue FlValue;

// The order is that of the engine's FlValueType.
enum {
  FL_NULL,
  FL_BOOL,
  FL_INT,
  FL_FLOAT,
  FL_STRING,
  FL_UINT8_LIST,
  FL_INT32_LIST,
  FL_INT64_LIST,
  FL_FLOAT_LIST,
  FL_LIST,
  FL_MAP,
  FL_FLOAT32_LIST,
};

void fl_value_unref(FlValue *value);
int fl_value_get_type(FlValue *value);
_Bool fl_value_get_bool(FlValue *value);
int64_t fl_value_get_int(FlValue *value);
double fl_value_get_float(FlValue *value);
const char *fl_value_get_string(FlValue *value);
size_t fl_value_get_length(FlValue *value);
const uint8_t *fl_value_get_uint8_list(FlValue *value);
const int32_t *fl_value_get_int32_list(FlValue *value);
const int64_t *fl_value_get_int64_list(FlValue *value);
const double *fl_value_get_float_list(FlValue *value);
const float *fl_value_get_float32_list(FlValue *value);
FlValue *fl_value_get_list_value(FlValue *value, size_t index);
FlValue *fl_value_get_map_key(FlValue *value, size_t index);
FlValue *fl_value_get_map_value(FlValue *value, size_t index);

// MARK: Codecs

void *fl_standard_message_codec_new(void);
void *fl_json_message_codec_new(void);
void *fl_standard_method_codec_new(void);
GBytes *fl_message_codec_encode_message(void *codec, FlValue *value, GError **error);
FlValue *fl_message_codec_decode_message(void *codec, GBytes *bytes, GError **error);

size_t fl_method_success_response_get_type(void);
FlValue *fl_method_success_response_get_result(void *response);
const char *fl_method_error_response_get_code(void *response);
const char *fl_method_error_response_get_message(void *response);
FlValue *fl_method_error_response_get_details(void *response);

// The engine does not export its method-codec functions; the class structure
// that every instance points to holds them behind the 136 bytes of GObjectClass.
typedef struct {
  size_t type;
  uint8_t rest_of_gobject_class[128];
  GBytes *(*encode_method_call)(void *codec, const char *name, FlValue *args, GError **error);
  int (*decode_method_call)(void *codec, GBytes *bytes, char **name, FlValue **args,
                            GError **error);
  GBytes *(*encode_success_envelope)(void *codec, FlValue *result, GError **error);
  GBytes *(*encode_error_envelope)(void *codec, const char *code, const char *message,
                                   FlValue *details, GError **error);
  void *(*decode_response)(void *codec, GBytes *bytes, GError **error);
} MethodCodecClass;

_Static_assert(offsetof(MethodCodecClass, encode_method_call) == 136, "GObjectClass is 136 bytes");

static inline const MethodCodecClass *class_of(void *instance) {
  return *(const MethodCodecClass **)instance;
}

static inline int is_success(void *response) {
  return class_of(response)->type == fl_method_success_response_get_type();
}

// MARK: Modes

int serve(void);

#endif
