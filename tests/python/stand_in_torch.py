"""What PyTorch shows of itself to the package, with a GPU that is the simt device: its memory is the host's. The library must be
liblanework_c_simt.so, loaded before the interpreter starts."""
import contextlib
import ctypes
import sys
import types

import numpy as np

from dlpack_capsule import capsule
from lanework import gpu

MOST = 1 << 28  # bytes of a new tensor
KIND = gpu.GPU_KINDS[0]

for name, arguments in (("memory", [ctypes.c_size_t]), ("stream", []), ("begin_capture", [ctypes.c_void_p]), ("end_capture", [ctypes.c_void_p])):
    function = getattr(gpu.library, f"lanework_test_{name}")
    function.argtypes, function.restype = arguments, ctypes.c_void_p
gpu.library.lanework_test_replay.argtypes, gpu.library.lanework_test_replay.restype = [ctypes.c_void_p] * 2, ctypes.c_int


def on_gpu(array):
    """A copy in memory that the GPU knows, with all that lies between its elements."""
    whole = array if array.base is None or not isinstance(array.base, np.ndarray) else array.base
    memory = (ctypes.c_char * max(whole.nbytes, 1)).from_address(gpu.library.lanework_test_memory(max(whole.nbytes, 1)))
    copy = np.frombuffer(memory, np.uint8)[:whole.nbytes]
    copy[...] = np.frombuffer(whole.tobytes("A"), np.uint8)
    return np.ndarray(array.shape, array.dtype, copy, array.ctypes.data - whole.ctypes.data, array.strides)


class OnGpu:
    """NumPy's array behind DLPack, as one of a GPU's memory."""

    def __init__(self, array, device=0, frozen=False, versions=True):
        self.array, self.device, self.frozen, self.versions, self.streams, self.given = array, device, frozen, versions, [], []

    def __dlpack_device__(self):
        return KIND, self.device

    def __dlpack__(self, *, stream=None, **options):
        if options and not self.versions:
            raise TypeError("max_version is not known")
        self.streams.append(stream)
        made, kept = capsule(self.array, KIND, self.device, versioned=bool(options), read_only=self.frozen)
        self.given.append(kept)
        return made


class Graph:
    """What is called while it lasts, on its stream, happens when it is replayed."""

    def __init__(self):
        self.stream = gpu.library.lanework_test_stream()

    def __enter__(self):
        gpu.library.lanework_test_begin_capture(self.stream)
        return self

    def __exit__(self, *_):
        self.graph = gpu.library.lanework_test_end_capture(self.stream)

    def replay(self):
        assert self.graph and gpu.library.lanework_test_replay(self.graph, self.stream) == 0, "the capture was lost, or its replay"


class Tensor:
    """What PyTorch's tensors show of themselves, with a GPU's memory on the host."""

    is_cuda = True

    def __init__(self, array, requires_grad=False, negated=False, index=0):
        self.array, self.requires_grad, self.negated, self.index = array, requires_grad, negated, index
        self.shape, self.dtype, self.device = array.shape, array.dtype.name, f"cuda:{index}"

    def stride(self):
        return tuple(step // self.array.itemsize for step in self.array.strides)

    def data_ptr(self):
        return self.array.ctypes.data

    def get_device(self):
        return self.index

    def is_neg(self):
        return self.negated

    def __dlpack__(self, **options):
        raise AssertionError("a tensor is asked for what it is, which takes less time")

    def permute(self, axes):
        return Tensor(self.array.transpose(axes))

    def __len__(self):
        return len(self.array)

    def __iter__(self):
        return map(Tensor, self.array)

    def __getitem__(self, index):
        return Tensor(self.array[index])

    def item(self):
        return self.array.item()

    def __int__(self):
        return int(self.array)


def new_tensor(shape, dtype):
    if np.prod([float(length) for length in shape]) * np.dtype(dtype).itemsize > MOST:
        raise MemoryError("this GPU is a small one")
    return Tensor(on_gpu(np.empty(shape, dtype)))


def new_strided(shape, steps, dtype):
    if 0 in shape:
        return new_tensor(shape, dtype)
    memory = new_tensor((1 + sum((length - 1) * step for length, step in zip(shape, steps)),), dtype).array
    return Tensor(np.ndarray(shape, dtype, memory, strides=[step * memory.itemsize for step in steps]))


@contextlib.contextmanager
def torch():
    """The module while a test lasts, with the streams that were asked for."""
    module = types.ModuleType("torch")
    module.Tensor, module.asked, module.entered = Tensor, [], []
    for name in gpu.BYTES:
        setattr(module, name, name)
    module._C = types.SimpleNamespace(_cuda_getCurrentRawStream=lambda device: module.asked.append(device) or 0)
    module.empty = lambda shape, dtype, device: new_tensor(shape, dtype)
    module.empty_strided = lambda shape, steps, dtype, device: new_strided(shape, steps, dtype)
    module.cuda = types.SimpleNamespace(
        ExternalStream=lambda handle, device: handle, stream=lambda handle: contextlib.nullcontext(module.entered.append(handle)))
    before = sys.modules.get("torch")
    sys.modules["torch"] = module
    gpu._torch_names.clear()
    try:
        yield module
    finally:
        gpu._torch_names.clear()
        if before is None:
            del sys.modules["torch"]
        else:
            sys.modules["torch"] = before
