"""Settings of all tests, and the data some of them need."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# derandomize: the same examples on every run and every machine
settings.register_profile(
    "branchmark",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("branchmark")


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder with corpora that are too large for the repository."""
    folder = os.environ.get("BRANCHMARK_DATA")
    if not folder:
        pytest.skip("BRANCHMARK_DATA is not set; it names the folder with the corpora")
    return Path(folder)
