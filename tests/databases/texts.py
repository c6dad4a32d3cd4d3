"""Strategies of SQL text: from plain statements to what no engine reads."""

from __future__ import annotations

from hypothesis import strategies as st

#: Any str, control characters and lone surrogates included.
any_text = st.text(st.characters(exclude_categories=()), max_size=40)

_FRAGMENTS = (
    "select from where and or not in like between is null union with as join on order by limit case when "
    "then end exists values create trigger begin explain insert into ; ;; , . ( ) ( ) * - - + = <> != < > <= "
    "|| -> ->> ' '' \" \"\" ` [ ] -- /* */ \n \n\n x' 'a' \"a\" `a` [a] x'00' 0 1 1.5 .5 1e5 0x 1abc ? ?1 :a "
    "@ # $ ! a b T.a \u00e9 \u0130 \ufeff \x00 \x0b \ud800 ``` ```sql "
    "<answer> </answer> <think> </think> now date random"
).split(" ")

#: Pieces of SQL in any order, with and without space between them.
scraps = st.lists(st.sampled_from([*_FRAGMENTS, " "]), max_size=25).flatmap(
    lambda pieces: st.sampled_from(["", " "]).map(lambda glue: glue.join(pieces))
)

#: Whatever may be handed to a text function.
texts = any_text | scraps

names = st.sampled_from(["a", "t1", "Name", "straße", '"Free Meals"', "[x y]", "`k`"])
strings = st.text("ab';-\n\"/*A ", max_size=6).map(lambda text: "'" + text.replace("'", "''") + "'")
literals = (
    strings | st.integers(-99, 99).map(str) | st.sampled_from(["1.5", ".5", "2e3", "0x1F", "x'0a'", "-0.0"])
)

_TEMPLATES = (
    "SELECT {n} FROM {n} WHERE {n} = {l} ;",
    "SELECT COUNT ( * ) , {n} FROM {n} JOIN {n} ON {n} . {n} = {n} . {n} GROUP BY {n} HAVING {n} > {l}",
    "SELECT {n} FROM {n} WHERE {n} IN ( {l} , {l} ) AND {n} BETWEEN {l} AND {l} ORDER BY {n} DESC LIMIT {l}",
    "WITH {n} AS ( SELECT {l} AS {n} ) SELECT {n} - {l} FROM {n} UNION SELECT {l}",
    "SELECT CASE WHEN {n} LIKE {l} THEN {l} ELSE {n} END FROM {n} WHERE NOT {n} IS NULL",
)


@st.composite
def statements_of_words(draw: st.DrawFn, literal: st.SearchStrategy[str] = literals) -> list[str]:
    """A readable statement as the list of its tokens."""
    words = draw(st.sampled_from(_TEMPLATES)).split(" ")
    kinds = {"{n}": names, "{l}": literal}
    return [draw(kinds[word]) if word in kinds else word for word in words]


@st.composite
def spelt(draw: st.DrawFn, words: list[str]) -> str:
    """The tokens in another case, with other space and comments between them."""
    gaps = st.sampled_from([" ", "\n", "\t ", " -- 'x\n", "/* ; */", " /*'*/ "])
    pieces: list[str] = []
    for word in words:
        bare = word[0].isalpha() and word[-1] != "'"
        pieces.append(
            draw(st.sampled_from([word, word.upper(), word.lower()])) if bare and word.isascii() else word
        )
        pieces.append(draw(gaps))
    return (
        draw(st.sampled_from(["", " ", "-- c\n", ";"]))
        + "".join(pieces)
        + draw(st.sampled_from(["", ";", ";; -- c"]))
    )
