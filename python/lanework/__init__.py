"""Lanework from Python: images and neighbour lists on the processor."""
from .images import blur, gray, letterbox, resize, sobel, sobel_derivative, tensor, warp
from .library import version as __version__
from .neighbors import neighbor_list

__all__ = [
    "blur", "gray", "letterbox", "neighbor_list", "resize", "sobel", "sobel_derivative", "tensor", "warp", "__version__",
]


def load_ipython_extension(shell):
    """`%load_ext lanework`: then `%%cuda` runs a cell as a CUDA program, with no GPU."""
    from .notebook import CudaMagics

    shell.register_magics(CudaMagics)
