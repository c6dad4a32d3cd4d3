"""Stream orders in words."""

from __future__ import annotations

from collections.abc import Sequence


def orders_said(orders: Sequence[int]) -> str:
    """``order 0``, or ``orders 0, 1``."""
    return f"order{'' if len(orders) == 1 else 's'} {', '.join(map(str, orders))}"
