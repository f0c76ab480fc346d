#!/usr/bin/env bash
# Fuzzes what reads bytes from outside: libFuzzer with the address sanitizer.
#
#   fuzz.sh [--seconds N] [--jobs N] [TARGET...]
#
#   --seconds  for each target (default: 60)
#   --jobs     targets at a time (default: 1)
#   TARGET     FuzzFrames, FuzzLines, FuzzStandardCodec, FuzzJSONCodec, FuzzTypedJSON,
#              FuzzRecordings, FuzzDevice; all of them unless named
#
# First every input in Tests/Fuzzing/Regressions is run: each once stopped a fuzzer. What a run
# finds on its way is kept under .build/fuzzing/corpus and where the next one starts from. An input
# that stops a fuzzer is written to .build/fuzzing/found; make it a regression when it is mended.
# Exits 1 if anything was found.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
work=$root/.build/fuzzing
seconds=60
jobs=1
targets=()
while [ $# -gt 0 ]; do
  case $1 in
    --seconds) seconds=${2:?--seconds needs a number}; shift ;;
    --jobs) jobs=${2:?--jobs needs a number}; shift ;;
    -*) sed -n '2,/^set -/s/^# \{0,1\}//p' "$0" >&2; exit 64 ;;
    *) targets+=("$1") ;;
  esac
  shift
done
[ "${#targets[@]}" -gt 0 ] || targets=(FuzzFrames FuzzLines FuzzStandardCodec FuzzJSONCodec
  FuzzTypedJSON FuzzRecordings FuzzDevice)

# One flag for both: with --sanitize twice, one of three builds came out without coverage.
swift build --package-path "$root/Tests/Fuzzing" --scratch-path "$work/build" -c release \
  -Xswiftc -sanitize=fuzzer,address >&2
bin=$(swift build --package-path "$root/Tests/Fuzzing" --scratch-path "$work/build" -c release \
  --show-bin-path)
python3 "$root/Tests/Fuzzing/make-corpus.py" "$work/seeds" >&2
mkdir -p "$work/found"
# A trap is to end the fuzzer at once, and what is freed too late is for other tests.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0

fuzz() {
  local target=$1 log=$work/$1.log status=0
  local regressions=$root/Tests/Fuzzing/Regressions/$target
  if [ -d "$regressions" ] && ! "$bin/$target" "$regressions"/* >"$log" 2>&1; then
    tail -n 20 "$log"
    echo "$target: a regression is back"
    return 1
  fi
  mkdir -p "$work/corpus/$target"
  "$bin/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=4096 \
    -print_final_stats=1 -artifact_prefix="$work/found/$target-" \
    "$work/corpus/$target" "$work/seeds/$target" >"$log" 2>&1 || status=$?
  if [ "$status" -ne 0 ]; then
    grep -a -E 'Fatal error|ERROR|SUMMARY|Test unit written' "$log" || tail -n 20 "$log"
    echo "$target: stopped; the whole story is in $log"
    return 1
  fi
  awk -v name="$target" '
    /stat::number_of_executed_units/ { runs = $2 }
    /stat::peak_rss_mb/ { memory = $2 }
    / cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") edges = $(i + 1) }
    END { printf "%-18s %10d runs  %6d edges  %5d MB\n", name, runs, edges, memory }' "$log"
}

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
