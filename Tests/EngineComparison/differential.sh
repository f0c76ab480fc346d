#!/usr/bin/env bash
# Compares PWBridge's linux profile with Flutter's own Linux engine: both decode
# the same messages, calls and envelopes, whole and damaged, and encode again.
#
#   differential.sh [--values N] [--mutations N] [--seed S]
#                   [--engine-cache FOLDER] [--soak PROGRAM]
#
#   --values        how many well-formed inputs (default: 200000)
#   --mutations     how many damaged ones (default: 200000)
#   --seed          of the inputs; the default never changes
#   --engine-cache  where install-engine.sh puts the engine
#   --soak          use this CodecSoak instead of building the package
#
# Exits 1 if anything differs.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
repo=$(cd "$here/../.." && pwd)
soak=
cache=()
arguments=()

usage() { sed -n '2,/^set -/s/^# \{0,1\}//p' "$0" >&2; exit 64; }
while [ $# -gt 0 ]; do
  [ $# -ge 2 ] || usage
  case $1 in
    --values | --mutations | --seed) arguments+=("$1" "$2") ;;
    --engine-cache) cache=("$2") ;;
    --soak) soak=$2 ;;
    *) usage ;;
  esac
  shift 2
done

engine=$("$here/build-engine.sh" ${cache[@]+"${cache[@]}"} | tail -n 1)
if [ -z "$soak" ]; then
  swift build --package-path "$repo" -c release --product CodecSoak >&2
  soak=$(swift build --package-path "$repo" -c release --show-bin-path)/CodecSoak
fi
# The engine's decoder calls itself for every level of nesting.
ulimit -s unlimited 2>/dev/null || ulimit -s "$(ulimit -Hs)"
exec "$soak" --vectors "$repo/Protocol/vectors" --against "$engine serve" \
  ${arguments[@]+"${arguments[@]}"}
