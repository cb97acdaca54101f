"""Types of the package's functions; what they do is in their help."""
from typing import Any, Literal, Protocol, Sequence, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

__version__: str

# Arrays are NumPy's, lists, or whatever else has __dlpack__, on the processor or on a GPU; `out` comes back as it was given. What is made of
# NumPy's arrays is NumPy's. What is made of others is Any: an array of their library on a GPU, NumPy's on the processor.
class _HasDLPack(Protocol):
    def __dlpack__(self, *, stream: Any = ...) -> Any: ...
    def __dlpack_device__(self) -> tuple[Any, Any]: ...

# A stream is one of PyTorch's, CuPy's or cuda.core's, or a cudaStream_t as a number.
class _StreamOfTorch(Protocol):
    @property
    def cuda_stream(self) -> int: ...

class _StreamOfCupy(Protocol):
    @property
    def ptr(self) -> int: ...

class _StreamOfOthers(Protocol):
    def __cuda_stream__(self) -> tuple[int, int]: ...

# A type of NumPy's, PyTorch's or ml_dtypes'.
class _ElementType(Protocol):
    @property
    def itemsize(self) -> int: ...

_Stream = int | _StreamOfTorch | _StreamOfCupy | _StreamOfOthers | None
_Out = TypeVar("_Out", bound=_HasDLPack)
_Counted = TypeVar("_Counted", np.float32, np.float64, np.int32)
_Moved = TypeVar("_Moved", bound=np.integer[Any] | np.floating[Any])
_Real = TypeVar("_Real", np.float32, np.float16)
_Added = TypeVar("_Added", np.float32, np.float64, np.int32, np.float16)
_Multiplied = TypeVar("_Multiplied", np.float32, np.float16, np.int32)
_Halved = TypeVar("_Halved", np.float32, np.float16)
_Outs = TypeVar("_Outs", bound=_HasDLPack | Sequence[_HasDLPack])
_Given = _HasDLPack | ArrayLike
_MatmulType = (
    Literal["float32", "float16", "bfloat16", "int32", "int8", "float8_e4m3", "float8_e4m3fn", "tfloat32"] | type[np.generic] | _ElementType | None
)
_Activation = Literal["gelu", "gelu_tanh"] | None
_Array = NDArray[Any]
_Size = tuple[int, int]
_Numbers = float | Sequence[float]

@overload
def add(x: _Given, y: _Given, *, out: _Out, threads: int = 0, stream: _Stream = None) -> _Out: ...
@overload
def add(x: NDArray[_Added], y: NDArray[_Added], *, out: None = None, threads: int = 0, stream: _Stream = None) -> NDArray[_Added]: ...
@overload
def add(x: _Given, y: _Given, *, out: None = None, threads: int = 0, stream: _Stream = None) -> Any: ...
@overload
def gelu(array: _Given, form: Literal["erf", "tanh"] = "erf", *, out: _Out, threads: int = 0, stream: _Stream = None) -> _Out: ...
@overload
def gelu(array: NDArray[_Real], form: Literal["erf", "tanh"] = "erf", *, out: None = None, threads: int = 0, stream: _Stream = None) -> NDArray[_Real]: ...
@overload
def gelu(array: _Given, form: Literal["erf", "tanh"] = "erf", *, out: None = None, threads: int = 0, stream: _Stream = None) -> Any: ...
@overload
def histogram(array: _Given, *, out: _Out, threads: int = 0, stream: _Stream = None) -> _Out: ...
@overload
def histogram(array: NDArray[np.uint8], *, out: None = None, threads: int = 0, stream: _Stream = None) -> NDArray[np.uint64]: ...
@overload
def histogram(array: _Given, *, out: None = None, threads: int = 0, stream: _Stream = None) -> Any: ...
@overload
def batched_matmul(a: _Given, b: _Given, *, dtype: _MatmulType = None, out: _Out, threads: int = 0, stream: _Stream = None) -> _Out: ...
@overload
def batched_matmul(
    a: NDArray[_Halved], b: NDArray[_Halved], *, dtype: None = None, out: None = None, threads: int = 0, stream: _Stream = None
) -> NDArray[_Halved]: ...
@overload
def batched_matmul(a: _Given, b: _Given, *, dtype: _MatmulType = None, out: None = None, threads: int = 0, stream: _Stream = None) -> Any: ...
@overload
def matmul(
    a: _Given, b: _Given, *, alpha: float = 1, beta: float = 0, bias: _Given | None = None, activation: _Activation = None,
    dtype: _MatmulType = None, out: _Out, threads: int = 0, stream: _Stream = None
) -> _Out: ...
@overload
def matmul(
    a: NDArray[_Multiplied], b: NDArray[_Multiplied], *, alpha: float = 1, beta: float = 0, bias: _Given | None = None, activation: _Activation = None,
    dtype: None = None, out: None = None, threads: int = 0, stream: _Stream = None
) -> NDArray[_Multiplied]: ...
@overload
def matmul(
    a: NDArray[np.int8], b: NDArray[np.int8], *, alpha: float = 1, beta: float = 0, bias: _Given | None = None, activation: _Activation = None,
    dtype: _MatmulType = None, out: None = None, threads: int = 0, stream: _Stream = None
) -> NDArray[np.int32]: ...
@overload
def matmul(
    a: _Given, b: _Given, *, alpha: float = 1, beta: float = 0, bias: _Given | None = None, activation: _Activation = None,
    dtype: _MatmulType = None, out: None = None, threads: int = 0, stream: _Stream = None
) -> Any: ...
@overload
def reduce(array: _Given, form: Literal["sum", "min", "max", "argmin", "argmax"] = "sum", *, out: _Out, threads: int = 0, stream: _Stream = None) -> _Out: ...
@overload
def reduce(array: NDArray[_Counted], form: Literal["sum", "min", "max"] = "sum", *, out: None = None, threads: int = 0, stream: _Stream = None) -> _Counted: ...
@overload
def reduce(array: NDArray[_Counted], form: Literal["argmin", "argmax"], *, out: None = None, threads: int = 0, stream: _Stream = None) -> np.int64: ...
@overload
def reduce(
    array: _Given, form: Literal["sum", "min", "max", "argmin", "argmax"] = "sum", *, out: None = None, threads: int = 0, stream: _Stream = None
) -> Any: ...
@overload
def reproducible_sum(array: _Given, *, out: _Out, threads: int = 0, stream: _Stream = None) -> _Out: ...
@overload
def reproducible_sum(array: NDArray[_Counted], *, out: None = None, threads: int = 0, stream: _Stream = None) -> _Counted: ...
@overload
def reproducible_sum(array: _Given, *, out: None = None, threads: int = 0, stream: _Stream = None) -> Any: ...
@overload
def transpose(matrix: _Given, *, out: _Out, threads: int = 0, stream: _Stream = None) -> _Out: ...
@overload
def transpose(matrix: NDArray[_Moved], *, out: None = None, threads: int = 0, stream: _Stream = None) -> NDArray[_Moved]: ...
@overload
def transpose(matrix: _Given, *, out: None = None, threads: int = 0, stream: _Stream = None) -> Any: ...

# Images: arrays of uint8 or float32, height × width or height × width × channels; sizes are (height, width); of `images` a list gives lists.
@overload
def gray(
    image: _Given, form: Literal["opencv", "weighted", "mean", "max"] = "opencv",
    order: Literal["rgb", "bgr"] = "rgb", *, out: _Out, threads: int = 0, stream: _Stream = None,
) -> _Out: ...
@overload
def gray(
    image: _Array, form: Literal["opencv", "weighted", "mean", "max"] = "opencv",
    order: Literal["rgb", "bgr"] = "rgb", *, out: None = None, threads: int = 0, stream: _Stream = None,
) -> _Array: ...
@overload
def gray(
    image: _Given, form: Literal["opencv", "weighted", "mean", "max"] = "opencv",
    order: Literal["rgb", "bgr"] = "rgb", *, out: None = None, threads: int = 0, stream: _Stream = None,
) -> Any: ...
@overload
def blur(image: _Given, *, out: _Out, threads: int = 0, stream: _Stream = None) -> _Out: ...
@overload
def blur(image: _Array, *, out: None = None, threads: int = 0, stream: _Stream = None) -> _Array: ...
@overload
def blur(image: _Given, *, out: None = None, threads: int = 0, stream: _Stream = None) -> Any: ...
@overload
def sobel(image: _Given, form: Literal["half_sum", "magnitude"] = "half_sum", *, out: _Out, threads: int = 0, stream: _Stream = None) -> _Out: ...
@overload
def sobel(image: _Array, form: Literal["half_sum", "magnitude"] = "half_sum", *, out: None = None, threads: int = 0, stream: _Stream = None) -> _Array: ...
@overload
def sobel(image: _Given, form: Literal["half_sum", "magnitude"] = "half_sum", *, out: None = None, threads: int = 0, stream: _Stream = None) -> Any: ...
@overload
def sobel_derivative(image: _Given, axis: Literal["x", "y"] = "x", *, out: _Out, threads: int = 0, stream: _Stream = None) -> _Out: ...
@overload
def sobel_derivative(image: _Array, axis: Literal["x", "y"] = "x", *, out: None = None, threads: int = 0, stream: _Stream = None) -> _Array: ...
@overload
def sobel_derivative(image: _Given, axis: Literal["x", "y"] = "x", *, out: None = None, threads: int = 0, stream: _Stream = None) -> Any: ...
@overload
def resize(
    images: _Given | Sequence[_Given], size: _Size, convention: Literal["opencv", "float", "legacy"] = "opencv", *,
    out: _Outs, threads: int = 0, stream: _Stream = None,
) -> _Outs: ...
@overload
def resize(
    images: _Array, size: _Size, convention: Literal["opencv", "float", "legacy"] = "opencv", *, out: None = None,
    threads: int = 0, stream: _Stream = None,
) -> _Array: ...
@overload
def resize(
    images: _Given | Sequence[_Given], size: _Size, convention: Literal["opencv", "float", "legacy"] = "opencv", *,
    out: None = None, threads: int = 0, stream: _Stream = None,
) -> Any: ...
@overload
def letterbox(
    images: _Given | Sequence[_Given], size: _Size, fit: Literal["centred", "top_left", "stretch"] = "centred",
    convention: Literal["opencv", "float", "legacy"] = "opencv", *, scale_up: bool = True, pad: _Numbers = 114,
    out: _Outs, to_source: _Given | None = None, threads: int = 0, stream: _Stream = None,
) -> tuple[_Outs, _Array]: ...
@overload
def letterbox(
    images: _Array, size: _Size, fit: Literal["centred", "top_left", "stretch"] = "centred",
    convention: Literal["opencv", "float", "legacy"] = "opencv", *, scale_up: bool = True, pad: _Numbers = 114,
    out: None = None, to_source: _Given | None = None, threads: int = 0, stream: _Stream = None,
) -> tuple[_Array, _Array]: ...
@overload
def letterbox(
    images: _Given | Sequence[_Given], size: _Size, fit: Literal["centred", "top_left", "stretch"] = "centred",
    convention: Literal["opencv", "float", "legacy"] = "opencv", *, scale_up: bool = True, pad: _Numbers = 114,
    out: None = None, to_source: _Given | None = None, threads: int = 0, stream: _Stream = None,
) -> tuple[Any, _Array]: ...
@overload
def warp(
    image: _Given, matrix: ArrayLike, size: _Size | None = None, convention: Literal["opencv", "float"] = "opencv", *,
    border: _Numbers = 0, out: _Out, threads: int = 0, stream: _Stream = None,
) -> _Out: ...
@overload
def warp(
    image: _Array, matrix: ArrayLike, size: _Size | None = None, convention: Literal["opencv", "float"] = "opencv", *,
    border: _Numbers = 0, out: None = None, threads: int = 0, stream: _Stream = None,
) -> _Array: ...
@overload
def warp(
    image: _Given, matrix: ArrayLike, size: _Size | None = None, convention: Literal["opencv", "float"] = "opencv", *,
    border: _Numbers = 0, out: None = None, threads: int = 0, stream: _Stream = None,
) -> Any: ...
@overload
def tensor(
    images: _Given | Sequence[_Given], size: _Size, fit: Literal["centred", "top_left", "stretch"] = "centred",
    convention: Literal["opencv", "float", "legacy"] = "opencv", *, scale_up: bool = True, pad: _Numbers = 114,
    swap_red_blue: bool = False, scale: float = ..., mean: _Numbers = 0, std: _Numbers = 1, dtype: DTypeLike = ...,
    out: _Outs, to_source: _Given | None = None, threads: int = 0, stream: _Stream = None,
) -> tuple[_Outs, _Array]: ...
@overload
def tensor(
    images: _Array, size: _Size, fit: Literal["centred", "top_left", "stretch"] = "centred",
    convention: Literal["opencv", "float", "legacy"] = "opencv", *, scale_up: bool = True, pad: _Numbers = 114,
    swap_red_blue: bool = False, scale: float = ..., mean: _Numbers = 0, std: _Numbers = 1, dtype: DTypeLike = ...,
    out: None = None, to_source: _Given | None = None, threads: int = 0, stream: _Stream = None,
) -> tuple[_Array, _Array]: ...
@overload
def tensor(
    images: _Given | Sequence[_Given], size: _Size, fit: Literal["centred", "top_left", "stretch"] = "centred",
    convention: Literal["opencv", "float", "legacy"] = "opencv", *, scale_up: bool = True, pad: _Numbers = 114,
    swap_red_blue: bool = False, scale: float = ..., mean: _Numbers = 0, std: _Numbers = 1, dtype: DTypeLike = ...,
    out: None = None, to_source: _Given | None = None, threads: int = 0, stream: _Stream = None,
) -> tuple[Any, _Array]: ...

# Detections: float32 boxes and scores, int32 classes. How many axes NumPy's boxes have says whether there are several images; where a
# checker does not know, it is told what comes back of a single one.
_BoxForm = Literal["xyxy", "xywh", "cxcywh"]
_Boxes = np.ndarray[tuple[int, int], np.dtype[np.float32]]
_BoxesOfImages = np.ndarray[tuple[int, int, int], np.dtype[np.float32]]
_First = TypeVar("_First", bound=_HasDLPack)
_Second = TypeVar("_Second", bound=_HasDLPack)
_Third = TypeVar("_Third", bound=_HasDLPack)

@overload
def decode(
    head: _Given, form: Literal["v5", "v8"] = "v8", score_threshold: float = 0.0, *, out: tuple[_First, _Second, _Third], threads: int = 0,
    stream: _Stream = None,
) -> tuple[_First, _Second, _Third]: ...
@overload
def decode(
    head: _Given, form: Literal["v5", "v8"] = "v8", score_threshold: float = 0.0, *, out: list[_Out], threads: int = 0,
    stream: _Stream = None,
) -> tuple[_Out, ...]: ...
@overload
def decode(
    head: NDArray[np.float32], form: Literal["v5", "v8"] = "v8", score_threshold: float = 0.0, *, out: None = None, threads: int = 0,
    stream: _Stream = None,
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int32]]: ...
@overload
def decode(
    head: _Given, form: Literal["v5", "v8"] = "v8", score_threshold: float = 0.0, *, out: None = None, threads: int = 0,
    stream: _Stream = None,
) -> tuple[Any, Any, Any]: ...
@overload
def nms(
    boxes: _Given, scores: _Given, classes: _Given | None = None, iou_threshold: float = 0.5, score_threshold: float = ..., *,
    form: _BoxForm = "xyxy", top: int = 0, capacity: int | None = None, to_source: _Given | None = None,
    sizes: _Given | None = None, out: tuple[_First, _Second, _Third], threads: int = 0, stream: _Stream = None,
) -> tuple[_First, _Second, _Third]: ...
@overload
def nms(
    boxes: _Given, scores: _Given, classes: _Given | None = None, iou_threshold: float = 0.5, score_threshold: float = ..., *,
    form: _BoxForm = "xyxy", top: int = 0, capacity: int | None = None, to_source: None = None,
    sizes: None = None, out: tuple[_First, _Second], threads: int = 0, stream: _Stream = None,
) -> tuple[_First, _Second]: ...
@overload
def nms(
    boxes: _Given, scores: _Given, classes: _Given | None = None, iou_threshold: float = 0.5, score_threshold: float = ..., *,
    form: _BoxForm = "xyxy", top: int = 0, capacity: int | None = None, to_source: _Given | None = None,
    sizes: _Given | None = None, out: list[_Out], threads: int = 0, stream: _Stream = None,
) -> tuple[_Out, ...]: ...
@overload
def nms(
    boxes: _Boxes, scores: NDArray[np.float32], classes: NDArray[np.int32] | None = None, iou_threshold: float = 0.5, score_threshold: float = ..., *,
    form: _BoxForm = "xyxy", top: int = 0, capacity: int | None = None, to_source: None = None,
    sizes: None = None, out: None = None, threads: int = 0, stream: _Stream = None,
) -> NDArray[np.int32]: ...
@overload
def nms(
    boxes: _Boxes, scores: NDArray[np.float32], classes: NDArray[np.int32] | None = None, iou_threshold: float = 0.5, score_threshold: float = ..., *,
    form: _BoxForm = "xyxy", top: int = 0, capacity: int | None = None, to_source: _Given,
    sizes: _Given | None = None, out: None = None, threads: int = 0, stream: _Stream = None,
) -> tuple[NDArray[np.int32], NDArray[np.float32]]: ...
@overload
def nms(
    boxes: _Boxes, scores: NDArray[np.float32], classes: NDArray[np.int32] | None = None, iou_threshold: float = 0.5, score_threshold: float = ..., *,
    form: _BoxForm = "xyxy", top: int = 0, capacity: int | None = None, to_source: None = None,
    sizes: _Given, out: None = None, threads: int = 0, stream: _Stream = None,
) -> tuple[NDArray[np.int32], NDArray[np.float32]]: ...
@overload
def nms(
    boxes: _BoxesOfImages, scores: NDArray[np.float32], classes: NDArray[np.int32] | None = None, iou_threshold: float = 0.5, score_threshold: float = ..., *,
    form: _BoxForm = "xyxy", top: int = 0, capacity: int | None = None, to_source: None = None,
    sizes: None = None, out: None = None, threads: int = 0, stream: _Stream = None,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]: ...
@overload
def nms(
    boxes: _BoxesOfImages, scores: NDArray[np.float32], classes: NDArray[np.int32] | None = None, iou_threshold: float = 0.5, score_threshold: float = ..., *,
    form: _BoxForm = "xyxy", top: int = 0, capacity: int | None = None, to_source: _Given,
    sizes: _Given | None = None, out: None = None, threads: int = 0, stream: _Stream = None,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]: ...
@overload
def nms(
    boxes: _BoxesOfImages, scores: NDArray[np.float32], classes: NDArray[np.int32] | None = None, iou_threshold: float = 0.5, score_threshold: float = ..., *,
    form: _BoxForm = "xyxy", top: int = 0, capacity: int | None = None, to_source: None = None,
    sizes: _Given, out: None = None, threads: int = 0, stream: _Stream = None,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]: ...
@overload
def nms(
    boxes: NDArray[np.float32], scores: NDArray[np.float32], classes: NDArray[np.int32] | None = None, iou_threshold: float = 0.5, score_threshold: float = ..., *,
    form: _BoxForm = "xyxy", top: int = 0, capacity: int | None = None, to_source: None = None,
    sizes: None = None, out: None = None, threads: int = 0, stream: _Stream = None,
) -> NDArray[np.int32] | Any: ...
@overload
def nms(
    boxes: NDArray[np.float32], scores: NDArray[np.float32], classes: NDArray[np.int32] | None = None, iou_threshold: float = 0.5, score_threshold: float = ..., *,
    form: _BoxForm = "xyxy", top: int = 0, capacity: int | None = None, to_source: _Given,
    sizes: _Given | None = None, out: None = None, threads: int = 0, stream: _Stream = None,
) -> tuple[NDArray[np.int32], NDArray[np.float32]] | Any: ...
@overload
def nms(
    boxes: NDArray[np.float32], scores: NDArray[np.float32], classes: NDArray[np.int32] | None = None, iou_threshold: float = 0.5, score_threshold: float = ..., *,
    form: _BoxForm = "xyxy", top: int = 0, capacity: int | None = None, to_source: None = None,
    sizes: _Given, out: None = None, threads: int = 0, stream: _Stream = None,
) -> tuple[NDArray[np.int32], NDArray[np.float32]] | Any: ...
@overload
def nms(
    boxes: _Given, scores: _Given, classes: _Given | None = None, iou_threshold: float = 0.5, score_threshold: float = ..., *,
    form: _BoxForm = "xyxy", top: int = 0, capacity: int | None = None, to_source: _Given | None = None,
    sizes: _Given | None = None, out: None = None, threads: int = 0, stream: _Stream = None,
) -> Any: ...

# Neighbour lists: arrays of NumPy's, or on a GPU of the library of the positions.
_Periodic = bool | Sequence[bool] | NDArray[np.bool_] | None

@overload
def neighbor_list(
    quantities: str, positions: Any, cell: _Given | None = None, pbc: _Periodic = None, cutoff: ArrayLike | None = None,
    half: bool = False, dtype: DTypeLike | None = None, *, types: _Given | None = None, nearest: int = 0, threads: int = 0,
    memory_limit: int = 0, capacity: int | None = None, out: Sequence[_Out], stream: _Stream = None,
) -> tuple[_Out, ...]: ...
@overload
def neighbor_list(
    quantities: Literal["i", "j", "S"], positions: NDArray[Any], cell: _Given | None = None, pbc: _Periodic = None, cutoff: ArrayLike | None = None,
    half: bool = False, dtype: DTypeLike | None = None, *, types: _Given | None = None, nearest: int = 0, threads: int = 0,
    memory_limit: int = 0, capacity: None = None, out: None = None, stream: _Stream = None,
) -> NDArray[np.int32]: ...
@overload
def neighbor_list(
    quantities: Literal["D", "d"], positions: NDArray[Any], cell: _Given | None = None, pbc: _Periodic = None, cutoff: ArrayLike | None = None,
    half: bool = False, dtype: DTypeLike | None = None, *, types: _Given | None = None, nearest: int = 0, threads: int = 0,
    memory_limit: int = 0, capacity: None = None, out: None = None, stream: _Stream = None,
) -> NDArray[Any]: ...
@overload
def neighbor_list(
    quantities: Literal["ij"], positions: NDArray[Any], cell: _Given | None = None, pbc: _Periodic = None, cutoff: ArrayLike | None = None,
    half: bool = False, dtype: DTypeLike | None = None, *, types: _Given | None = None, nearest: int = 0, threads: int = 0,
    memory_limit: int = 0, capacity: None = None, out: None = None, stream: _Stream = None,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]: ...
@overload
def neighbor_list(
    quantities: Literal["ijS"], positions: NDArray[Any], cell: _Given | None = None, pbc: _Periodic = None, cutoff: ArrayLike | None = None,
    half: bool = False, dtype: DTypeLike | None = None, *, types: _Given | None = None, nearest: int = 0, threads: int = 0,
    memory_limit: int = 0, capacity: None = None, out: None = None, stream: _Stream = None,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]: ...
@overload
def neighbor_list(
    quantities: Literal["ijd", "ijD"], positions: NDArray[Any], cell: _Given | None = None, pbc: _Periodic = None, cutoff: ArrayLike | None = None,
    half: bool = False, dtype: DTypeLike | None = None, *, types: _Given | None = None, nearest: int = 0, threads: int = 0,
    memory_limit: int = 0, capacity: None = None, out: None = None, stream: _Stream = None,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[Any]]: ...
@overload
def neighbor_list(
    quantities: Literal["ijSd", "ijSD"], positions: NDArray[Any], cell: _Given | None = None, pbc: _Periodic = None, cutoff: ArrayLike | None = None,
    half: bool = False, dtype: DTypeLike | None = None, *, types: _Given | None = None, nearest: int = 0, threads: int = 0,
    memory_limit: int = 0, capacity: None = None, out: None = None, stream: _Stream = None,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[Any]]: ...
@overload
def neighbor_list(
    quantities: Literal["ijSDd"], positions: NDArray[Any], cell: _Given | None = None, pbc: _Periodic = None, cutoff: ArrayLike | None = None,
    half: bool = False, dtype: DTypeLike | None = None, *, types: _Given | None = None, nearest: int = 0, threads: int = 0,
    memory_limit: int = 0, capacity: None = None, out: None = None, stream: _Stream = None,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[Any], NDArray[Any]]: ...
@overload
def neighbor_list(
    quantities: str, positions: NDArray[Any], cell: _Given | None = None, pbc: _Periodic = None, cutoff: ArrayLike | None = None,
    half: bool = False, dtype: DTypeLike | None = None, *, types: _Given | None = None, nearest: int = 0, threads: int = 0,
    memory_limit: int = 0, capacity: int, out: None = None, stream: _Stream = None,
) -> tuple[NDArray[Any], ...]: ...
@overload
def neighbor_list(
    quantities: str, positions: Any, cell: _Given | None = None, pbc: _Periodic = None, cutoff: ArrayLike | None = None,
    half: bool = False, dtype: DTypeLike | None = None, *, types: _Given | None = None, nearest: int = 0, threads: int = 0,
    memory_limit: int = 0, capacity: int | None = None, out: None = None, stream: _Stream = None,
) -> Any: ...

class SkinnedNeighbors:
    quantities: str
    @property
    def builds(self) -> int: ...
    def __init__(
        self, quantities: str, cutoff: float, skin: float, half: bool = False, dtype: DTypeLike | None = None, *, threads: int = 0, memory_limit: int = 0,
        room: int | None = None,
    ) -> None: ...
    @overload
    def __call__(
        self, positions: Any, cell: _Given | None = None, pbc: _Periodic = None, *, capacity: int | None = None, out: Sequence[_Out], stream: _Stream = None,
    ) -> tuple[_Out, ...]: ...
    @overload
    def __call__(
        self, positions: Any, cell: _Given | None = None, pbc: _Periodic = None, *, capacity: int | None = None, out: None = None, stream: _Stream = None,
    ) -> Any: ...

def load_ipython_extension(shell: Any) -> None: ...
