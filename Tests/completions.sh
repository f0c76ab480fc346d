#!/usr/bin/env bash
# Loads the completions in a real bash, zsh and fish, and compares what each of them offers with what
# the help texts say.
#
#   completions.sh
#
# PWBRIDGE names the program; without it .build/debug/pwbridge is taken, and built if need be.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=()
for shell in zsh fish; do
  command -v "$shell" > /dev/null || missing+=("$shell")
done
if ((${#missing[@]})); then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null
fi
bridge=${PWBRIDGE:-.build/debug/pwbridge}
test -x "$bridge" || swift build --product pwbridge
exec timeout 300 python3 Tests/Completions/compare.py "$bridge"
