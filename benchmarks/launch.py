"""Run a command and print its exit code, its seconds, its peak memory and its seconds of CPU.

Usage: `python -IS launch.py OUTPUT COMMAND...`.

A process of its own, small on purpose: Linux counts the memory of whoever starts a process towards the peak of
that process, so a benchmark that holds large tables would be measured itself.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

out, *command = sys.argv[1:]
with Path(out).open("wb") as output:
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=output)
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
print(os.waitstatus_to_exitcode(status), seconds, peak, used.ru_utime + used.ru_stime)
