"""What the help texts say about verbs, flags and operands."""

import re
import subprocess

FLAG = re.compile(r"  (?:-(\S), |    )--([\w-]+)(?: (\S+))?")
# What a variable is called when its value is the name of a file.
FILES = {"PATH", "FILE", "DIR", "SOCKET"}
# The last operand of a form, when it is one.
FILE_OPERANDS = {"FILE", "TO", "B"}


class Flag:
    def __init__(self, short, long, variable):
        self.names = ["--" + long] + (["-" + short] if short else [])
        self.variable = variable
        self.choices = []

    @property
    def has_files(self):
        return self.variable in FILES


class Verb:
    """A verb, or with the name "" the program itself."""

    def __init__(self, name, lines):
        self.name = name
        self.flags = []
        self.choices = []
        self.has_files = False
        self.runs_program = False
        self._read(lines)

    def _read(self, lines):
        section, flag, choosing = None, None, False
        usage = []
        for line in lines:
            heading = re.fullmatch(r"(\w[\w ]*):", line)
            found = FLAG.fullmatch(line)
            if heading:
                section, flag = heading[1], None
            elif section == "Examples":
                pass
            elif section == "Usage":
                if line:
                    usage.append(line)
                else:
                    section = None
            elif found:
                flag, choosing = Flag(*found.groups()), True
                self.flags.append(flag)
            elif not line:
                choosing = False
            elif flag and choosing and re.match(r" {8}\S", line):
                flag.choices.append(line.split()[0])
            elif section == "Verbs" or section and section.isupper():
                if re.match(r"  \S", line):
                    self.choices.append(line.split()[0])
        for line in usage:
            self._read_usage(line)

    def _read_usage(self, line):
        """A form like `pwbridge verb [--flag VALUE] OPERAND [-- COMMAND...]`."""
        words = re.sub(r"\[|\]|\.\.\.", "", line).split()[2:]
        if "--" in words:
            self.runs_program = True
            words = words[: words.index("--")]
        if not words:
            return
        valued = {name for flag in self.flags if flag.variable for name in flag.names}
        is_value = len(words) > 1 and words[-2] in valued
        if words[-1] in FILE_OPERANDS and not is_value:
            self.has_files = True


def read(program):
    """All verbs by name, and the program itself under ""."""

    def help_lines(*names):
        text = subprocess.run(
            [program, "help", *names], check=True, capture_output=True, text=True
        ).stdout
        return text.splitlines()

    overview = Verb("", help_lines())
    verbs = {name: Verb(name, help_lines(name)) for name in overview.choices}
    return {"": overview, **verbs}
