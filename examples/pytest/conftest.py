"""Starts one Plaza for all tests: pip install pytest, npm install plaza, and then pytest."""

import json
import os
import subprocess

import pytest

# npx plaza runs the program that npm installed in this folder.
PLAZA = os.environ.get("PLAZA_PROGRAM", "npx plaza").split()
PORTS = [f"--{name}-port=0" for name in ("core", "ads", "ads-sandbox", "console")]


@pytest.fixture(scope="session")
def plaza(tmp_path_factory):
    """The ready file of a running Plaza: its URLs and keys."""
    ready_file = tmp_path_factory.mktemp("plaza") / "ready.json"
    where = f"--ready-file={ready_file}"
    subprocess.run(
        [*PLAZA, "start", "--detach", "--wait", "--memory", where, *PORTS],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    yield json.loads(ready_file.read_text())
    subprocess.run([*PLAZA, "stop", where], check=True)
