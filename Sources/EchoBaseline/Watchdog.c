#include "EchoBaseline.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

struct echo_watchdog {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t change;
  struct timespec end;
  bool is_off;
  bool has_killed;
  size_t count;
  int32_t processes[];
};

static void *watch(void *argument) {
  struct echo_watchdog *watchdog = argument;
  pthread_mutex_lock(&watchdog->lock);
  int outcome = 0;
  while (!watchdog->is_off && outcome == 0) {
    outcome = pthread_cond_timedwait(&watchdog->change, &watchdog->lock, &watchdog->end);
  }
  if (!watchdog->is_off) {
    // Nobody has waited for them yet, so the numbers are still theirs.
    for (size_t place = 0; place < watchdog->count; place++) {
      kill(watchdog->processes[place], SIGKILL);
    }
    watchdog->has_killed = true;
  }
  pthread_mutex_unlock(&watchdog->lock);
  return NULL;
}

struct echo_watchdog *echo_watchdog_start(
  const int32_t *processes, size_t count, double seconds
) {
  struct echo_watchdog *watchdog = calloc(1, sizeof *watchdog + count * sizeof *processes);
  if (!watchdog) return NULL;
  if (count) memcpy(watchdog->processes, processes, count * sizeof *processes);
  watchdog->count = count;
  struct timeval time;
  gettimeofday(&time, NULL);
  const int64_t end = (int64_t)time.tv_sec * 1000000 + time.tv_usec + (int64_t)(seconds * 1e6);
  watchdog->end.tv_sec = (time_t)(end / 1000000);
  watchdog->end.tv_nsec = (long)(end % 1000000) * 1000;
  pthread_mutex_init(&watchdog->lock, NULL);
  pthread_cond_init(&watchdog->change, NULL);
  if (pthread_create(&watchdog->thread, NULL, watch, watchdog) != 0) {
    free(watchdog);
    return NULL;
  }
  return watchdog;
}

bool echo_watchdog_stop(struct echo_watchdog *watchdog) {
  pthread_mutex_lock(&watchdog->lock);
  watchdog->is_off = true;
  pthread_cond_signal(&watchdog->change);
  pthread_mutex_unlock(&watchdog->lock);
  pthread_join(watchdog->thread, NULL);
  const bool has_killed = watchdog->has_killed;
  pthread_cond_destroy(&watchdog->change);
  pthread_mutex_destroy(&watchdog->lock);
  free(watchdog);
  return has_killed;
}
