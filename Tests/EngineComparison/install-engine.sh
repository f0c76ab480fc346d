#!/usr/bin/env bash
# Puts Flutter's own Linux engine library into a cache folder, with the Debian
# packages it and its C driver need. Nothing is done twice.
#
#   install-engine.sh [CACHE_FOLDER]
#
# The last line of the output is the path of the library.
set -euo pipefail

cache=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/pwbridge-engine}
wheel=flet-desktop==0.28.3
# Of the library itself: what is measured and compared against is exactly this engine.
sha256=74bb742b72a1b56adda63322a43c5e7f910d427f90a9f57e9c507f4b117653dd

say() { echo "install-engine: $*" >&2; }
die() { say "$*"; exit 1; }

[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] ||
  die "the wheel's engine is for Linux on x86-64 only"

mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
library=$cache/libflutter_linux_gtk.so
work=

# Packages are asked for by what is missing, so that a machine that has them
# needs neither root nor a network.
need=()
have_library() { ldconfig -p 2>/dev/null | grep -q "$1"; }
PATH=$PATH:/usr/sbin:/sbin
have_library 'libgtk-3\.so\.0' || need+=(libgtk-3-0)
have_library 'libepoxy\.so\.0' || need+=(libepoxy0)
command -v gcc >/dev/null || need+=(gcc libc6-dev)
command -v taskset >/dev/null || need+=(util-linux)
command -v python3 >/dev/null || need+=(python3 python3-venv)
if [ ! -f "$library" ] && command -v python3 >/dev/null &&
  ! python3 -m pip --version >/dev/null 2>&1 && ! python3 -c 'import ensurepip' 2>/dev/null; then
  need+=(python3-venv)
fi
if [ "${#need[@]}" -gt 0 ]; then
  say "installing ${need[*]}"
  as_root=
  [ "$(id -u)" = 0 ] || as_root=sudo
  $as_root apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends \
    "${need[@]}" >&2
fi

matches() { echo "$sha256  $1" | sha256sum --check --status; }

if [ ! -f "$library" ] || ! matches "$library"; then
  work=$(mktemp -d "$cache/unpack.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  python=python3
  if ! python3 -m pip --version >/dev/null 2>&1; then
    python3 -m venv "$work/venv"
    python=$work/venv/bin/python
  fi
  say "fetching $wheel"
  "$python" -m pip download -q --disable-pip-version-check --no-deps --only-binary :all: \
    --dest "$work" "$wheel" >&2
  python3 -m zipfile -e "$work"/flet_desktop-*.whl "$work/wheel"
  tar --no-same-owner -xzf "$work/wheel/flet_desktop/app/flet-linux-amd64.tar.gz" -C "$work" \
    flet/lib/libflutter_linux_gtk.so
  matches "$work/flet/lib/libflutter_linux_gtk.so" || die "the library has another checksum"
  # One rename: an interrupted run leaves no half library behind.
  mv "$work/flet/lib/libflutter_linux_gtk.so" "$library"
fi

missing=$(ldd "$library" | grep 'not found' || true)
[ -z "$missing" ] || die "libraries are missing:
$missing"
echo "$library"
