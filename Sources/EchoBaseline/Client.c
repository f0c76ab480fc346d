#include "EchoBaseline.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LARGEST_REPLY = 4096, PART = 64 << 10 };

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t send_all(int descriptor, const uint8_t *bytes, size_t size) {
  size_t done = 0;
  while (done < size) {
    ssize_t count = write(descriptor, bytes + done, size - done);
    if (count >= 0) {
      done += (size_t)count;
    } else if (errno == EPIPE || errno == ECONNRESET) {
      return ECHO_ENDED;
    } else if (errno != EINTR) {
      return ECHO_FAILED;
    }
  }
  return 0;
}

static int64_t receive_some(int descriptor, uint8_t *bytes, size_t size) {
  while (true) {
    ssize_t count = read(descriptor, bytes, size);
    if (count > 0) return count;
    if (count == 0 || errno == ECONNRESET) return ECHO_ENDED;
    if (errno != EINTR) return ECHO_FAILED;
  }
}

int64_t echo_round_trips(struct echo_exchange *exchange, uint64_t *number, size_t count) {
  uint8_t reply[LARGEST_REPLY];
  const size_t size = exchange->reply_size;
  if (size < 16 || size > LARGEST_REPLY) {
    errno = EINVAL;
    return ECHO_FAILED;
  }
  const int64_t start = now();
  for (size_t turn = 0; turn < count; turn++) {
    *number += 1;
    memcpy(exchange->request + 8, number, 8);
    if (exchange->counter_offset) memcpy(exchange->request + exchange->counter_offset, number, 4);
    int64_t outcome = send_all(exchange->output, exchange->request, exchange->request_size);
    if (outcome < 0) return outcome;
    for (size_t done = 0; done < size; done += (size_t)outcome) {
      outcome = receive_some(exchange->input, reply + done, size - done);
      if (outcome < 0) return outcome;
    }
    if (memcmp(reply + 8, number, 8) != 0) return ECHO_WRONG;
    if (exchange->reply_tail && memcmp(reply + 16, exchange->reply_tail, size - 16) != 0) {
      return ECHO_WRONG;
    }
  }
  return now() - start;
}

static int64_t expect(int descriptor, const uint8_t *bytes, size_t size) {
  uint8_t part[PART];
  size_t done = 0;
  while (done < size) {
    size_t wanted = size - done < PART ? size - done : PART;
    int64_t count = receive_some(descriptor, part, wanted);
    if (count < 0) return count;
    if (memcmp(part, bytes + done, (size_t)count) != 0) return ECHO_WRONG;
    done += (size_t)count;
  }
  return 0;
}

int64_t echo_pipelined(
  int32_t output, int32_t input, const uint8_t *requests, size_t requests_size,
  const uint8_t *replies, size_t replies_size, size_t count
) {
  const size_t request_half = requests_size / 2;
  const size_t reply_half = replies_size / 2;
  const int64_t start = now();
  int64_t outcome = 0;
  // One half is always on its way while the answers to the other come in.
  for (size_t turn = 0; turn < 2 * count + 1 && outcome == 0; turn++) {
    if (turn < 2 * count) {
      outcome = send_all(output, requests + (turn % 2) * request_half, request_half);
    }
    if (outcome == 0 && turn > 0) {
      outcome = expect(input, replies + ((turn - 1) % 2) * reply_half, reply_half);
    }
  }
  return outcome < 0 ? outcome : now() - start;
}
