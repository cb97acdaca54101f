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
    assert_type(lanework.batched_matmul(floats, floats), NDArray[np.float32])
    assert_type(lanework.batched_matmul(tensor, tensor, out=tensor), Tensor)
    assert_type(lanework.matmul(floats, floats), NDArray[np.float32])
    assert_type(lanework.matmul(floats.astype(np.int8), floats.astype(np.int8)), NDArray[np.int32])
    assert_type(lanework.matmul(raw, raw, dtype="float8_e4m3"), Any)
    assert_type(lanework.matmul(tensor, tensor, dtype=DType(), out=tensor), Tensor)
    assert_type(lanework.matmul(floats, floats, dtype=np.float32), Any)
    assert_type(lanework.matmul(floats, floats, alpha=2, bias=floats[0], activation="gelu_tanh"), NDArray[np.float32])
    assert_type(lanework.matmul(floats, floats, beta=0.5, out=floats), NDArray[np.float32])
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


def detections(
    boxes: NDArray[np.float32], some: np.ndarray[tuple[int, int], np.dtype[np.float32]], several: np.ndarray[tuple[int, int, int], np.dtype[np.float32]],
    classes: NDArray[np.int32], ways: NDArray[np.float64], tensor: Tensor,
) -> None:
    assert_type(lanework.decode(boxes, "v5", 0.3), tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int32]])
    assert_type(lanework.decode(tensor, out=(boxes, tensor, classes)), tuple[NDArray[np.float32], Tensor, NDArray[np.int32]])
    assert_type(lanework.decode(tensor, out=[tensor, tensor, tensor], stream=Stream()), tuple[Tensor, ...])
    assert_type(lanework.decode(tensor), tuple[Any, Any, Any])
    assert_type(lanework.nms(some, boxes, classes, 0.5), NDArray[np.int32])
    assert_type(lanework.nms(some, boxes, to_source=ways), tuple[NDArray[np.int32], NDArray[np.float32]])
    assert_type(lanework.nms(several, boxes, capacity=9), tuple[NDArray[np.int32], NDArray[np.int32]])
    assert_type(lanework.nms(several, boxes, sizes=[[4, 5]]), tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]])
    assert_type(boxes[lanework.nms(boxes, boxes, form="xywh")], NDArray[np.float32])
    assert_type(lanework.nms(tensor, tensor, classes=tensor, out=(tensor, classes)), tuple[Tensor, NDArray[np.int32]])
    assert_type(lanework.nms(tensor, tensor, out=(tensor, tensor, tensor), sizes=classes), tuple[Tensor, Tensor, Tensor])
    assert_type(lanework.nms(tensor, tensor, top=3), Any)
    indices, kept = lanework.nms(boxes, boxes, sizes=(4, 5))


def lists(positions: NDArray[np.float64], tensor: Tensor) -> None:
    assert_type(lanework.neighbor_list("i", positions, cutoff=1.5), NDArray[np.int32])
    assert_type(lanework.neighbor_list("ijS", positions, (4, 5, 6), True, 1.5), tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]])
    assert_type(lanework.neighbor_list("ij", positions, cutoff=1.5, capacity=9), tuple[NDArray[Any], ...])
    assert_type(lanework.neighbor_list("ij", tensor, tensor, True, 1.5, out=(tensor, tensor, tensor)), tuple[Tensor, ...])
    assert_type(lanework.neighbor_list("ij", tensor, cutoff=1.5), Any)
    near = lanework.SkinnedNeighbors("ij", 1.5, 0.3, room=90)
    assert_type(near(tensor, out=[tensor, tensor, tensor]), tuple[Tensor, ...])
    assert_type(near(positions), Any)
    assert_type(near.builds, int)


def refused(floats: NDArray[np.float32], tensor: Tensor) -> None:
    lanework.add(floats)  # wrong
    lanework.add(floats, floats, out=3)  # wrong
    lanework.add(floats, floats, threads="2")  # wrong
    lanework.add(floats, floats, stream="default")  # wrong
    lanework.add(floats, object())  # wrong
    lanework.gelu(floats, "sigmoid")  # wrong
    lanework.gelu(floats, out=None, stream=1.5)  # wrong
    lanework.batched_matmul(floats, floats, alpha=2)  # wrong
    lanework.matmul(floats, floats, dtype="float9")  # wrong
    lanework.matmul(floats, floats, dtype=7)  # wrong
    lanework.matmul(floats, floats, activation="relu")  # wrong
    lanework.reduce(floats, "mean")  # wrong
    lanework.reduce(floats, 3)  # wrong
    lanework.histogram(tensor, bins=3)  # wrong
    lanework.gray(tensor, order="rbg")  # wrong
    lanework.resize(tensor, (3, 4, 5))  # wrong
    lanework.resize(tensor, (3.5, 4))  # wrong
    lanework.blur(tensor, out="b.png")  # wrong
    lanework.letterbox(tensor, (3, 4), scale_up="no")  # wrong
    total: str = lanework.reduce(floats)  # wrong
    lanework.decode(floats, "v9")  # wrong
    lanework.decode(floats, out=(tensor, tensor))  # wrong
    lanework.decode(floats, 0.5)  # wrong
    lanework.nms(floats)  # wrong
    lanework.nms(floats, floats, form="yxyx")  # wrong
    lanework.nms(floats, floats, out=tensor)  # wrong
    lanework.nms(floats, floats, sizes=(3, 4), out=(tensor, tensor))  # wrong
    lanework.nms(floats, floats, capacity=1.5)  # wrong
    lanework.nms(tensor, tensor, stream="default")  # wrong
    lanework.neighbor_list(3, floats, cutoff=1.5)  # wrong
    lanework.neighbor_list("ij", floats, cutoff=1.5, pbc="xy")  # wrong
    lanework.neighbor_list("ij", floats, cutoff=1.5, out=3)  # wrong
    lanework.SkinnedNeighbors("ij", 1.5)  # wrong
    lanework.SkinnedNeighbors("ij", 1.5, 0.3, room=1.5)  # wrong
    lanework.SkinnedNeighbors("ij", 1.5, 0.3).builds = 3  # wrong
