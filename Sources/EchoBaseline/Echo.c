#include "EchoBaseline.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGEST = 4096, MOST_DESCRIPTORS = 4096 };

static bool read_all(int descriptor, uint8_t *bytes, size_t size) {
  size_t done = 0;
  while (done < size) {
    ssize_t count = read(descriptor, bytes + done, size - done);
    if (count > 0) {
      done += (size_t)count;
    } else if (count == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

static bool write_all(int descriptor, const uint8_t *bytes, size_t size) {
  size_t done = 0;
  while (done < size) {
    ssize_t count = write(descriptor, bytes + done, size - done);
    if (count >= 0) {
      done += (size_t)count;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

int32_t echo_start(int32_t input, int32_t output, size_t request, size_t reply) {
  if (request > LARGEST || reply > request) {
    errno = EINVAL;
    return -1;
  }
  pid_t process = fork();
  if (process != 0) return process;
  // The other ends of its own pipes among them, which would keep its input from ending.
  for (int other = 0; other < MOST_DESCRIPTORS; other++) {
    if (other != input && other != output) close(other);
  }
  signal(SIGPIPE, SIG_IGN);
  uint8_t bytes[LARGEST];
  while (read_all(input, bytes, request) && write_all(output, bytes, reply)) {}
  _exit(0);
}

void echo_end(int32_t process, bool asks, double seconds) {
  if (process <= 0) return;
  if (asks) kill(process, SIGTERM);
  for (int turn = 0; turn < (int)(seconds * 1000); turn++) {
    pid_t found = waitpid(process, NULL, WNOHANG);
    if (found == process || (found < 0 && errno != EINTR)) return;
    poll(NULL, 0, 1);
  }
  kill(process, SIGKILL);
  while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {}
}
