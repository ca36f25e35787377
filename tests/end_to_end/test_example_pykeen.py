"""The example that trains models of PyKEEN, with few epochs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.torch
def test_four_models_are_trained_judged_and_compared():
    pytest.importorskip("pykeen")
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "train_with_pykeen.py", "1"],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    judged = dict(re.findall(r"^(\w+): MRR (0\.\d{4}) \(PyKEEN says \2\)", done.stdout, flags=re.MULTILINE))
    assert set(judged) == {"TransE", "ComplEx", "TransR", "RGCN"}
    assert len(re.findall(r"^(\w+) against TransE: ", done.stdout, flags=re.MULTILINE)) == 3
