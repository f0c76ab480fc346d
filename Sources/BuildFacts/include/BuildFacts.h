#pragma once

#include <stdbool.h>

/// The commit that the program was built from, or NULL: only the release script tells it.
const char *_Nullable build_facts_commit(void);

/// The day of that commit, or NULL.
const char *_Nullable build_facts_commit_date(void);

/// The version of the Swift compiler, or NULL.
const char *_Nullable build_facts_swift(void);

/// The compiler's name for the machine and system that the program runs on.
const char *_Nonnull build_facts_target(void);

/// Whether the running program needs no dynamic linker.
bool build_facts_is_static(void);
