#if defined(__linux__)
#define _GNU_SOURCE
#include <sched.h>
#endif

#include "EchoBaseline.h"

#if defined(__linux__)

static _Thread_local cpu_set_t before;
static _Thread_local bool is_pinned;

bool echo_pin(void) {
  if (is_pinned) return true;
  if (sched_getaffinity(0, sizeof before, &before) != 0) return false;
  // The last one: the first is where most systems have their interrupts.
  int chosen = -1;
  for (int processor = 0; processor < CPU_SETSIZE; processor++) {
    if (CPU_ISSET(processor, &before)) chosen = processor;
  }
  if (chosen < 0) return false;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(chosen, &one);
  is_pinned = sched_setaffinity(0, sizeof one, &one) == 0;
  return is_pinned;
}

void echo_unpin(void) {
  if (is_pinned) sched_setaffinity(0, sizeof before, &before);
  is_pinned = false;
}

#else

bool echo_pin(void) { return false; }

void echo_unpin(void) {}

#endif
