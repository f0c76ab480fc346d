#ifndef VECTOR_DATA_H
#define VECTOR_DATA_H

#include <stddef.h>

/// A file of `Protocol/vectors`, as it was when the program was built.
typedef struct {
  /// The file's name without `.json`.
  const char *_Nonnull name;
  const unsigned char *_Nonnull bytes;
  size_t size;
} VectorDataFile;

/// How many files there are.
size_t vectorDataFileCount(void);

/// The file with this number, which must be below the count. They are in the order of their names.
VectorDataFile vectorDataFile(size_t number);

#endif
