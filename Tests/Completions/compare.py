"""Compares what shells offer with what the help texts say, line by line.

  compare.py PROGRAM
"""

import os
import subprocess
import sys
import tempfile

import shells
import table

# Names that a shell splits, expands or takes for a flag's beginning unless the script is careful.
FILES = ["first.jsonl", "two words.jsonl", "star*.jsonl", "folder"]


def queries(verbs):
    """Pairs of words and of what is right for the last one."""
    names = [name for name in verbs if name]
    program = verbs[""]
    longs = lambda verb: [flag.names[0] for flag in verb.flags]

    def begin(words, start):
        return [word for word in words if word.startswith(start)]

    yield [""], names
    for start in ("de", "re", "nothing"):
        yield [start], begin(names, start)
    yield ["--"], longs(program)
    for verb in verbs.values():
        if not verb.name:
            continue
        yield [verb.name, "--"], longs(verb)
        yield [verb.name, "--he"], ["--help"]
        if verb.choices:
            yield [verb.name, ""], verb.choices
            yield [verb.name, verb.choices[0][:2]], begin(verb.choices, verb.choices[0][:2])
        elif verb.has_files:
            yield [verb.name, ""], FILES
        if verb.runs_program:
            yield [verb.name, "--", "pwbrid"], ["pwbridge"]
            yield [verb.name, "--", "cat", ""], FILES
            yield [verb.name, "--", "cat", "fi"], ["first.jsonl"]
        else:
            yield [verb.name, "--", "--"], []
        for flag in verb.flags:
            if not flag.variable:
                continue
            right = FILES if flag.has_files else flag.choices
            for name in flag.names:
                yield [verb.name, name, ""], right
            long = flag.names[0]
            yield [verb.name, long + "="], right
            if right:
                yield [verb.name, long, right[0][:1]], begin(right, right[0][:1])
                yield [verb.name, long + "=" + right[0][:1]], begin(right, right[0][:1])
            # Not the verb that counts, but the value of a flag.
            others = [other for other in verb.flags if other.names != flag.names]
            if others:
                yield [verb.name, long, "version", "--"], longs(verb)
    # Before the verb.
    codec = next(flag for flag in verbs["decode"].flags if flag.names[0] == "--codec")
    yield ["--codec", ""], codec.choices
    yield ["--codec=c"], begin(codec.choices, "c")
    yield ["--codec", "call", "enc"], ["encode"]
    yield ["--codec=call", "enc"], ["encode"]
    yield ["--socket", "serve", "dem"], ["demo"]
    yield ["--socket", "serve", "decode", "--r"], ["--raw"]
    # A flag of the same name takes a value elsewhere.
    yield ["version", "--json", "--h"], ["--help"]
    yield ["bench", "--json", ""], verbs["bench"].choices
    # Words that are verbs, but not the verb.
    yield ["help", "serve", "--"], longs(verbs["help"])
    yield ["call", "demo", "serve", "--pl"], ["--plain"]


def plain(words, offers):
    """Without what a shell adds: a folder's slash, an equals sign, the flag before a value."""
    flag, sign, _ = words[-1].partition("=")
    found = set()
    for offer in offers:
        if sign and offer.startswith(flag + "="):
            offer = offer[len(flag) + 1:]
        offer = offer.replace("\\", "")
        found.add(offer.rstrip("/=") if len(offer) > 1 else offer)
    return found


def main(program):
    asked = list(queries(table.read(program)))
    assert len(asked) > 400, "the help texts were not understood"
    wrong = 0
    with tempfile.TemporaryDirectory() as place:
        folder = os.path.join(place, "files")
        os.makedirs(os.path.join(folder, "folder"))
        for name in FILES[:-1]:
            open(os.path.join(folder, name), "w").close()
        # By itself: zsh takes whatever lies in a folder of the path for a command.
        os.mkdir(os.path.join(place, "bin"))
        os.symlink(os.path.abspath(program), os.path.join(place, "bin/pwbridge"))
        environment = {
            "PATH": place + "/bin:/usr/bin:/bin", "HOME": place, "LC_ALL": "C.UTF-8",
        }
        for shell, ask in shells.ALL.items():
            script = os.path.join(place, f"pwbridge.{shell}")
            with open(script, "w") as file:
                subprocess.run([program, "completions", shell], check=True, stdout=file)
            answers = ask(script, [words for words, _ in asked], environment, folder)
            assert len(answers) == len(asked), f"{shell}: {len(answers)} answers"
            for (words, right), offers in zip(asked, answers):
                if plain(words, offers) != set(right):
                    wrong += 1
                    line = " ".join(["pwbridge"] + words)
                    print(f"{shell}: {line!r}\n  offers {sorted(offers)}\n  not    {sorted(right)}")
    if wrong:
        sys.exit(f"{wrong} lines are completed wrongly")
    print(f"bash, zsh and fish complete {len(asked)} lines as the flag table says")


if __name__ == "__main__":
    main(sys.argv[1])
