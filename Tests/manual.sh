#!/usr/bin/env bash
# Has groff and mandoc read every manual page: neither warns, and both show the example lines exactly
# as they are typed.
#
#   manual.sh [FOLDER]
#
# FOLDER holds the pages of a release; without it those of the program are made, whose missing date
# is let pass. PWBRIDGE names the program; without it .build/debug/pwbridge is taken, and built if
# need be.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v mandoc > /dev/null || ! command -v groff > /dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends groff-base mandoc > /dev/null
fi
bridge=${PWBRIDGE:-.build/debug/pwbridge}
test -x "$bridge" || swift build --product pwbridge
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
verbs=$("$bridge" help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')
folder=${1-}
pass='^$'
if test -z "$folder"; then
  folder=$work
  pass='missing date'
  "$bridge" manual > "$folder/pwbridge.1"
  for verb in $verbs; do "$bridge" manual "$verb" > "$folder/pwbridge-$verb.1"; done
fi

count=0
for page in "$folder"/*.1; do
  { mandoc -T lint "$page" || true; groff -man -ww -z "$page"; } 2>&1 \
    | { grep -v -e "$pass" || true; } >> "$work/warnings"
  count=$((count + 1))
done
if test -s "$work/warnings"; then
  cat "$work/warnings" >&2
  exit 1
fi

lines=0
for verb in $verbs; do
  page=$folder/pwbridge-$verb.1
  "$bridge" help "$verb" | sed -n 's/^    \$ /$ /p' > "$work/lines"
  test -s "$work/lines"
  mandoc -T utf8 -O width=300 "$page" | sed $'s/.\b//g' > "$work/mandoc"
  groff -man -Tutf8 -P-cbou -rLL=300n "$page" > "$work/groff"
  while IFS= read -r line; do
    for reader in mandoc groff; do
      if ! grep -qF -e "$line" "$work/$reader"; then
        echo "$reader does not show the example of $verb as it is: $line" >&2
        exit 1
      fi
    done
    lines=$((lines + 1))
  done < "$work/lines"
done
test "$count" -gt "$(wc -w <<< "$verbs")"
echo "groff and mandoc read $count pages without a warning and show $lines example lines exactly"
