"""Reading paths: whole ones, and ones whose steps are read off the query because they were not said."""

import pytest

from sqlmend.modules._prompt import load_prompt
from sqlmend.modules._read_path import read_path
from tests.modules.test_generate_reasoned import WHOLE


@pytest.mark.parametrize(
    ("text", "how", "tables"),
    [
        (WHOLE, "whole", ("city", "country")),
        (WHOLE.replace("</tables>", ""), "whole", ("city", "country")),
        ("Tables: city\nColumns: city.name\n```sql\nSELECT name FROM city\n```", "repaired", ("city",)),
        ("1. **Tables:** city\n<answer>SELECT name FROM country</answer>", "repaired", ("city",)),
        ("<answer>SELECT name FROM country</answer>", "repaired", ("country",)),
        ("<answer>SELECT FROM WHERE</answer>", "repaired", ()),
        ("", "none", ()),
        ("<tables>city</tables>", "none", ("city",)),
        (WHOLE.replace("</tables>", "</table>"), "whole", ("city", "country")),
        (WHOLE.replace("city, country", "\n- city\n2. country\n"), "whole", ("city", "country")),
        (WHOLE.replace("city, country", ""), "repaired", ("city", "country")),
        (WHOLE.replace("city, country", "table, table"), "repaired", ("city", "country")),
        (WHOLE.replace("city, country", "none"), "repaired", ("city", "country")),
        (WHOLE.replace("Name the cities", " "), "repaired", ("city", "country")),
        (WHOLE.replace("Name the cities", "the question in other words"), "repaired", ("city", "country")),
        (f"<tables>table, table</tables>\n{WHOLE}", "whole", ("city", "country")),
        (
            "Tables:\n- city\n- country\nColumns: x\n<answer>SELECT 1</answer>",
            "repaired",
            ("city", "country"),
        ),
        ("Tables:\nColumns: x\n<answer>SELECT name FROM city</answer>", "repaired", ("city",)),
    ],
)
def test_reading_paths(database, text, how, tables):
    path, quality = read_path(text, database.schema())
    assert quality == how
    assert path.tables == tables


def test_items_are_parted_outside_parentheses_and_quotes(database):
    text = """<conditions>x IN (1; 2); y = 'p; q'</conditions><functions>MAX(a, b), MIN</functions>"""
    path, _ = read_path(text, database.schema())
    assert path.values == ("x IN (1; 2)", "y = 'p; q'")
    assert path.functions == ("MAX(a, b)", "MIN")


EMPTY = "".join(f"<{tag}></{tag}>" for tag in ("rephrased", "tables", "columns", "functions", "conditions"))
FORM = load_prompt("reason").sections["cue"].text.replace("one SQLite query", "{sql}")
SQL = "SELECT COUNT(*) FROM city WHERE name = 'x'"


@pytest.mark.parametrize("text", [f"{EMPTY}<answer>{SQL}</answer>", FORM.format(sql=SQL)])
def test_an_empty_form_and_one_said_back_are_read_off_the_query(database, text):
    path, quality = read_path(text, database.schema())
    assert quality == "repaired"
    assert (path.question, path.tables, path.columns) == ("", ("city",), ("city.name",))
    assert (path.functions, path.values) == (("COUNT",), ("name = 'x'",))


def test_a_query_without_tables_needs_none(database):
    text = WHOLE.replace("city, country", "none").replace("city.name, country.code", "none")
    text = text[: text.index("<answer>")] + "<answer>SELECT 1</answer>"
    assert read_path(text, database.schema())[1] == "whole"
