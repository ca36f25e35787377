"""What every test may ask for."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]

# A deadline per example fails on a busy machine, not on a slow function.
EXAMPLES = int(os.environ.get("ASSAY_EXAMPLES", "40"))
settings.register_profile("assay", deadline=None, print_blob=True, max_examples=EXAMPLES)
settings.load_profile("assay")


@pytest.fixture(scope="session")
def data() -> Path:
    """Real collections, too large for the repository; a test that wants them is skipped without."""
    folder = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"needs a folder of collections; ASSAY_DATA names it, now {str(folder)!r}")
    return folder
