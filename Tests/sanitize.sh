#!/usr/bin/env bash
# Runs the tests under the address or the thread sanitizer.
#
#   sanitize.sh address|thread [--filter REGEX]...
#
# The programs that the tests start are sanitized as well. Builds go to .build/asan and .build/tsan.
# For the thread sanitizer, locks are the system's own, whose orderings it knows; see
# Sources/SystemInterface/Guarded.swift. Exits 1 if a test fails or a sanitizer reports anything.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
# A trap must end a test at once instead of starting a backtracer that holds the pipes open.
export SWIFT_BACKTRACE=enable=no
logs=$root/.build/sanitizing
flags=()
case ${1:-} in
  address)
    scratch=.build/asan
    # Tests of crashes end without freeing, and the runtime keeps what it has made.
    export ASAN_OPTIONS=detect_leaks=0:log_path=$logs/address
    ;;
  thread)
    scratch=.build/tsan
    export TSAN_OPTIONS=log_path=$logs/thread
    flags=(-Xswiftc -DTHREAD_SANITIZER)
    ;;
  *)
    sed -n '2,/^set -/s/^# \{0,1\}//p' "$0" >&2
    exit 64
    ;;
esac
sanitizer=$1
shift
rm -rf "$logs"
mkdir -p "$logs"

status=0
# One test at a time: their time limits count the clock on the wall.
swift test --scratch-path "$scratch" --sanitize="$sanitizer" --disable-xctest --no-parallel \
  ${flags[@]+"${flags[@]}"} "$@" || status=1
# Programs that tests started, and that ended as they should, may have reported all the same.
reports=$(grep -a -h -E '^SUMMARY' "$logs"/* 2>/dev/null | sort | uniq -c || true)
if [ -n "$reports" ]; then
  echo "$reports"
  echo "the sanitizer reported something: see $logs"
  status=1
fi
exit "$status"
