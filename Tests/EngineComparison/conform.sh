#!/usr/bin/env bash
# Runs every vector, and generated cases beside them, on Flutter's own Linux engine: what
# PWBridge expects under the profile linux is what the engine does.
#
#   conform.sh [--pwbridge PROGRAM] [--engine-cache FOLDER] [-- FLAGS...]
#
#   --pwbridge      use this program instead of building the package
#   --engine-cache  where install-engine.sh puts the engine
#   FLAGS           further flags of `pwbridge conform`, such as --html FILE
#
# Exits 1 if the engine does anything else.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
repo=$(cd "$here/../.." && pwd)
program=
cache=()

usage() { sed -n '2,/^set -/s/^# \{0,1\}//p' "$0" >&2; exit 64; }
while [ $# -gt 0 ]; do
  case $1 in
    --pwbridge) program=${2:?--pwbridge needs a program}; shift 2 ;;
    --engine-cache) cache=("${2:?--engine-cache needs a folder}"); shift 2 ;;
    --) shift; break ;;
    *) usage ;;
  esac
done

library=$("$here/install-engine.sh" ${cache[@]+"${cache[@]}"} | tail -n 1)
if [ -z "$program" ]; then
  swift build --package-path "$repo" -c release --product pwbridge >&2
  program=$(swift build --package-path "$repo" -c release --show-bin-path)/pwbridge
fi
# The engine's decoder calls itself for every level of nesting.
ulimit -s unlimited 2>/dev/null || ulimit -s "$(ulimit -Hs)"
exec "$program" conform --profile linux --name "Flutter's Linux engine" "$@" \
  -- python3 "$here/engine_testee.py" "$library"
