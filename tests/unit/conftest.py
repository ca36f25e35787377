"""What unit tests of the judging store share: a database of each kind."""

import pytest
from tests.unit.judging_stores import KINDS, postgresql_server


@pytest.fixture(scope="module")
def server():
    """What empties the database of a PostgreSQL server and returns its URL."""
    with postgresql_server() as make:
        yield make


@pytest.fixture(params=KINDS)
def url(request, tmp_path):
    """The URL of an empty database, of each kind in turn."""
    return f"sqlite:///{tmp_path}/judging.db" if request.param == "sqlite" else request.getfixturevalue("server")()


@pytest.fixture
def store(url):
    """An open store in it."""
    from assay.store.judging import JudgingStore

    opened = JudgingStore.open(url)
    yield opened
    opened.close()
