#!/bin/sh
# Looks at a page that `pwbridge conform --html` wrote: pictures at 1280 and 400 pixels, light and
# dark, and one as it prints, plus checks: no error in the console, no request to a network, nothing
# wider than the window, the filters work, and a link to a case opens it.
#
#   Tests/report-screenshots.sh PAGE.html FOLDER
#
# Needs Python 3; installs Debian's chromium when there is none. Fails when a check does.
set -eu
[ $# -eq 2 ] || { echo "usage: $0 PAGE.html FOLDER" >&2; exit 2; }
command -v chromium >/dev/null 2>&1 || {
  apt-get update -qq
  apt-get install -y -qq chromium >/dev/null
}
mkdir -p "$2"
exec timeout 300 python3 "$(dirname "$0")/report-screenshots.py" "$1" "$2"
