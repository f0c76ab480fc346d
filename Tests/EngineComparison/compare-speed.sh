#!/usr/bin/env bash
# Measures PWBridge's codec against Flutter's own Linux engine, in one run on one
# core, and prints a Markdown table of the times, their ratio and its target.
#
#   compare-speed.sh [--payloads FOLDER] [--rounds N] [--core N] [--strict]
#                    [--engine-cache FOLDER] [--pwbridge PROGRAM]
#
#   --payloads      folder of the .bin files (default: Tests/Fixtures/bench)
#   --rounds        how often each program runs, in turn (default: 3)
#   --core          the core both are pinned to (default: the last one allowed)
#   --strict        exit 1 if a row misses its target
#   --engine-cache  where install-engine.sh puts the engine
#   --pwbridge      measure this program instead of building the package
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
repo=$(cd "$here/../.." && pwd)
payloads=$repo/Tests/Fixtures/bench
rounds=3
core=
strict=
pwbridge=
cache=()

usage() { sed -n '2,/^set -/s/^# \{0,1\}//p' "$0" >&2; exit 64; }
while [ $# -gt 0 ]; do
  case $1 in
    --strict) strict=yes; shift; continue ;;
    --help | -h) usage ;;
  esac
  [ $# -ge 2 ] || usage
  case $1 in
    --payloads) payloads=$2 ;;
    --rounds) rounds=$2 ;;
    --core) core=$2 ;;
    --engine-cache) cache=("$2") ;;
    --pwbridge) pwbridge=$2 ;;
    *) usage ;;
  esac
  shift 2
done
case $rounds in '' | *[!0-9]* | 0) usage ;; esac
if [ ! -d "$payloads" ]; then
  echo "compare-speed: no folder $payloads" >&2
  exit 66
fi

engine=$("$here/build-engine.sh" ${cache[@]+"${cache[@]}"} | tail -n 1)
if [ -z "$pwbridge" ]; then
  build=(swift build --package-path "$repo" -c release --static-swift-stdlib --product pwbridge)
  "${build[@]}" >&2
  pwbridge=$("${build[@]}" --show-bin-path)/pwbridge
fi
if [ -z "$core" ]; then
  core=$(python3 -c 'import os; print(max(os.sched_getaffinity(0)))')
fi

# Without these glibc gives 1 MiB blocks back after each use, and both programs
# would be measuring page faults.
export MALLOC_TRIM_THRESHOLD_=268435456
export MALLOC_MMAP_THRESHOLD_=268435456
export MALLOC_TOP_PAD_=67108864

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
for round in $(seq "$rounds"); do
  echo "compare-speed: round $round of $rounds, core $core" >&2
  taskset -c "$core" "$engine" bench "$payloads" >"$results/engine-$round.json"
  taskset -c "$core" "$pwbridge" bench codec --payloads "$payloads" --json \
    >"$results/pwbridge-$round.json"
done

python3 - "$results" "${strict:-no}" <<'PYTHON'
import glob, json, sys

results, strict = sys.argv[1], sys.argv[2] == "yes"

# Engine time divided by the best other codec's time, decode and encode: what
# PWBridge has to reach. None: as fast as copying the bytes.
TARGETS = {
    "a_call_start": (4.4, 4.5),
    "b_call_default": (4.1, 2.3),
    "c_contacts": (3.3, 2.8),
    "d_uint8list_1mib": None,
    "e_float64list_131072": None,
    "f_ints_100000": (11.2, 4.1),
    "g_strings_20000": (1.7, 2.3),
    "h_success_null": (72, 2.4),
    "h_error": (4.5, 1.9),
    "i_nested_64": (9.6, 3.6),
}
MEMCPY_ALLOWANCE = 1.1
# Reading every leaf has to pay off too, or a decoder could pass by doing nothing.
OPS = (("decode", "decode_ns", 0), ("decode + visit", "visit_ns", 0), ("encode", "encode_ns", 1))


def smallest(program):
    """The smallest time of all rounds: noise only ever adds."""
    best = {}
    for path in sorted(glob.glob(f"{results}/{program}-*.json")):
        with open(path) as file:
            run = json.load(file)
        for payload, figures in run.get("payloads", run).items():
            for key, ns in figures.items():
                old = best.setdefault(payload, {}).get(key, ns)
                best[payload][key] = min(old, ns)
    return best


def number(x):
    return f"{x:,.1f}" if x < 100 else f"{x:,.0f}"


engine, pwbridge = smallest("engine"), smallest("pwbridge")
missed = rows = 0
print("| payload | op | engine ns | pwbridge ns | engine ÷ pwbridge | target | result |")
print("|---|---|---:|---:|---:|---:|---|")
for payload, target in TARGETS.items():
    for op, key, column in OPS:
        theirs = engine[payload][key]
        ours = pwbridge.get(payload, {}).get(key)
        if target is None:
            memcpy = engine[payload]["memcpy_ns"]
            wanted = f"{MEMCPY_ALLOWANCE} × memcpy = {number(memcpy * MEMCPY_ALLOWANCE)} ns"
            passed = ours is not None and ours <= memcpy * MEMCPY_ALLOWANCE
        else:
            wanted = f"{target[column]}"
            passed = ours is not None and theirs / max(ours, 0.1) >= target[column]
        rows += 1
        missed += not passed
        mine, ratio = ("none", "") if ours is None else (
            number(ours), f"{theirs / max(ours, 0.1):.2f}")
        result = "pass" if passed else "**miss**"
        print(f"| {payload} | {op} | {number(theirs)} | {mine} | {ratio} | {wanted} | {result} |")
print(f"compare-speed: {rows - missed} of {rows} rows reach their target", file=sys.stderr)
sys.exit(1 if strict and missed else 0)
PYTHON
