// The vectors travel inside the program, so that it can test a codec wherever it is copied to.

#include "VectorData.h"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif

static const unsigned char envelopes[] = {
#embed "../../Protocol/vectors/envelopes.json"
};
static const unsigned char implementations[] = {
#embed "../../Protocol/vectors/implementations.json"
};
static const unsigned char jsonMessages[] = {
#embed "../../Protocol/vectors/json-messages.json"
};
static const unsigned char jsonMethods[] = {
#embed "../../Protocol/vectors/json-methods.json"
};
static const unsigned char linuxEngine[] = {
#embed "../../Protocol/vectors/linux-engine.json"
};
static const unsigned char methodCalls[] = {
#embed "../../Protocol/vectors/method-calls.json"
};
static const unsigned char platformReactions[] = {
#embed "../../Protocol/vectors/platform-reactions.json"
};
static const unsigned char standardAlignment[] = {
#embed "../../Protocol/vectors/standard-alignment.json"
};
static const unsigned char standardExtensions[] = {
#embed "../../Protocol/vectors/standard-extensions.json"
};
static const unsigned char standardMalformed[] = {
#embed "../../Protocol/vectors/standard-malformed.json"
};
static const unsigned char standardMaps[] = {
#embed "../../Protocol/vectors/standard-maps.json"
};
static const unsigned char standardSizes[] = {
#embed "../../Protocol/vectors/standard-sizes.json"
};
static const unsigned char standardText[] = {
#embed "../../Protocol/vectors/standard-text.json"
};
static const unsigned char standardTruncation[] = {
#embed "../../Protocol/vectors/standard-truncation.json"
};
static const unsigned char standardValues[] = {
#embed "../../Protocol/vectors/standard-values.json"
};
static const unsigned char stringBinary[] = {
#embed "../../Protocol/vectors/string-binary.json"
};

static const VectorDataFile files[] = {
  {"envelopes", envelopes, sizeof(envelopes)},
  {"implementations", implementations, sizeof(implementations)},
  {"json-messages", jsonMessages, sizeof(jsonMessages)},
  {"json-methods", jsonMethods, sizeof(jsonMethods)},
  {"linux-engine", linuxEngine, sizeof(linuxEngine)},
  {"method-calls", methodCalls, sizeof(methodCalls)},
  {"platform-reactions", platformReactions, sizeof(platformReactions)},
  {"standard-alignment", standardAlignment, sizeof(standardAlignment)},
  {"standard-extensions", standardExtensions, sizeof(standardExtensions)},
  {"standard-malformed", standardMalformed, sizeof(standardMalformed)},
  {"standard-maps", standardMaps, sizeof(standardMaps)},
  {"standard-sizes", standardSizes, sizeof(standardSizes)},
  {"standard-text", standardText, sizeof(standardText)},
  {"standard-truncation", standardTruncation, sizeof(standardTruncation)},
  {"standard-values", standardValues, sizeof(standardValues)},
  {"string-binary", stringBinary, sizeof(stringBinary)},
};

size_t vectorDataFileCount(void) { return sizeof(files) / sizeof(files[0]); }

VectorDataFile vectorDataFile(size_t number) { return files[number]; }
