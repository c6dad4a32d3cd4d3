import pytest

from sqlmend.databases import open_database
from tests.modules.scripts import world


@pytest.fixture(scope="package")
def database(tmp_path_factory):
    return open_database(world(tmp_path_factory.mktemp("world")))
