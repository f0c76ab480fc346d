#!/usr/bin/env bash
# Puts load on the real program and breaks what can be broken around it; prints a table of figures.
#
#   load-and-faults.sh [--quick] [--seed N] [--only CHECK]... [--list] [PROGRAM]
#
#   --quick   under a minute, for CI; without it some minutes
#   --seed    repeats a run's dice; the seed is printed
#   --only    runs checks whose names begin so; may be given several times
#   --list    only names the checks
#   PROGRAM   a release build of pwbridge; without it the one that PWBRIDGE names, or a static
#             release build, which is made if it is not there
#
# Exits 1 if any figure misses its bound. What cannot be tried here, as it needs root, strace or a
# dynamic build, is shown as "not tried", which is no failure.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
program=${PWBRIDGE:-}
arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    --quick | --list) arguments+=("$1") ;;
    --seed | --only) arguments+=("$1" "${2:?$1 needs a value}"); shift ;;
    -*) sed -n '2,/^set -/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    *) program=$1 ;;
  esac
  shift
done

if [ -z "$program" ]; then
  program=$root/.build/static/release/pwbridge
  test -x "$program" || "$root/.ci/build-static" "$root" "$root/.build/static" > /dev/null
fi
test -x "$program" || { echo "no program at $program" >&2; exit 2; }

# The programs of the scenarios, whose helpers are used here, find pwbridge on the path.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ln -s "$(realpath "$program")" "$folder/pwbridge"
export PATH=$folder:$PATH
# A trap must end the program at once instead of starting a backtracer that holds the pipes open.
export SWIFT_BACKTRACE=enable=no
status=0
python3 -B "$root/Tests/LoadAndFaults/run.py" ${arguments[@]+"${arguments[@]}"} || status=$?
exit "$status"
