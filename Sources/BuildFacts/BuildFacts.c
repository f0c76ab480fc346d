#include "BuildFacts.h"

#include <stddef.h>

#if defined(__linux__)
#include <elf.h>
#include <link.h>
#include <sys/auxv.h>
#endif

// Package.swift takes these from the environment. They stand in a target of their own so that a new
// commit compiles nothing else.
#ifndef PWBRIDGE_COMMIT
#define PWBRIDGE_COMMIT NULL
#endif
#ifndef PWBRIDGE_COMMIT_DATE
#define PWBRIDGE_COMMIT_DATE NULL
#endif
#ifndef PWBRIDGE_SWIFT
#define PWBRIDGE_SWIFT NULL
#endif

const char *build_facts_commit(void) { return PWBRIDGE_COMMIT; }

const char *build_facts_commit_date(void) { return PWBRIDGE_COMMIT_DATE; }

const char *build_facts_swift(void) { return PWBRIDGE_SWIFT; }

#if defined(__x86_64__)
#define MACHINE "x86_64"
#elif defined(__aarch64__) && defined(__APPLE__)
#define MACHINE "arm64"
#elif defined(__aarch64__)
#define MACHINE "aarch64"
#else
#define MACHINE "unknown"
#endif

#if defined(__APPLE__)
#define SYSTEM "apple-macosx"
#elif defined(__linux__) && defined(__GLIBC__)
#define SYSTEM "unknown-linux-gnu"
#elif defined(__linux__)
#define SYSTEM "unknown-linux-musl"
#else
#define SYSTEM "unknown"
#endif

const char *build_facts_target(void) { return MACHINE "-" SYSTEM; }

bool build_facts_is_static(void) {
#if defined(__linux__)
  // Where a dynamic linker is needed the program's headers name it.
  const ElfW(Phdr) *header = (const ElfW(Phdr) *)getauxval(AT_PHDR);
  unsigned long count = getauxval(AT_PHNUM);
  if (header == NULL) return false;
  for (unsigned long index = 0; index < count; index++) {
    if (header[index].p_type == PT_INTERP) return false;
  }
  return true;
#else
  return false;
#endif
}
