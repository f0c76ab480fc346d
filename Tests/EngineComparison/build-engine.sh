#!/usr/bin/env bash
# Installs the engine and builds engine_codec, its C driver, beside it.
#
#   build-engine.sh [CACHE_FOLDER]
#
# The last line of the output is the path of the program.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
library=$("$here/install-engine.sh" "$@" | tail -n 1)
folder=$(dirname "$library")
program=$folder/engine_codec

stale=
for input in "$library" "$here"/engine_*.[ch] "$0"; do
  [ "$program" -nt "$input" ] || stale=yes
done
if [ -n "$stale" ]; then
  # The GLib development packages would bring .so links; naming the run-time files does too.
  gcc -std=gnu11 -O2 -Wall -Wextra -o "$program.new" \
    "$here/engine_codec.c" "$here/engine_serve.c" \
    "$library" -l:libgobject-2.0.so.0 -l:libglib-2.0.so.0 \
    -Wl,-rpath,"$folder" -Wl,--allow-shlib-undefined >&2
  mv "$program.new" "$program"
fi
echo "$program"
