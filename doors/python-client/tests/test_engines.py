# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/python.md: programs that take files by URL."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.daemons import ROOT, Cluster

PAGE = (ROOT / "docs" / "python.md").read_text()
EXAMPLES = re.findall(r"<!-- python: (.*?) -->\n```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_page_has_examples() -> None:
    assert len(EXAMPLES) >= 6
    assert PAGE.count("```python\n") == len(EXAMPLES)


@pytest.mark.parametrize(("needs", "code"), EXAMPLES, ids=[needs for needs, _ in EXAMPLES])
def test_an_example_runs(cluster: Cluster, tmp_path: Path, needs: str, code: str) -> None:
    for module in needs.replace("nothing", "").split(", "):
        if module:
            pytest.importorskip(module, reason=f"{module} is missing: pip install {module}")
    code = code.replace("localhost:19990", cluster.master.address)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=240, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    # The comments behind a print say what it prints.
    said = [line.partition("  # ")[2] for line in code.splitlines() if line.startswith("print(")]
    assert done.stdout.split("\n")[: len(said)] == said
