/// The plain C program that a bridge is measured against, and the client that measures both.
///
/// The echo is as fast as two processes can be: one blocking read and one blocking write for each
/// message. Nothing here knows the bridge; frames are bytes with a number at offset 8.

#ifndef ECHO_BASELINE_H
#define ECHO_BASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Why a measurement came to no result.
enum {
  /// The other side closed its end, as it does when it ends or is killed.
  ECHO_ENDED = -1,
  /// A read or write failed; `errno` says why.
  ECHO_FAILED = -2,
  /// An answer was not the one expected.
  ECHO_WRONG = -3,
};

/// Starts a process that reads `request` bytes from `input` and writes the first `reply` of them to
/// `output`, until its input ends. It has no other descriptors. At most 4,096 bytes each, and
/// `reply` is not larger than `request`.
///
/// Returns the process, the caller's to wait for, or -1 with `errno`.
int32_t echo_start(int32_t input, int32_t output, size_t request, size_t reply);

/// What is sent, and what has to come back.
struct echo_exchange {
  /// Blocking descriptors.
  int32_t output;
  int32_t input;
  uint8_t *request;
  size_t request_size;
  /// Where 32 bits of the request get another value each time; 0 for nowhere.
  size_t counter_offset;
  size_t reply_size;
  /// What follows the first 16 bytes of a reply; null when it does not matter.
  const uint8_t *reply_tail;
};

/// Sends the request and waits for the reply, `count` times. The 64 bits at offset 8 of both are
/// a number that counts on from `*number` and that has to come back.
///
/// Returns the nanoseconds that it took, or one of the reasons above.
int64_t echo_round_trips(struct echo_exchange *exchange, uint64_t *number, size_t count);

/// Sends a block of messages `count` times, as two halves of which the second is sent before the
/// replies to the first have been read. All replies to the block have to be as given.
///
/// Returns the nanoseconds that it took, or one of the reasons above.
int64_t echo_pipelined(
  int32_t output, int32_t input, const uint8_t *requests, size_t requests_size,
  const uint8_t *replies, size_t replies_size, size_t count);

/// A thread that ends processes which take too long. Reads from them then meet their end.
struct echo_watchdog;

/// Kills the processes unless it is called off within the time. Null when no thread can be made.
struct echo_watchdog *echo_watchdog_start(
  const int32_t *processes, size_t count, double seconds);

/// Calls it off before the processes are waited for, and says whether it had killed them.
bool echo_watchdog_stop(struct echo_watchdog *watchdog);

/// Waits for a process that has been told that its input is over, and kills it after `seconds`.
/// `asks` says to send SIGTERM first.
void echo_end(int32_t process, bool asks, double seconds);

/// Keeps the calling thread, and what it starts from now on, on one of the processors that the
/// process may use. False where the system does not offer that.
bool echo_pin(void);

/// Gives the calling thread back what it had before `echo_pin`.
void echo_unpin(void);

#endif
