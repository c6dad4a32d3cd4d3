"""Cards: what one corrected question says to later ones, in seven formats; one of them asks a model."""

from sqlmend.modules.cards._capsule import WriteCapsule
from sqlmend.modules.cards._material import Material
from sqlmend.modules.cards._write import FORMATS, KEYS, Writer, card_key, write_card

__all__ = [
    "FORMATS",
    "KEYS",
    "Material",
    "WriteCapsule",
    "Writer",
    "card_key",
    "write_card",
]
