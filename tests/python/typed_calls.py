"""Calls as a type checker sees them. A line that ends with `# wrong` is to be refused, every other one to be right; typed_test.py asks
mypy --strict. Nothing of this is run."""
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import lanework


class Tensor:
    """What PyTorch's tensors show of themselves."""

    def __dlpack__(self, *, stream: Any = None, max_version: tuple[int, int] | None = None) -> Any:
        return stream

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


class Stream:
    cuda_stream: int = 0


class DType:
    itemsize: int = 2


def right(floats: NDArray[np.float32], halves: NDArray[np.float16], raw: NDArray[np.uint8], whole: NDArray[np.int32], tensor: Tensor) -> None:
    assert_type(lanework.add(floats, floats), NDArray[np.float32])
    assert_type(lanework.add(tensor, tensor, out=tensor, stream=Stream()), Tensor)
    assert_type(lanework.add(floats, floats, out=tensor, threads=2), Tensor)
    assert_type(lanework.add([1.0, 2.0], [3.0, 4.0]), Any)
    assert_type(lanework.gelu(halves, "tanh"), NDArray[np.float16])
    assert_type(lanework.gelu(tensor), Any)
    assert_type(lanework.histogram(raw), NDArray[np.uint64])
    assert_type(lanework.matmul(floats, floats), NDArray[np.float32])
    assert_type(lanework.matmul(floats.astype(np.int8), floats.astype(np.int8)), NDArray[np.int32])
    assert_type(lanework.matmul(raw, raw, dtype="float8_e4m3"), Any)
    assert_type(lanework.matmul(tensor, tensor, dtype=DType(), out=tensor), Tensor)
    assert_type(lanework.matmul(floats, floats, dtype=np.float32), Any)
    assert_type(lanework.reduce(floats), np.float32)
    assert_type(lanework.reduce(whole, "max"), np.int32)
    assert_type(lanework.reduce(whole, "argmin"), np.int64)
    assert_type(lanework.reduce(tensor, "argmin", out=tensor, stream=7), Tensor)
    assert_type(lanework.reproducible_sum(floats.astype(np.float64)), np.float64)
    assert_type(lanework.transpose(whole), NDArray[np.int32])
    assert_type(lanework.blur(raw), NDArray[Any])
    assert_type(lanework.gray(tensor, order="bgr", out=tensor), Tensor)
    assert_type(lanework.resize(raw, (3, 4)), NDArray[Any])
    assert_type(lanework.resize([tensor, tensor], (3, 4)), Any)
    assert_type(lanework.resize([tensor], (3, 4), out=[tensor]), list[Tensor])
    assert_type(lanework.letterbox(raw, (3, 4), pad=(1, 2, 3))[0], NDArray[Any])
    assert_type(lanework.tensor(raw, (3, 4), out=tensor)[0], Tensor)


def refused(floats: NDArray[np.float32], tensor: Tensor) -> None:
    lanework.add(floats)  # wrong
    lanework.add(floats, floats, out=3)  # wrong
    lanework.add(floats, floats, threads="2")  # wrong
    lanework.add(floats, floats, stream="default")  # wrong
    lanework.add(floats, object())  # wrong
    lanework.gelu(floats, "sigmoid")  # wrong
    lanework.gelu(floats, out=None, stream=1.5)  # wrong
    lanework.matmul(floats, floats, dtype="float9")  # wrong
    lanework.matmul(floats, floats, dtype=7)  # wrong
    lanework.reduce(floats, "mean")  # wrong
    lanework.reduce(floats, 3)  # wrong
    lanework.histogram(tensor, bins=3)  # wrong
    lanework.gray(tensor, order="rbg")  # wrong
    lanework.resize(tensor, (3, 4, 5))  # wrong
    lanework.resize(tensor, (3.5, 4))  # wrong
    lanework.blur(tensor, out="b.png")  # wrong
    lanework.letterbox(tensor, (3, 4), scale_up="no")  # wrong
    total: str = lanework.reduce(floats)  # wrong
