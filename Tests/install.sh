#!/usr/bin/env bash
# Does what the README says about installing a release that lies in .build/dist, in a home of its own:
# each line works and prints what stands below it, and man, bash and fish find what was installed.
set -euo pipefail
cd "$(dirname "$0")/.."

HOME=$(mktemp -d)
export HOME
trap 'rm -rf "$HOME"' EXIT
sed -n '/^```console release$/,/^```$/{/^```/!p}' README.md > "$HOME/session"
sed -n 's/^\$ //p' "$HOME/session" > "$HOME/commands"
sed '/^\$ /d' "$HOME/session" > "$HOME/expected"
test "$(wc -l < "$HOME/commands")" -ge 5
bash -euo pipefail "$HOME/commands" > "$HOME/printed" 2>&1 || { cat "$HOME/printed"; exit 1; }
diff "$HOME/expected" "$HOME/printed"

export PATH=$HOME/.local/bin:$PATH
complain() { echo "$*" >&2; exit 1; }
test "$(pwbridge decode 0305000000)" = '{"int32":5}' || complain "what was installed does not decode"
pages=$(find "$HOME/.local/share/man/man1" -name 'pwbridge*.1' | wc -l)
test "$pages" -gt 20 || complain "$pages manual pages are installed"
bash --norc -c 'source ~/.local/share/bash-completion/completions/pwbridge; complete -p pwbridge' \
  > "$HOME/bash" || complain "bash does not complete"
# Fish loads what it finds by the command's name.
fish -c 'complete -C "pwbridge decode --pro"' > "$HOME/fish"
grep -q -e --profile "$HOME/fish" || complain "fish does not complete"
echo "the README's installation works"
