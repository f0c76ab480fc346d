#!/usr/bin/env bash
# Fuzzes what reads bytes from outside: libFuzzer with the address sanitizer.
#
#   fuzz.sh [--seconds N | --minutes N] [--jobs N] [--debug] [--no-build] [TARGET...]
#
#   --seconds   for each target, by the clock on the wall (default: 60)
#   --minutes   for each target, of processor time: what else the machine does makes it no shorter
#   --jobs      targets at a time (default: 1)
#   --debug     without optimization: built in a third of the time, for runs of seconds
#   --no-build  runs the fuzzers that were built last
#   TARGET      FuzzFrames, FuzzLines, FuzzConnection, FuzzStandardCodec, FuzzJSONCodec,
#               FuzzTypedJSON, FuzzRecordings, FuzzRecordingUse, FuzzTexts, FuzzDevice; all of them
#               unless named
#
# First a fault that was planted must be found, and every input in Tests/Fuzzing/Regressions is run:
# each once stopped a fuzzer. What a run finds on its way is kept under .build/fuzzing/corpus and
# where the next one starts from. An input that stops a fuzzer, takes more than 2 seconds of
# processor time or 512 MiB, is written to .build/fuzzing/found; make it a regression when it is
# mended. Exits 1 if anything was found.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
fuzzing=$root/Tests/Fuzzing
work=$root/.build/fuzzing
seconds=60
minutes=
jobs=1
configuration=release
build=yes
targets=()
while [ $# -gt 0 ]; do
  case $1 in
    --seconds) seconds=${2:?--seconds needs a number}; shift ;;
    --minutes) minutes=${2:?--minutes needs a number}; shift ;;
    --jobs) jobs=${2:?--jobs needs a number}; shift ;;
    --debug) configuration=debug ;;
    --no-build) build= ;;
    -*) sed -n '2,/^set -/s/^# \{0,1\}//p' "$0" >&2; exit 64 ;;
    *) targets+=("$1") ;;
  esac
  shift
done
[ "${#targets[@]}" -gt 0 ] || targets=(FuzzFrames FuzzLines FuzzConnection FuzzStandardCodec
  FuzzJSONCodec FuzzTypedJSON FuzzRecordings FuzzRecordingUse FuzzTexts FuzzDevice)

bin=$work/bin
mkdir -p "$bin" "$work/found"
if [ -n "$build" ]; then
  # One flag for both: with --sanitize twice, one of three builds came out without coverage.
  swift build --package-path "$fuzzing" --scratch-path "$work/build" -c "$configuration" \
    -Xswiftc -sanitize=fuzzer,address -Xswiftc -enable-testing >"$work/build.log" 2>&1 \
    || { grep -v 'Cannot export' "$work/build.log" >&2; exit 1; }
  # A copy under a new name: a fuzzer that still runs keeps the one that it was started from.
  cp "$work/build/$configuration/Fuzz" "$bin/Fuzz.new"
  mv "$bin/Fuzz.new" "$bin/Fuzz"
  python3 "$fuzzing/make-corpus.py" "$work/seeds" >&2
fi
for target in FuzzPlanted "${targets[@]}"; do ln -sf Fuzz "$bin/$target"; done
# A trap is to end the fuzzer at once. What is freed too late is for other tests, but what is never
# freed is met by the limit of memory.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=32

dictionary() {
  case $1 in
    FuzzFrames | FuzzConnection) echo frames ;;
    FuzzLines) echo lines ;;
    FuzzStandardCodec | FuzzDevice) echo standard ;;
    FuzzJSONCodec | FuzzTypedJSON) echo json ;;
    FuzzRecordings | FuzzRecordingUse) echo recordings ;;
    FuzzTexts) echo texts ;;
  esac
}

# Seconds of processor time that a process has used.
processor_time() {
  awk -v ticks="$(getconf CLK_TCK)" '{ print int(($14 + $15) / ticks) }' "/proc/$1/stat" \
    2>/dev/null || echo 0
}

fuzz() {
  local target=$1 log=$work/$1.log status=0 used=0 limit=$seconds
  local regressions=$fuzzing/Regressions/$target
  if [ -d "$regressions" ] && ! "$bin/$target" "$regressions"/* >"$log" 2>&1; then
    tail -n 20 "$log"
    echo "$target: a regression is back"
    return 1
  fi
  mkdir -p "$work/corpus/$target"
  # By processor time the fuzzer is told to end when it has had its share.
  [ -z "$minutes" ] || limit=0
  "$bin/$target" -max_total_time="$limit" -timeout=600 -report_slow_units=600 \
    -rss_limit_mb=640 -malloc_limit_mb=512 -max_len=4096 -print_final_stats=1 \
    -dict="$fuzzing/Dictionaries/$(dictionary "$target").dict" \
    -artifact_prefix="$work/found/$target-" \
    "$work/corpus/$target" "$work/seeds/$target" >"$log" 2>&1 &
  local process=$!
  while kill -0 "$process" 2>/dev/null; do
    used=$(processor_time "$process")
    if [ -n "$minutes" ] && [ "$used" -ge $((minutes * 60)) ]; then kill -USR1 "$process"; fi
    sleep 1
  done
  wait "$process" || status=$?
  if [ "$status" -ne 0 ]; then
    grep -a -E 'Fatal error|ERROR|SUMMARY|Test unit written' "$log" || tail -n 20 "$log"
    echo "$target: stopped; the whole story is in $log"
    return 1
  fi
  awk -v name="$target" -v used="$used" -v inputs="$(ls "$work/corpus/$target" | wc -l)" '
    /stat::number_of_executed_units/ { runs = $2 }
    /stat::peak_rss_mb/ { memory = $2 }
    / cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") edges = $(i + 1) }
    END { printf "%-18s %6d s %11d runs  %6d edges  %6d inputs  %5d MB\n",
            name, used, runs, edges, inputs, memory }' "$log"
}

# Coverage leads to the fault within seconds; blindly it takes 2^32 inputs.
planted=$work/FuzzPlanted.log
if "$bin/FuzzPlanted" -max_total_time=60 -artifact_prefix="$work/planted-" >"$planted" 2>&1 \
  || ! grep -q 'the planted fault' "$planted"; then
  echo "the planted fault was not found: the fuzzers are built without coverage"
  exit 1
fi

failed=0
running=0
for target in "${targets[@]}"; do
  fuzz "$target" &
  running=$((running + 1))
  if [ "$running" -ge "$jobs" ]; then
    wait -n || failed=1
    running=$((running - 1))
  fi
done
while [ "$running" -gt 0 ]; do
  wait -n || failed=1
  running=$((running - 1))
done
exit "$failed"
