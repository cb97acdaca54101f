"""Types of the package's functions; what they do is in their help."""
from typing import Any, Literal, Sequence

from numpy.typing import ArrayLike, DTypeLike, NDArray

__version__: str

_Array = NDArray[Any]
_Image = Any
_Size = tuple[int, int]
_Numbers = float | Sequence[float]

# Arrays are NumPy's, or whatever else has __dlpack__, on the processor or on a GPU; `out` comes back as it was given. A stream is one of
# PyTorch's or CuPy's, or a cudaStream_t as a number.
def add(x: Any, y: Any, *, out: Any = None, threads: int = 0, stream: Any = None) -> Any: ...
def gelu(array: Any, form: Literal["erf", "tanh"] = "erf", *, out: Any = None, threads: int = 0, stream: Any = None) -> Any: ...
def histogram(array: Any, *, out: Any = None, threads: int = 0, stream: Any = None) -> Any: ...
def matmul(a: Any, b: Any, *, dtype: Any = None, out: Any = None, threads: int = 0, stream: Any = None) -> Any: ...
def reduce(array: Any, form: Literal["sum", "min", "max", "argmin", "argmax"] = "sum", *, out: Any = None, threads: int = 0, stream: Any = None) -> Any: ...
def reproducible_sum(array: Any, *, out: Any = None, threads: int = 0, stream: Any = None) -> Any: ...
def transpose(matrix: Any, *, out: Any = None, threads: int = 0, stream: Any = None) -> Any: ...

# Images: arrays of uint8 or float32, height × width or height × width × channels; sizes are (height, width); of `images` a list gives lists.
def gray(
    image: _Image, form: Literal["opencv", "weighted", "mean", "max"] = "opencv",
    order: Literal["rgb", "bgr"] = "rgb", *, out: Any = None, threads: int = 0, stream: Any = None,
) -> Any: ...
def blur(image: _Image, *, out: Any = None, threads: int = 0, stream: Any = None) -> Any: ...
def sobel(image: _Image, form: Literal["half_sum", "magnitude"] = "half_sum", *, out: Any = None, threads: int = 0, stream: Any = None) -> Any: ...
def sobel_derivative(image: _Image, axis: Literal["x", "y"] = "x", *, out: Any = None, threads: int = 0, stream: Any = None) -> Any: ...
def resize(
    images: Any, size: _Size, convention: Literal["opencv", "float", "legacy"] = "opencv", *, out: Any = None,
    threads: int = 0, stream: Any = None,
) -> Any: ...
def letterbox(
    images: Any, size: _Size, fit: Literal["centred", "top_left", "stretch"] = "centred",
    convention: Literal["opencv", "float", "legacy"] = "opencv", *, scale_up: bool = True, pad: _Numbers = 114,
    out: Any = None, to_source: Any = None, threads: int = 0, stream: Any = None,
) -> tuple[Any, Any]: ...
def warp(
    image: _Image, matrix: ArrayLike, size: _Size | None = None, convention: Literal["opencv", "float"] = "opencv", *,
    border: _Numbers = 0, out: Any = None, threads: int = 0, stream: Any = None,
) -> Any: ...
def tensor(
    images: Any, size: _Size, fit: Literal["centred", "top_left", "stretch"] = "centred",
    convention: Literal["opencv", "float", "legacy"] = "opencv", *, scale_up: bool = True, pad: _Numbers = 114,
    swap_red_blue: bool = False, scale: float = ..., mean: _Numbers = 0, std: _Numbers = 1, dtype: DTypeLike = ...,
    out: Any = None, to_source: Any = None, threads: int = 0, stream: Any = None,
) -> tuple[Any, Any]: ...

# Detections: float32 boxes and scores, int32 classes.
def decode(
    head: Any, form: Literal["v5", "v8"] = "v8", score_threshold: float = 0.0, *, out: Any = None, threads: int = 0, stream: Any = None,
) -> tuple[Any, Any, Any]: ...
def nms(
    boxes: Any, scores: Any, classes: Any = None, iou_threshold: float = 0.5, score_threshold: float = ..., *,
    form: Literal["xyxy", "xywh", "cxcywh"] = "xyxy", top: int = 0, capacity: int | None = None, to_source: Any = None, sizes: Any = None,
    out: Any = None, threads: int = 0, stream: Any = None,
) -> Any: ...

# Neighbour lists: arrays of NumPy's, or on a GPU of the library of the positions.
def neighbor_list(
    quantities: str, positions: Any, cell: Any = None, pbc: bool | Sequence[bool] | None = None, cutoff: ArrayLike | None = None, half: bool = False,
    dtype: DTypeLike | None = None, *, types: Any = None, nearest: int = 0, threads: int = 0, memory_limit: int = 0,
    capacity: int | None = None, out: Any = None, stream: Any = None,
) -> Any: ...

class SkinnedNeighbors:
    quantities: str
    builds: int
    def __init__(
        self, quantities: str, cutoff: float, skin: float, half: bool = False, dtype: DTypeLike | None = None, *, threads: int = 0, memory_limit: int = 0,
    ) -> None: ...
    def __call__(
        self, positions: Any, cell: Any = None, pbc: bool | Sequence[bool] | None = None, *, capacity: int | None = None, out: Any = None,
        stream: Any = None,
    ) -> Any: ...

def load_ipython_extension(shell: Any) -> None: ...
