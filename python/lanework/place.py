"""Where a call computes: where its arrays lie, all of them in one memory."""
import struct

import numpy as np

from . import gpu, host
from .arguments import described, threads as checked_threads

PLACE = struct.Struct("@Pii")  # lanework_place of python/native/place.hpp
_ON_PROCESSOR = -1


class Place:
    """Of one call. `device` is the GPU's number, −1 for the processor, None before the first array is viewed. views: of a GPU's arrays."""

    __slots__ = ("threads", "stream", "device", "handle", "first", "views")

    def __init__(self, threads, stream):
        self.threads, self.stream, self.device, self.views = checked_threads(threads), stream, None, []

    @property
    def on_gpu(self):
        return self.device is not None and self.device >= 0

    def view(self, name, given, on_host):
        """The array where it lies: a gpu.View, or what on_host(name, given) makes of one in the processor's memory."""
        if isinstance(given, np.ndarray):
            self._set(name, _ON_PROCESSOR, given)
            return on_host(name, given)
        view = gpu.tensor(name, given)
        if view is None and gpu.kind_of(given) not in gpu.GPU_KINDS:
            array = on_host(name, given)
            self._set(name, _ON_PROCESSOR, given)
            return array
        if self.device is None or self.device < 0:  # the first, or one that lies elsewhere
            device = int(given.__dlpack_device__()[1]) if view is None else view.device
            self.handle = gpu.current_stream(given, device) if self.stream is None else gpu.stream_handle(self.stream)
        if view is None:  # on that stream it is to be ready
            view = gpu.view(name, given, self.handle)
        if view.device != self.device:
            self._set(name, view.device, given)
        self.views.append(view)
        return view

    def _set(self, name, device, given):
        if device == self.device:
            return
        if self.device is not None:
            raise ValueError(f"{name} lies {_memory(device)} and {self.first[0]} {_memory(self.device)}; all of a call lie in one memory")
        if device < 0 and self.stream is not None:
            raise ValueError(f"stream is given, and {name} lies in the processor's memory; a stream is a GPU's")
        self.device, self.first = device, (name, given)

    def new(self, shape, dtype, order=None):
        """A new array, of the library of the call's first array; dtype is a name on a GPU. order: its axes, those with the longest
        steps first, if not as they are."""
        if order is not None and list(order) != sorted(order):
            new = self.new([shape[axis] for axis in order], dtype)
            back = sorted(range(len(order)), key=lambda k: order[k])
            return new.permute(back) if hasattr(new, "permute") else new.transpose(back)
        if self.on_gpu:
            return gpu.empty_like(self.first[1], shape, dtype, self.device, self.handle, self.stream is None)
        return host.empty(self.first[1], shape, dtype)

    def packed(self):
        return PLACE.pack(self.handle, self.device, self.threads) if self.on_gpu else PLACE.pack(0, _ON_PROCESSOR, self.threads)

    def rows_of(self, name, view):
        """The same view. Raises ValueError where its rows do not lie as they are computed: on a GPU nothing is copied."""
        if not view.has_rows():
            raise ValueError(f"{name} is {described(view)} that does not lie in rows; .contiguous() copies it so")
        return view


def _memory(device):
    return "in the processor's memory" if device < 0 else f"on cuda:{device}"
