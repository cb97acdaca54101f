"""Lanework from Python: neighbour lists on the processor."""
from .neighbors import neighbor_list, version as __version__

__all__ = ["neighbor_list", "__version__"]
