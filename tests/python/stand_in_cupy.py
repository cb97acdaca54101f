"""What CuPy 14 shows of itself to the package, with a GPU that is the simt device. Its arrays keep the contract of its `__dlpack__` (read in
its source, cupy/_core/core.pyx of August 2026): which streams may wait for them, which versions and devices are given, when a copy is."""
import contextlib
import sys
import types

import numpy as np

from dlpack_capsule import capsule
from lanework import gpu
from stand_in_torch import on_gpu

LEGACY, PER_THREAD = 1, 2  # CUDA's default streams, as DLPack counts


class ndarray:
    """An array of CuPy's."""

    def __init__(self, array):
        self.array, self.dtype, self.shape, self.waited, self.given = array, array.dtype, array.shape, [], []

    def __dlpack_device__(self):
        return gpu.GPU_KINDS[0], 0

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("unsupported device requested.")
        if copy is True:
            raise BufferError("copy=True only supported for copy to CPU.")
        stream = LEGACY if stream is None else stream
        if type(stream) is not int or stream < -1 or stream == 0:  # of 0 CuPy warns that it violates the protocol
            raise ValueError(f"On CUDA, the valid stream for the DLPack protocol is -1, 1, 2, or any larger value, but {stream} was provided")
        self.waited.append(stream)
        made, kept = capsule(self.array, *self.__dlpack_device__(), versioned=max_version is not None and max_version[0] >= 1)
        self.given.append(kept)
        return made

    def transpose(self, axes):
        return ndarray(self.array.transpose(axes))


ndarray.__module__ = "cupy"


@contextlib.contextmanager
def cupy(current=0):
    """The module while a test lasts; `current` is the stream that is current in this thread."""
    module = types.ModuleType("cupy")
    module.entered = []
    entered = lambda what: contextlib.nullcontext(module.entered.append(what))
    module.ndarray, module.empty = ndarray, lambda shape, dtype: ndarray(on_gpu(np.empty(shape, dtype)))
    module.cuda = types.SimpleNamespace(
        get_current_stream=lambda: types.SimpleNamespace(ptr=current), Device=lambda index: entered(f"device {index}"),
        ExternalStream=lambda handle: entered(f"stream {handle}"))
    before = sys.modules.get("cupy")
    sys.modules["cupy"] = module
    try:
        yield module
    finally:
        if before is None:
            del sys.modules["cupy"]
        else:
            sys.modules["cupy"] = before
