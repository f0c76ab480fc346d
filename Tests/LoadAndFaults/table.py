"""The table of figures: what was tried, what was measured, and the bound that must hold."""

import contextlib


class Row:
    """One line of the table. It is a miss as soon as one of its figures misses its bound."""

    def __init__(self, name, tried):
        self.name = name
        self.tried = tried
        self.measured = []
        self.bounds = []
        self.misses = []
        self.was_tried = True

    def note(self, text):
        """Something measured that has no bound."""
        self.measured.append(text)

    def must(self, holds, measured, bound):
        """Something measured, whether it is as it must be, and how that is."""
        self.measured.append(measured)
        if bound not in self.bounds:
            self.bounds.append(bound)
        if not holds:
            self.misses.append(f"{measured} (must: {bound})")

    def at_most(self, value, most, unit, what):
        """A number with the largest that is allowed."""
        self.must(value <= most, f"{what} {number(value)} {unit}",
                  f"{what} ≤ {number(most)} {unit}")

    def equal(self, found, wanted, what):
        """A count that has to be exact."""
        self.must(found == wanted, f"{what} {count(found)}", f"{what} = {count(wanted)}")

    @property
    def verdict(self):
        if not self.was_tried:
            return "not tried"
        return "MISS" if self.misses else "pass"

    def __str__(self):
        cells = (self.name, self.tried, "; ".join(self.measured), "; ".join(self.bounds),
                 self.verdict)
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


class Table:
    """Prints each row when it is complete."""

    def __init__(self):
        self.rows = []

    def begin(self):
        print("| what | tried | measured | bound | |\n|---|---|---|---|---|", flush=True)

    @contextlib.contextmanager
    def row(self, name, tried):
        """A row to fill in; an exception in between is a miss, and the rest goes on."""
        row = Row(name, tried)
        try:
            yield row
        except Exception as error:  # Whatever goes wrong in a check is a finding.
            row.misses.append(f"{type(error).__name__}: {error}")
            row.note(" ".join(f"{type(error).__name__}: {error}".split())[:200])
        self._add(row)

    def not_tried(self, name, tried, reason):
        """A row for what this machine does not allow."""
        row = Row(name, tried)
        row.was_tried = False
        row.note(reason)
        self._add(row)

    def _add(self, row):
        self.rows.append(row)
        print(row, flush=True)

    @property
    def misses(self):
        return [(row.name, miss) for row in self.rows for miss in row.misses]


def count(value):
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def number(value):
    """With as many digits as are worth reading."""
    if isinstance(value, int) or value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 1 else f"{value:.2g}"
