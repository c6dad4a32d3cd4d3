"""Pinned weights: which files, where they come from, and fetching them once for all runs."""

from sqlmend._weights._fetch import Progress, fetch, present
from sqlmend._weights._pin import Hub, Mirror, Pin, get_pin, pins

__all__ = ["Hub", "Mirror", "Pin", "Progress", "fetch", "get_pin", "pins", "present"]
