#!/usr/bin/env bash
# Checks the Dart client without a Dart SDK, and runs its own tests too where there is one.
#
#   dart-client.sh
#
# PWBRIDGE names the program; without it .build/debug/pwbridge is taken, and built if need be. The
# Python packages (the Dart grammar, and greenlets for await) go into .build/dart-client.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

program=${PWBRIDGE:-$root/.build/debug/pwbridge}
if ! [ -x "$program" ]; then
  swift build --product pwbridge
fi
PWBRIDGE=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
export PWBRIDGE

venv=.build/dart-client
wanted=Tests/DartClient/requirements.txt
if ! cmp -s "$wanted" "$venv/requirements.txt"; then
  rm -rf "$venv"
  mkdir -p .build
  if ! python3 -m venv "$venv" 2>/dev/null; then
    # Debian keeps the module in a package of its own.
    apt-get install -y -q python3-venv
    rm -rf "$venv"
    python3 -m venv "$venv"
  fi
  "$venv/bin/pip" install -q --disable-pip-version-check -r "$wanted"
  cp "$wanted" "$venv/requirements.txt"
fi
python=$root/$venv/bin/python

(cd Tests/DartClient && timeout 1800 "$python" -m unittest -q)

# Flutter brings a Dart of its own, which need not be on the path.
dart=$(command -v dart || true)
flutter=$(command -v flutter || true)
if [ -z "$dart" ] && [ -n "$flutter" ]; then
  dart=$(dirname "$(readlink -f "$flutter")")/dart
fi
if ! [ -x "$dart" ]; then
  echo "dart-client: no dart and no flutter here: interpreted and checked, not run by Dart"
  exit 0
fi

client=$root/Protocol/clients/dart
# The tests start servers of their own, and under `exec` they all use one.
cd "$client/pwbridge"
"$dart" pub get
"$dart" analyze --fatal-infos
timeout 600 "$dart" test
timeout 600 "$PWBRIDGE" exec -- "$dart" test

if [ -z "$flutter" ]; then
  echo "dart-client: no flutter here: its two packages were interpreted and checked, not run"
  exit 0
fi
for package in pwbridge_flutter pwbridge_flutter_test; do
  cd "$client/$package"
  "$flutter" pub get
  "$flutter" analyze
  timeout 600 "$flutter" test
done
timeout 600 "$PWBRIDGE" exec -- "$flutter" test
