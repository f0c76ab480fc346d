"""Asks real shells what they would offer.

A query is a list of words behind the program's name, of which the last one is being typed. An answer
is the list of what is offered for it.
"""

import os
import pty
import select
import shlex
import subprocess
import time

END = "\x1eend"


def _answers(text):
    answers = [part.splitlines() for part in text.split(END + "\n")]
    assert answers.pop() == [], "the last answer has no end"
    return answers


def bash(script, queries, environment, folder):
    lines = [f"source {shlex.quote(script)}"]
    for query in queries:
        # Bash itself splits words at the equals sign.
        words = ["pwbridge"]
        for word in query:
            name, sign, value = word.partition("=") if word.startswith("--") else (word, "", "")
            words += [name] + ([sign] if sign else []) + ([value] if value else [])
        lines += [
            f"COMP_WORDS=({' '.join(map(shlex.quote, words))}) COMP_CWORD={len(words) - 1}",
            "COMPREPLY=(); _pwbridge",
            "((${#COMPREPLY[@]})) && printf '%s\\n' \"${COMPREPLY[@]}\"",
            f"printf '%s\\n' $'{END}'",
        ]
    done = subprocess.run(
        ["bash", "--norc", "--noprofile", "-s"], input="\n".join(lines), env=environment,
        cwd=folder, capture_output=True, text=True, timeout=120,
    )
    assert not done.stderr, f"bash says: {done.stderr}"
    return _answers(done.stdout)


def fish(script, queries, environment, folder):
    lines = [f"source {shlex.quote(script)}"]
    for query in queries:
        typed = " ".join(["pwbridge"] + [shlex.quote(word) if word else "" for word in query])
        # Without a description.
        lines += [f"complete -C {_fish_quoted(typed)} | string replace -r '\\t.*' ''"]
        lines += [f"printf '%s\\n' \\x1e{END[1:]}"]
    done = subprocess.run(
        ["fish", "--no-config", "-c", "\n".join(lines)], env=environment, cwd=folder,
        capture_output=True, text=True, timeout=120,
    )
    assert not done.stderr, f"fish says: {done.stderr}"
    return _answers(done.stdout)


def _fish_quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


# Zsh completes only in its line editor, so one is driven over a terminal. What it would offer passes
# through compadd; calls that only sort words out (-O, -A, -D) offer nothing.
ZSH = r"""
autoload -Uz compinit; compinit -u -D
source $SCRIPT
zstyle ':completion:*' completer _complete
offers=()
compadd() {
  local option
  for option in "$@"; do
    case $option in
      (-|--) break ;;
      (-[OAD]*) builtin compadd "$@"; return ;;
    esac
  done
  local -a found
  builtin compadd -O found "$@"
  offers+=($found)
  builtin compadd "$@"
}
zle -C offer complete-word _main_complete
ask_all() {
  local line
  for line in "${(@f)$(<$QUERIES)}"; do
    offers=()
    BUFFER=$line
    CURSOR=$#BUFFER
    zle offer
    { (($#offers)) && print -rl -- $offers; print -r -- $END } >> $ANSWERS
  done
  BUFFER=
  : > $ANSWERS.done
}
zle -N ask_all
bindkey '^T' ask_all
"""


def zsh(script, queries, environment, folder):
    place = os.path.dirname(script)
    paths = {name: os.path.join(place, name.lower()) for name in ("QUERIES", "ANSWERS", "SETUP")}
    with open(paths["QUERIES"], "w") as file:
        for query in queries:
            words = ["pwbridge"] + [shlex.quote(word) if word else "" for word in query]
            file.write(" ".join(words) + "\n")
    with open(paths["SETUP"], "w") as file:
        file.write(ZSH)
    open(paths["ANSWERS"], "w").close()
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        ["zsh", "-f", "-i"], stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder,
        start_new_session=True,
        env={**environment, **paths, "SCRIPT": script, "END": END, "TERM": "xterm"},
    )
    os.close(theirs)
    shown = b""
    try:
        os.write(ours, f"source {shlex.quote(paths['SETUP'])}; print READY-$((1+1))\n".encode())
        asked, limit = False, time.monotonic() + 120
        while not os.path.exists(paths["ANSWERS"] + ".done"):
            assert time.monotonic() < limit, f"zsh does not answer; it shows: {shown[-2000:]!r}"
            if select.select([ours], [], [], 0.1)[0]:
                shown += os.read(ours, 65536)
            if not asked and b"READY-2" in shown:
                os.write(ours, b"\x14")
                asked = True
    finally:
        child.kill()
        child.wait()
        os.close(ours)
    with open(paths["ANSWERS"]) as file:
        return _answers(file.read())


ALL = {"bash": bash, "zsh": zsh, "fish": fish}
