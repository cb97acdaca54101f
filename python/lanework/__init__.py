"""Lanework from Python: images, arrays, detections and neighbour lists, on the processor and on a GPU."""
from .arrays import add, batched_matmul, gelu, histogram, matmul, reduce, reproducible_sum, transpose
from .detection import decode, nms
from .images import FUNCTIONS as _IMAGE_FUNCTIONS
from .library import version as __version__
from .neighbors import SkinnedNeighbors, neighbor_list

globals().update(_IMAGE_FUNCTIONS)
__all__ = sorted([
    "SkinnedNeighbors", "add", "batched_matmul", "decode", "gelu", "histogram", "matmul", "neighbor_list", "nms", "reduce", "reproducible_sum", "transpose", *_IMAGE_FUNCTIONS,
]) + ["__version__"]


def load_ipython_extension(shell):
    """`%load_ext lanework`: then `%%cuda` runs a cell as a CUDA program, with no GPU."""
    from .notebook import CudaMagics

    shell.register_magics(CudaMagics)
