"""Arrays in the processor's memory, viewed where they lie: NumPy's, PyTorch's and whatever else has DLPack, of any element type."""
import ctypes
import sys

import numpy as np

from . import gpu
from .arguments import described
from .gpu import BYTES, OTHER_NAMES, View

_HERE = -1  # the device of what lies in the processor's memory
_HOST_KINDS = (1, 3)  # kDLCPU and kDLCUDAHost of DLPack


def view(name, given):
    """A View of an array in the processor's memory; of lists and numbers that of a new one."""
    if isinstance(given, np.ndarray):
        return _of_numpy(name, given)
    torch = gpu.torch_of_tensors()
    if torch is not None and isinstance(given, torch.Tensor) and given.device.type == "cpu":
        return gpu.of_torch(name, given)
    if hasattr(given, "__dlpack__") and hasattr(given, "__dlpack_device__"):
        return _of_others(name, given)
    try:
        array = np.asarray(given)
    except (ValueError, TypeError, OverflowError):  # rows of several lengths
        array = np.asarray(None)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} is {described(given)}; an array of numbers is right")
    return _of_numpy(name, array)


def _of_numpy(name, array):
    dtype = OTHER_NAMES.get(array.dtype.name, array.dtype.name) if array.dtype.isnative else str(array.dtype)
    size = array.itemsize
    if dtype not in BYTES:  # nothing is computed of these, and no function asks how they lie
        return View(0, array.shape, (0,) * array.ndim, dtype, size, _HERE, array)
    if not array.flags.aligned or any(step % size for step in array.strides):
        raise ValueError(f"{name} is {described(array)} that does not begin at multiples of its elements' size; .copy() makes one that does")
    steps = tuple(step // size for step in array.strides)
    return View(array.ctypes.data, array.shape, steps, dtype, size, _HERE, array, array.flags.writeable)


def _of_others(name, given):
    kind = int(given.__dlpack_device__()[0])
    if kind not in _HOST_KINDS:
        raise TypeError(f"{name} lies in the memory of a device (DLPack's kind {kind}); arrays of the processor and of CUDA are right")
    found = gpu.of_dlpack(name, given)
    found.device = _HERE
    return found


def is_writable(given):
    """Whether an array may be written, as far as its library says it: of those that give a copy to NumPy, or no flag, too."""
    if isinstance(given, np.ndarray):
        return given.flags.writeable
    torch = gpu.torch_of_tensors()
    return (torch is not None and isinstance(given, torch.Tensor)) or gpu.of_dlpack("out", given).is_writable


def copied(given):
    """A View of the same elements side by side in new memory."""
    size = given.itemsize
    if 0 in given.shape:
        array = np.empty(given.shape, f"V{size}")
    else:
        before = sum((length - 1) * step for length, step in zip(given.shape, given.steps) if step < 0) * size
        behind = sum((length - 1) * step for length, step in zip(given.shape, given.steps) if step > 0) * size + size
        memory = (ctypes.c_char * (behind - before)).from_address(given.address + before)
        array = np.ndarray(given.shape, f"V{size}", memory, -before, [step * size for step in given.steps]).copy()
    steps = [step // size for step in array.strides]
    return View(array.ctypes.data, given.shape, steps, given.dtype, size, _HERE, given.owner, True, array)


def empty(owner, shape, dtype):
    """A new array; dtype is a name or a type of NumPy's. NumPy has no bfloat16: of it PyTorch's tensor for such tensors, ml_dtypes'
    array for arrays of that, and else the bits as uint16."""
    if dtype == "bfloat16":
        torch, ml_dtypes = gpu.torch_of_tensors(), sys.modules.get("ml_dtypes")
        if torch is not None and isinstance(owner, torch.Tensor):
            return torch.empty(tuple(shape), dtype=torch.bfloat16)
        of_others = not isinstance(owner, np.ndarray) or owner.dtype.kind == "V"
        dtype = ml_dtypes.bfloat16 if ml_dtypes is not None and of_others else "uint16"
    try:
        return np.empty(shape, dtype)
    except (ValueError, MemoryError):  # more bytes than 64 bits count, or than there are
        raise MemoryError(f"there is no memory for an array {tuple(shape)} of {np.dtype(dtype)}") from None
