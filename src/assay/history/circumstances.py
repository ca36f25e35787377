"""What an evaluation was made with beside gold and run: the revision of the code, the platform, the corpus."""

import os
import platform as machine
import subprocess
import sys
from pathlib import Path

from assay.errors import InputError
from assay.formats.source import file_digest

CHANGED = "+"
"""What follows a revision whose files were changed since."""
PATIENCE_S = 10


def code_version(folder: str | os.PathLike[str] = ".") -> str | None:
    """Return the revision of the Git repository that a folder lies in, `+` behind it where files differ from it.

    None where there is no repository, no revision yet, or no Git. Files that Git does not know count as changed.
    """
    revision = _git(folder, "rev-parse", "HEAD")
    if not revision:
        return None
    return revision + (CHANGED if _git(folder, "status", "--porcelain") else "")


def platform() -> str:
    """Return system, processor and Python in one line.

    >>> platform().split(", ")[-1].startswith("Python 3.")
    True
    """
    python = ".".join(map(str, sys.version_info[:3]))
    return f"{machine.system()} {machine.machine()}, Python {python}"


def corpus_digest(path: str | os.PathLike[str]) -> str:
    """Return the SHA-256 of a file that stands for what was searched: the corpus, or a manifest of it.

    Raises
    ------
    InputError
        No such file.
    """
    found = file_digest(Path(path))
    if found is None:
        raise InputError(f"{os.fspath(path)}: expected the file of a corpus, found none")
    return found


def _git(folder: str | os.PathLike[str], *words: str) -> str | None:
    try:
        ran = subprocess.run(  # noqa: S603 - fixed words; the folder is no option
            ["git", "-C", os.fspath(folder), *words],  # noqa: S607 - the Git of the user
            env=os.environ | {"GIT_OPTIONAL_LOCKS": "0"},
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return ran.stdout.strip() if ran.returncode == 0 else None
