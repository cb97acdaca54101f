"""Lanework from Python: images, arrays and neighbour lists on the processor."""
from .arrays import add, gelu, histogram, matmul, reduce, reproducible_sum, transpose
from .images import blur, gray, letterbox, resize, sobel, sobel_derivative, tensor, warp
from .library import version as __version__
from .neighbors import neighbor_list

__all__ = [
    "add", "blur", "gelu", "gray", "histogram", "letterbox", "matmul", "neighbor_list", "reduce", "reproducible_sum", "resize", "sobel",
    "sobel_derivative", "tensor", "transpose", "warp", "__version__",
]


def load_ipython_extension(shell):
    """`%load_ext lanework`: then `%%cuda` runs a cell as a CUDA program, with no GPU."""
    from .notebook import CudaMagics

    shell.register_magics(CudaMagics)
