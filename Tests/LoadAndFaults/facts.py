"""What the system knows of a process: time, memory, descriptors."""

import os

TICKS = os.sysconf("SC_CLK_TCK")
MEBIBYTE = 1 << 20


def processor_seconds(process):
    """Processor time of a process so far, its own and the kernel's for it."""
    with open(f"/proc/{process.pid}/stat") as file:
        # The second field is a name in brackets, in which anything may be.
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def peak_bytes(process):
    """The most memory that the process ever had resident."""
    with open(f"/proc/{process.pid}/status") as file:
        for line in file:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    raise AssertionError("the system does not tell the peak of memory")


def descriptors(process):
    """How many descriptors the process has open."""
    return len(os.listdir(f"/proc/{process.pid}/fd"))


def percentile(values, part):
    """The value below which a part (0 to 1) of the values lie; they are sorted in place."""
    values.sort()
    return values[min(len(values) - 1, int(len(values) * part))]
