"""Neighbour lists of atoms in the memory of a GPU: counted and filled there, into arrays of the caller's library."""
import ctypes

import numpy as np

from .arguments import described, dtype_of
from .arrays import on_host
from .gpu import GPU_KINDS, View, kind_of, makes_arrays
from .library import library, require
from .neighbor_request import Request, periodic_of, require_shape, set_box, set_cutoffs
from .repeated import is_heard, told_list

_FIELDS = {"i": "first", "j": "indices", "S": "shifts", "D": "vectors", "d": "distances"}


class GpuList(ctypes.Structure):
    """lanework_gpu_list of python/native/neighbors_on_gpu.cpp."""

    _fields_ = [
        *((name, ctypes.c_void_p) for name in ("room", "status", "first", "indices", "shifts", "vectors", "distances", "skin")),
        ("capacity", ctypes.c_int64), ("pairs", ctypes.c_int64),
    ]


_REQUEST, _LIST, _PLACE, _HANDLE = ctypes.POINTER(Request), ctypes.POINTER(GpuList), ctypes.c_char_p, ctypes.c_void_p
for function, arguments in (
    (library.lanework_gpu_room, [_REQUEST, ctypes.POINTER(ctypes.c_uint64)]),
    (library.lanework_gpu_count, [_REQUEST, _LIST, _PLACE]),
    (library.lanework_gpu_fill, [_REQUEST, _LIST, _PLACE]),
    (library.lanework_gpu_neighbors, [_REQUEST, _LIST, _PLACE]),
    (library.lanework_gpu_skin_open, [_REQUEST, ctypes.c_double, ctypes.c_int64, _PLACE, ctypes.POINTER(_HANDLE)]),
    (library.lanework_gpu_skin_count, [_REQUEST, _LIST, _PLACE]),
    (library.lanework_gpu_skin_fill, [_REQUEST, _LIST, _PLACE]),
    (library.lanework_gpu_skin_neighbors, [_REQUEST, _LIST, _PLACE]),
    (library.lanework_gpu_skin_enqueue, [_REQUEST, _LIST, _PLACE]),
    (library.lanework_gpu_skin_builds, [_HANDLE, ctypes.POINTER(ctypes.c_int64)]),
    (library.lanework_gpu_skin_close, [_HANDLE]),
):
    function.argtypes, function.restype = arguments, ctypes.c_int32
library.lanework_gpu_skin_close.restype = None


def lies_on_gpu(given):
    return not isinstance(given, np.ndarray) and kind_of(given) in GPU_KINDS


def _viewed(place, name, given, types):
    view = place.view(name, given, on_host)
    if view.dtype not in types:
        raise ValueError(f"{name} holds {view.dtype}; {' and '.join(types)} {'are' if len(types) > 1 else 'is'} right on a GPU")
    if not view.is_contiguous():
        raise ValueError(f"{name} is {described(view)} that is not contiguous; .contiguous() copies it so")
    return view


def set_atoms_on_gpu(request, place, positions, cell, pbc, dtype):
    """Sets the atoms and their box; returns the arrays that the request then points into, by its fields. dtype: what the caller wants."""
    positions = _viewed(place, "positions", positions, ("float32", "float64"))
    if dtype is not None and dtype_of("dtype", dtype, ("float32", "float64")).name != positions.dtype:
        raise ValueError(f"dtype is {np.dtype(dtype)}, and positions holds {positions.dtype}; on a GPU nothing is converted")
    require_shape(positions)
    request.atoms, request.dimensions = positions.shape
    request.positions, request.is_double = positions.address, positions.dtype == "float64"
    if not lies_on_gpu(cell):
        return {"positions": positions, "vectors": set_box(request, cell, pbc)}
    cell, dimensions = _viewed(place, "cell", cell, ("float32", "float64")), request.dimensions
    if tuple(cell.shape) not in ((dimensions,), (dimensions, dimensions)):
        raise ValueError(f"cell has the shape {tuple(cell.shape)}; give {dimensions} lengths, or the vectors as rows")
    request.periodic = tuple(periodic_of(pbc, dimensions).tolist())
    request.cell, request.cell_is_double, request.cell_is_lengths = cell.address, cell.dtype == "float64", cell.ndim == 1
    return {"positions": positions, "cell": cell}


def set_cutoffs_on_gpu(request, place, cutoff, types):
    """Likewise, of the cutoffs."""
    def place_types(types):
        view = _viewed(place, "types", types, ("int32",))
        return view, view.address

    return dict(zip(("pair_cutoffs", "types"), set_cutoffs(request, cutoff, types, place_types)))


class GpuCall:
    """A list that is asked for: the request, the arrays that it points into by its fields, where it goes and on which place. skin: of a
    list with one; turn: the lock that its calls hold."""

    def __init__(self, request, arrays, place, skin=None, turn=None):
        self.request, self.arrays, self.place, self.asked, self.skin, self.turn = request, arrays, place, GpuList(), skin, turn
        self._in_list = {}
        if skin is not None:
            self.asked.skin = skin.handle

    def _run(self, function):
        require(function(ctypes.byref(self.request), ctypes.byref(self.asked), self.place.packed()))

    def _set(self, field, view):
        setattr(self.asked, field, view.address)
        self._in_list[field] = view

    def _new(self, field, shape, dtype):
        self._set(field, self.place.view("out", self.place.new(shape, dtype), on_host))

    def _make_room(self):
        """Memory of the caller's library, which takes less time than the system's."""
        wanted = ctypes.c_uint64()
        require(library.lanework_gpu_room(ctypes.byref(self.request), ctypes.byref(wanted)))
        self._new("room", (wanted.value,), "uint8")

    def _tell(self, function, written, then=None, letters=()):
        """Tells what was asked, for calls that are like this one."""
        if not is_heard():
            return
        fields = {(0, getattr(Request, name).offset): one for name, one in self.arrays.items()}
        views = {at: one for at, one in fields.items() if type(one) is View}
        host = {at: one.tobytes() for at, one in fields.items() if type(one) is not View}
        sized = {getattr(GpuList, _FIELDS[letter]).offset: self._in_list[_FIELDS[letter]] for letter in letters}
        views |= {(1, getattr(GpuList, name).offset): one for name, one in self._in_list.items() if getattr(GpuList, name).offset not in sized}
        sizes = GpuList.pairs.offset, GpuList.capacity.offset, sized
        told_list(function, then, (self.request, self.asked), views, host, self.place, written, sizes, self.turn)

    def into(self, views, status, capacity):
        """Enqueues a list of at most `capacity` pairs, into these arrays by letters, and what lies behind its last pair. One with a skin
        that cannot be captured is waited for."""
        for letter, view in views.items():
            self._set(_FIELDS[letter], view)
        self._set("status", status)
        self.asked.capacity = capacity
        written = len(views) + 1
        if self.skin is not None:
            function = library.lanework_gpu_skin_neighbors if self.skin.room is None else library.lanework_gpu_skin_enqueue
        else:
            function = library.lanework_gpu_neighbors
            if makes_arrays(self.place.first[1]) and self.place.stream is None:
                self._make_room()
                written += 1
        self._run(function)
        self._tell(function, written)

    def counted(self, make):
        """The list in new arrays, which make(pairs) gives by letters once their number is known: it is waited for."""
        count, fill, written = library.lanework_gpu_skin_count, library.lanework_gpu_skin_fill, 0
        if self.skin is None:
            count, fill, written = library.lanework_gpu_count, library.lanework_gpu_fill, 2
            self._make_room()
            self._new("status", (4,), "int64")
        self._run(count)
        arrays = make(self.asked.pairs)
        for letter, array in arrays.items():
            self._set(_FIELDS[letter], self.place.view("out", array, on_host))
        self.asked.capacity = self.asked.pairs
        if self.asked.pairs:
            self._run(fill)
        self._tell(count, written, fill, arrays)
        return arrays


class SkinOnGpu:
    """A list with a skin that stays on one GPU, for positions of one type. room: the pairs of its wide list, of one that can be captured,
    for as many atoms; None: of one that waits."""

    def __init__(self, request, skin, room, place):
        self.room, self.handle = room, ctypes.c_void_p()
        require(library.lanework_gpu_skin_open(ctypes.byref(request), skin, -1 if room is None else room, place.packed(), ctypes.byref(self.handle)))

    def __del__(self):
        if self.handle:
            library.lanework_gpu_skin_close(self.handle)

    def builds(self):
        builds = ctypes.c_int64()
        require(library.lanework_gpu_skin_builds(self.handle, ctypes.byref(builds)))
        return builds.value
