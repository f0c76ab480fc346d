#!/bin/sh
# Runs the codec's tests with coverage and holds Sources/ChannelCodec to a share of lines (95 % unless
# the first argument names another).
set -eu

minimum=${1:-95}
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)

# A package of the codec alone: the other modules would be compiled for nothing.
package=$root/.build/coverage
mkdir -p "$package/Sources" "$package/Tests"
for part in Protocol Sources/ChannelCodec Sources/ChannelNotation Tests/ChannelCodecTests \
  Tests/Fixtures; do
  ln -sfn "$root/$part" "$package/$part"
done
cat > "$package/Package.swift" <<'MANIFEST'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "coverage",
  targets: [
    .target(
      name: "ChannelCodec", linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(name: "ChannelNotation", dependencies: ["ChannelCodec"]),
    .testTarget(name: "ChannelCodecTests", dependencies: ["ChannelCodec", "ChannelNotation"]),
  ],
  swiftLanguageModes: [.v6]
)
MANIFEST
cd "$package"

# A crash must not wait for a backtrace: exit tests crash on purpose.
export SWIFT_BACKTRACE=enable=no
swift test --enable-code-coverage --disable-xctest
report=$(swift test --show-codecov-path)

python3 - "$report" "Sources/ChannelCodec/" "$minimum" <<'PYTHON'
import json
import sys

report, folder, minimum = sys.argv[1], sys.argv[2], float(sys.argv[3])
with open(report, encoding="utf-8") as file:
    files = json.load(file)["data"][0]["files"]
rows = []
for entry in files:
    _, found, name = entry["filename"].rpartition(folder)
    if not found:
        continue
    lines = entry["summary"]["lines"]
    rows.append((name, lines["covered"], lines["count"]))
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
