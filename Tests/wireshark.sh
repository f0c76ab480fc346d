#!/usr/bin/env bash
# Exports the recorded traffic of a real app and has Wireshark's tshark read it with the dissector:
# decoded fields of several packets, links between messages and answers, no errors in any packet.
# Then a recording with every type of value and with broken ones. Then the trace.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v tshark > /dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends tshark > /dev/null
fi
bridge=${PWBRIDGE:-.build/debug/pwbridge}
test -x "$bridge" || swift build --product pwbridge
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
capture=Tests/Fixtures/captures/desktop-app.jsonl

"$bridge" export --trace "$folder/app.json" --pcapng "$folder/app.pcapng" "$capture"
python3 Tests/check-trace.py "$folder/app.json" "$capture"

python3 Tests/wireshark-recording.py > "$folder/types.jsonl"
"$bridge" export --pcapng "$folder/types.pcapng" "$folder/types.jsonl"

python3 Tests/check-packets.py "$folder" "$capture"
echo "tshark decodes all packets as expected"
