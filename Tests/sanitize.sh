#!/usr/bin/env bash
# Runs the tests under the address or the thread sanitizer.
#
#   sanitize.sh address|thread [TEST TARGET]...
#
# The programs that the tests start are sanitized as well. Builds go to .build/asan and .build/tsan,
# what the tests print and what a sanitizer reports to .build/sanitizing. For the thread sanitizer,
# locks are the system's own, whose orderings it knows; see Sources/SystemInterface/Guarded.swift.
# Exits 1 if a test fails or a sanitizer reports anything.
set -euo pipefail

# Tests that are left out, and why.
skipped=(
  # Compilers do the work there, and what they build is not sanitized.
  'GuideAppTests\.' 'HostedAppTests\.NewcomerTests'
  # They hold memory or time to a limit, and a sanitizer takes a multiple of both.
  'ChannelRecordingsTests\.MemoryTests' 'ChannelCodecTests\.(MapTimeTests|SizeFieldTests/sizes)'
  # Readers and writers of extension types nest on a stack that is small on purpose, and a sanitizer
  # makes frames several times larger.
  'ChannelCodecTests\.ExtensionTests/nested(Readers|Writers)OnSmallStack'
)
# How many times longer than usual the tests wait; PWBRIDGE_SANITIZE_LIMIT are the seconds of a target.
export PWBRIDGE_TEST_SLOWNESS=${PWBRIDGE_TEST_SLOWNESS:-10}

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
# A trap must end a test at once instead of starting a backtracer that holds the pipes open.
export SWIFT_BACKTRACE=enable=no
logs=$root/.build/sanitizing
flags=()
case ${1:-} in
  address)
    scratch=.build/asan
    # The program ends without freeing, and references in tagged words are not seen.
    export ASAN_OPTIONS=detect_leaks=0:log_path=$logs/report
    ;;
  thread)
    scratch=.build/tsan
    export TSAN_OPTIONS=log_path=$logs/report
    flags=(-Xswiftc -DTHREAD_SANITIZER)
    ;;
  *)
    sed -n '2,/^set -/s/^# \{0,1\}//p' "$0" >&2
    exit 64
    ;;
esac
flags+=(--scratch-path "$scratch" --sanitize="$1" --disable-xctest)
shift
targets=("$@")
if [ ${#targets[@]} = 0 ]; then
  targets=($(cd Tests && printf '%s\n' *Tests | grep -v '^GuideAppTests$'))
fi
skips=()
for test in "${skipped[@]}"; do skips+=(--skip "^$test"); done
rm -rf "$logs"
mkdir -p "$logs"

swift build --build-tests "${flags[@]}"
status=0
printf '%-24s %6s %8s  %s\n' target tests seconds outcome
for target in "${targets[@]}"; do
  log=$logs/$target.log
  begin=$SECONDS
  outcome=passed
  # One test at a time: their limits count the clock on the wall.
  timeout "${PWBRIDGE_SANITIZE_LIMIT:-3600}" swift test --skip-build "${flags[@]}" --no-parallel \
    --filter "^$target\\." "${skips[@]}" > "$log" 2>&1 \
    || outcome="failed: see $log"
  count=$(sed -n 's/.*Test run with \([0-9]*\) tests* in.*/\1/p' "$log" | tail -n 1)
  [ "${count:-0}" -gt 0 ] || outcome="ran no test to its end: see $log"
  [ "$outcome" = passed ] || status=1
  printf '%-24s %6s %8s  %s\n' "$target" "${count:--}" $((SECONDS - begin)) "$outcome"
done
# Programs that tests started, and that ended as they should, may have reported all the same.
reports=$(cat "$logs"/report.* 2> /dev/null | grep -a '^SUMMARY' | sort | uniq -c || true)
if [ -n "$reports" ]; then
  echo "$reports"
  echo "the sanitizer reported something: see $logs"
  status=1
fi
exit "$status"
