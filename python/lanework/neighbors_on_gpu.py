"""Neighbour lists of atoms in the memory of a GPU: counted and filled there, into arrays of the caller's library."""
import ctypes

import numpy as np

from .arguments import described, dtype_of
from .arrays import on_host
from .gpu import GPU_KINDS, kind_of, makes_arrays
from .library import library, require
from .neighbor_request import Request, periodic_of, require_shape, set_box, set_cutoffs

_FIELDS = {"i": "first", "j": "indices", "S": "shifts", "D": "vectors", "d": "distances"}


class GpuList(ctypes.Structure):
    """lanework_gpu_list of python/native/neighbors_on_gpu.cpp."""

    _fields_ = [
        *((name, ctypes.c_void_p) for name in ("room", "status", "first", "indices", "shifts", "vectors", "distances")),
        ("capacity", ctypes.c_int64), ("pairs", ctypes.c_int64), ("rebuilt", ctypes.c_int32),
    ]


_REQUEST, _LIST, _PLACE, _HANDLE = ctypes.POINTER(Request), ctypes.POINTER(GpuList), ctypes.c_char_p, ctypes.c_void_p
for function, arguments in (
    (library.lanework_gpu_room, [_REQUEST, ctypes.POINTER(ctypes.c_uint64)]),
    (library.lanework_gpu_count, [_REQUEST, _LIST, _PLACE]),
    (library.lanework_gpu_fill, [_REQUEST, _LIST, _PLACE]),
    (library.lanework_gpu_neighbors, [_REQUEST, _LIST, _PLACE]),
    (library.lanework_gpu_skin_open, [_REQUEST, ctypes.c_double, _PLACE, ctypes.POINTER(_HANDLE)]),
    (library.lanework_gpu_skin_count, [_HANDLE, _REQUEST, _LIST, _PLACE]),
    (library.lanework_gpu_skin_fill, [_HANDLE, _REQUEST, _LIST, ctypes.c_int32, _PLACE]),
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
    """Sets the atoms and their box; returns the positions and what else the request then points into. dtype: what the caller wants."""
    positions = _viewed(place, "positions", positions, ("float32", "float64"))
    if dtype is not None and dtype_of("dtype", dtype, ("float32", "float64")).name != positions.dtype:
        raise ValueError(f"dtype is {np.dtype(dtype)}, and positions holds {positions.dtype}; on a GPU nothing is converted")
    require_shape(positions)
    request.atoms, request.dimensions = positions.shape
    request.positions, request.is_double = positions.address, positions.dtype == "float64"
    if not lies_on_gpu(cell):
        return positions, set_box(request, cell, pbc)
    cell, dimensions = _viewed(place, "cell", cell, ("float32", "float64")), request.dimensions
    if tuple(cell.shape) not in ((dimensions,), (dimensions, dimensions)):
        raise ValueError(f"cell has the shape {tuple(cell.shape)}; give {dimensions} lengths, or the vectors as rows")
    request.periodic = tuple(periodic_of(pbc, dimensions).tolist())
    request.cell, request.cell_is_double, request.cell_is_lengths = cell.address, cell.dtype == "float64", cell.ndim == 1
    return positions, cell


def set_cutoffs_on_gpu(request, place, cutoff, types):
    def place_types(types):
        view = _viewed(place, "types", types, ("int32",))
        return view, view.address

    return set_cutoffs(request, cutoff, types, place_types)


def _point(asked, views):
    """Sets where the list's arrays lie; views by letters."""
    for letter, view in views.items():
        setattr(asked, _FIELDS[letter], view.address)


def into(asked, views, status, capacity):
    """Sets where a list of at most `capacity` pairs goes."""
    _point(asked, views)
    asked.status, asked.capacity = status.address, capacity


def enqueue(request, place, asked):
    """Enqueues the list and what lies behind its last pair."""
    room = _room(request, place) if makes_arrays(place.first[1]) else None
    asked.room = None if room is None else room.address
    require(library.lanework_gpu_neighbors(ctypes.byref(request), ctypes.byref(asked), place.packed()))


def _new(place, shape, dtype):
    return place.view("out", place.new(shape, dtype), on_host)


def _room(request, place):
    """Memory of the caller's library, which takes less time than the system's."""
    wanted = ctypes.c_uint64()
    require(library.lanework_gpu_room(ctypes.byref(request), ctypes.byref(wanted)))
    return _new(place, (wanted.value,), "uint8")


def _filled(place, asked, make, fill):
    """New arrays of the number of pairs that was counted, filled."""
    arrays = make(asked.pairs)
    _point(asked, {letter: place.view("out", array, on_host) for letter, array in arrays.items()})
    asked.capacity = asked.pairs
    if asked.pairs:
        fill()
    return arrays


def counted(request, place, make):
    """The list in new arrays, which make(pairs) gives by letters once their number is known: it is waited for."""
    room, status = _room(request, place), _new(place, (4,), "int64")
    asked = GpuList(room=room.address, status=status.address)
    require(library.lanework_gpu_count(ctypes.byref(request), ctypes.byref(asked), place.packed()))
    return _filled(place, asked, make, lambda: require(library.lanework_gpu_fill(ctypes.byref(request), ctypes.byref(asked), place.packed())))


class SkinOnGpu:
    """A list with a skin that stays on one GPU, for positions of one type."""

    def __init__(self, request, skin, place):
        self.of, self._handle = (place.device, request.is_double), ctypes.c_void_p()
        require(library.lanework_gpu_skin_open(ctypes.byref(request), skin, place.packed(), ctypes.byref(self._handle)))

    def __del__(self):
        if self._handle:
            library.lanework_gpu_skin_close(self._handle)

    def count(self, request, place, asked):
        """Counts, and waits. Sets asked.pairs and asked.rebuilt."""
        require(library.lanework_gpu_skin_count(self._handle, ctypes.byref(request), ctypes.byref(asked), place.packed()))

    def fill(self, request, place, asked, padded):
        require(library.lanework_gpu_skin_fill(self._handle, ctypes.byref(request), ctypes.byref(asked), padded, place.packed()))

    def counted(self, request, place, asked, make):
        """As counted() of this module, of a list that count() has counted."""
        return _filled(place, asked, make, lambda: self.fill(request, place, asked, False))
