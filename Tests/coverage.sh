#!/bin/sh
# Runs the tests with coverage and holds Sources/ChannelCodec to a share of lines (95 % unless the
# first argument names another).
set -eu

minimum=${1:-95}
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
scratch=$root/.build/coverage
cd "$root"

# A crash must not wait for a backtrace: exit tests crash on purpose.
export SWIFT_BACKTRACE=enable=no
swift test --enable-code-coverage --disable-xctest --scratch-path "$scratch" \
  --filter '^(ChannelCodecTests|CommandLineTests)\.'
report=$(swift test --show-codecov-path --scratch-path "$scratch")

python3 - "$report" "$root/Sources/ChannelCodec/" "$minimum" <<'PYTHON'
import json
import sys

report, folder, minimum = sys.argv[1], sys.argv[2], float(sys.argv[3])
with open(report, encoding="utf-8") as file:
    files = json.load(file)["data"][0]["files"]
rows = []
for entry in files:
    if not entry["filename"].startswith(folder):
        continue
    lines = entry["summary"]["lines"]
    rows.append((entry["filename"][len(folder):], lines["covered"], lines["count"]))
if not rows:
    sys.exit(f"no file of {folder} in {report}")
rows.sort()
covered = sum(row[1] for row in rows)
count = sum(row[2] for row in rows)
rows.append(("total", covered, count))
width = max(len(row[0]) for row in rows)
print(f"{'file':<{width}}  covered  lines      %")
for name, hit, lines in rows:
    share = 100 * hit / lines if lines else 100.0
    print(f"{name:<{width}}  {hit:>7}  {lines:>5}  {share:>5.1f}")
total = 100 * covered / count
if total < minimum:
    sys.exit(f"{total:.2f} % of lines are covered, {minimum:g} % are wanted")
PYTHON
