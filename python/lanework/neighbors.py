"""Neighbour lists: exact, in one order, without copies between the library and NumPy.

    i, j, S, d = neighbor_list("ijSd", positions, cell, pbc=True, cutoff=6.0)
    i, j = neighbor_list("ij", atoms, cutoff=6.0)      # ASE's Atoms
    near = SkinnedNeighbors("ij", cutoff=6.0, skin=0.5)
    i, j = near(atoms)                                 # the same again and again, while atoms move

The arrays are the library's own memory, which the next list may take over when the last of them is gone. Of positions on a GPU they are
new arrays there, of the library of the positions; lanework.arrays says on which stream. Arrays of a length that is stated (`capacity`,
or those of `out`) are filled without anything being waited for.
"""
import ctypes
import itertools

import numpy as np

from . import neighbors_on_gpu
from .arguments import described, dtype_of, integer, numbers
from .arrays import output, shape_of
from .gpu import View
from .library import ERRORS, library
from .neighbor_request import Request, asked as asked_for, of_atoms, require_quantities, set_atoms, set_cutoffs, types_on_host
from .neighbors_on_gpu import GpuCall, SkinOnGpu, lies_on_gpu
from .place import Place
from .repeated import Turn, repeatable

_MOST = 2**31 - 1

class _Result(ctypes.Structure):
    """lanework_neighbor_result; the owner of its arrays."""

    _fields_ = [
        ("owner", ctypes.c_void_p),
        ("message", ctypes.c_char_p),
        ("offsets", ctypes.c_void_p),
        ("first", ctypes.c_void_p),
        ("indices", ctypes.c_void_p),
        ("shifts", ctypes.c_void_p),
        ("vectors", ctypes.c_void_p),
        ("distances", ctypes.c_void_p),
        ("pairs", ctypes.c_int64),
        ("error", ctypes.c_int32),
        ("rebuilt", ctypes.c_int32),
    ]

    def __del__(self):
        owner, self.owner = self.owner, None
        if owner:
            library.lanework_neighbors_free(owner)


library.lanework_neighbors.argtypes = [ctypes.POINTER(Request), ctypes.POINTER(_Result)]
library.lanework_neighbors.restype = None
library.lanework_neighbors_free.argtypes = [ctypes.c_void_p]
library.lanework_neighbors_free.restype = None
library.lanework_skinned_open.argtypes = [ctypes.POINTER(Request), ctypes.c_double, ctypes.POINTER(_Result)]
library.lanework_skinned_open.restype = ctypes.c_void_p
library.lanework_skinned_list.argtypes = [ctypes.c_void_p, ctypes.POINTER(Request), ctypes.POINTER(_Result)]
library.lanework_skinned_list.restype = None
library.lanework_skinned_close.argtypes = [ctypes.c_void_p]
library.lanework_skinned_close.restype = None


class _View:
    """Memory of a result as NumPy sees it: an array of it keeps this, and this keeps the result."""

    def __init__(self, result, address, shape, dtype):
        self.result = result
        self.__array_interface__ = {
            "version": 3,
            "shape": shape,
            "typestr": np.dtype(dtype).str,
            "data": (address, False),
        }


def _array(result, address, columns, dtype):
    shape = (result.pairs,) if columns == 1 else (result.pairs, columns)
    return np.asarray(_View(result, address, shape, dtype)) if address else np.empty(shape, dtype)


def _right(result):
    """The same result. Raises what it says instead."""
    if result.error:
        raise ERRORS[result.error](result.message.decode())
    return result


def _of(quantities, arrays):
    """One array for one letter, else a tuple."""
    return tuple(arrays[letter] for letter in quantities) if len(quantities) > 1 else arrays[quantities]


def _arrays(quantities, result, dimensions, dtype):
    """By letters."""
    make = {
        "i": lambda: _array(result, result.first, 1, np.int32),
        "j": lambda: _array(result, result.indices, 1, np.int32),
        "S": lambda: _array(result, result.shifts, 3, np.int32),
        "D": lambda: _array(result, result.vectors, 3, dtype)[:, :dimensions],
        "d": lambda: _array(result, result.distances, 1, dtype),
    }
    return {letter: make[letter]() for letter in dict.fromkeys(quantities)}


class _Given:
    """Arrays of a stated length, which a list is written into: `out`, or new ones of `capacity`; and its status."""

    def __init__(self, place, quantities, out, capacity, dtype, positions):
        if len(set(quantities)) < len(quantities):
            raise ValueError(f"quantities is {quantities!r}; each letter once is right with out or capacity")
        if out is not None and (not isinstance(out, (list, tuple)) or len(out) != len(quantities) + 1):
            raise TypeError(f"out is {described(out)}; ({', '.join(quantities)}, status) is right")
        if out is not None and capacity is None:
            capacity = (*shape_of(place, "out's " + quantities[0], out[0]), 0)[0]
        self.capacity = integer("capacity", capacity, 0, _MOST)
        self.views, self.given = {}, []
        for letter, one in zip(quantities, out or (None,) * len(quantities)):
            self._take(place, letter, one, *_form(letter, self.capacity, dtype), positions)
        self._take(place, "status", out[-1] if out else None, (4,), "int64", positions)
        self.status = self.views.pop("status")

    def _take(self, place, name, one, shape, dtype, positions):
        view, given = output(place, one, shape, dtype, (positions,), name=f"out's {name}")
        if not (view.is_contiguous() if type(view) is View else view.flags.c_contiguous):
            raise ValueError(f"out's {name} is not contiguous")
        self.views[name] = view
        self.given.append(given)

    def write(self, arrays, atoms, offsets):
        """On the processor: what the library gave, and what a GPU would say of it."""
        pairs = int(offsets[-1]) if atoms else 0
        fits = pairs <= self.capacity
        for letter, view in self.views.items():
            view[...] = -1 if letter in "ij" else 0
            if fits:
                found = arrays[letter]
                (view[:pairs, :found.shape[1]] if found.ndim == 2 else view[:pairs])[...] = found
        self.status[...] = pairs, np.diff(offsets).max() if atoms else 0, -1, -1


def _on_host(name, given):
    return np.asarray(given)


def _form(letter, pairs, dtype):
    """The shape and the type of the array of a letter."""
    return (pairs, 3) if letter in "SD" else (pairs,), "int32" if letter in "ijS" else np.dtype(dtype).name


def _maker(place, quantities, dtype):
    """make(pairs): new arrays by letters."""
    return lambda pairs: {letter: place.new(*_form(letter, pairs, dtype)) for letter in dict.fromkeys(quantities)}


def _shown(arrays, dimensions):
    """With D of as many columns as there are dimensions."""
    return arrays if dimensions == 3 or "D" not in arrays else arrays | {"D": arrays["D"][:, :2]}


def _of_gpu(quantities, request, arrays, place, out, capacity, skin=None, turn=None):
    positions = arrays["positions"]
    call = GpuCall(request, arrays, place, skin, turn)
    if out is None and capacity is None:
        return _of(quantities, _shown(call.counted(_maker(place, quantities, positions.dtype)), request.dimensions))
    given = _Given(place, quantities, out, capacity, positions.dtype, positions)
    call.into(given.views, given.status, given.capacity)
    return tuple(given.given)


def _of_host(quantities, request, place, dtype, positions, out, capacity, build):
    """build(result) fills it."""
    given = None if out is None and capacity is None else _Given(place, quantities, out, capacity, dtype, positions)
    result = _Result()
    build(result)
    arrays = _arrays(quantities, _right(result), request.dimensions, dtype)
    if given is None:
        return _of(quantities, arrays)
    given.write(arrays, request.atoms, np.asarray(_View(result, result.offsets, (request.atoms + 1,), np.int64)))
    return tuple(given.given)


def _place_of(threads, stream, positions, cell, types=None):
    """The place of a call whose first array are the positions, and whether that is a GPU; the others lie there, too."""
    place = Place(threads, stream)
    on_gpu = lies_on_gpu(positions)
    if not on_gpu:
        place.view("positions", positions, lambda _, given: given)
        for name, given in (("cell", cell), ("types", types)):
            if lies_on_gpu(given):
                place.view(name, given, _on_host)
    return place, on_gpu


@repeatable
def neighbor_list(
    quantities, positions, cell=None, pbc=None, cutoff=None, half=False, dtype=None, *, types=None, nearest=0, threads=0,
    memory_limit=0, capacity=None, out=None, stream=None,
):
    """All pairs of atoms nearer than the cutoff (strictly), ordered by i, then j, then S.

    quantities    any of i, j (int32), S (int32, pairs × 3: which image of j), D (pairs × dimensions:
                  positions[j] − positions[i] + S·cell), d (its length); one array for one letter, else a tuple
    positions     atoms × 2 or atoms × 3; or ASE's Atoms, which have their own cell and pbc
    cell          the box vectors as rows, their lengths along x, y, z, or None: open space; may be on the GPU of the positions
    pbc           one bool, or one for each vector; what is not periodic bounds nothing
    cutoff        a length, or with `types` (0, 1, … for each atom) a symmetric table, where 0 is never a neighbour
    half          each pair once
    dtype         float32 or float64: what is computed in. Default: that of the positions, else float64; on a GPU no other
    nearest       only so many of each atom's neighbours; 0: all
    threads       0: all that there are
    memory_limit  bytes that the arrays may take; 0: what is free
    capacity      the length of the arrays, and with them comes their status
    out           such arrays, one for each letter, and the status

    With capacity or out the result is (arrays …, status), on a GPU without a wait, so that a CUDA graph can capture the call. status is
    four int64: the pairs of the whole list, the most of an atom, the first atom that is wrong or −1 (its coordinates, its type), and 0
    for a box that is wrong or −1. Behind the last pair i and j are −1 and the others 0, and so is all of a list with more pairs than
    there is room for, or with anything wrong; D has three columns. Without, a call on a GPU waits once, for the number of pairs.

    Raises TypeError for arguments of another kind, ValueError for values that cannot be meant, MemoryError for more pairs
    than memory.
    """
    require_quantities(quantities)
    positions, cell, pbc = of_atoms(positions, cell, pbc)
    place, on_gpu = _place_of(threads, stream, positions, cell, types)
    request = asked_for(quantities, half, threads, memory_limit)
    request.nearest = integer("nearest", nearest, 0, _MOST)
    if on_gpu:
        arrays = neighbors_on_gpu.set_atoms_on_gpu(request, place, positions, cell, pbc, dtype)
        arrays |= neighbors_on_gpu.set_cutoffs_on_gpu(request, place, cutoff, types)
        return _of_gpu(quantities, request, arrays, place, out, capacity)
    if dtype is None:
        name = str(getattr(positions, "dtype", "")).rpartition(".")[2]  # of "torch.float32", too
        dtype = np.float32 if name == "float32" else np.float64
    dtype = dtype_of("dtype", dtype, ("float32", "float64"))
    kept = set_atoms(request, positions, cell, pbc, dtype), set_cutoffs(request, cutoff, types, types_on_host)

    def build(result):
        library.lanework_neighbors(ctypes.byref(request), ctypes.byref(result))

    return _of_host(quantities, request, place, dtype, kept[0][0], out, capacity, build)


class SkinnedNeighbors:
    """A list for atoms that move: built to cutoff + skin, and again when an atom has moved by half of the skin. What it gives is what
    neighbor_list gives for these positions, to the last bit.

    quantities … memory_limit  as of neighbor_list; the cutoff is a length, and dtype float64 unless it is said, on a GPU that of the positions
    skin                       a length; 0: built anew whenever anything moves
    room                       the pairs of the list to cutoff + skin, on a GPU: then a call with capacity or out waits for nothing

    Called with positions, cell and pbc as neighbor_list is, or with ASE's Atoms; capacity, out and stream are as there. `builds` counts
    how often it was built. Threads that share one take turns. On a GPU the wide list stays there, and whether it must be built again is
    decided there; each call waits once, for that and the number of pairs, with capacity or out, too, and one that builds twice more.

    With a room it is of one GPU, one type and one number of atoms, and all of its memory is taken by the first call. Its calls must have
    capacity or out, of at most `room` pairs, and a CUDA graph can capture them; it must live as long as the graph. A wide list of more
    pairs is not kept, and no list is written: status[0] is then the room that it needs. `builds` says so of calls that have ended.
    """

    _numbers = itertools.count()

    def __init__(self, quantities, cutoff, skin, half=False, dtype=None, *, threads=0, memory_limit=0, room=None):
        require_quantities(quantities)
        self.quantities, self._builds, self._likeness = quantities, 0, next(self._numbers)
        self._dtype = None if dtype is None else dtype_of("dtype", dtype, ("float32", "float64"))
        self._asked, self._turn, self._list = asked_for(quantities, half, threads, memory_limit), Turn(), None
        self._on_gpu, self._threads, self._asked.is_double = {}, threads, self._dtype_on_host == np.float64
        self._room = None if room is None else integer("room", room, 0, _MOST)
        for name, value in (("cutoff", cutoff), ("skin", skin)):
            if numbers(name, value, np.float64).ndim:
                raise ValueError(f"{name} is {described(value)}; one length is right")
        self._asked.cutoff, self._skin = float(numbers("cutoff", cutoff, np.float64)), float(numbers("skin", skin, np.float64))
        result = _Result()
        self._list = library.lanework_skinned_open(ctypes.byref(self._asked), self._skin, ctypes.byref(result))
        _right(result)

    @property
    def builds(self):
        with self._turn:
            return self._builds + sum(skin.builds() for skin in self._on_gpu.values())

    @property
    def _dtype_on_host(self):
        return np.dtype(np.float64) if self._dtype is None else self._dtype

    def __del__(self):
        if getattr(self, "_list", None):
            library.lanework_skinned_close(self._list)

    @repeatable
    def __call__(self, positions, cell=None, pbc=None, *, capacity=None, out=None, stream=None):
        with self._turn:
            return self._listed(positions, cell, pbc, capacity, out, stream)

    def _listed(self, positions, cell, pbc, capacity, out, stream):
        positions, cell, pbc = of_atoms(positions, cell, pbc)
        place, on_gpu = _place_of(self._threads, stream, positions, cell)
        request = Request.from_buffer_copy(self._asked)
        if on_gpu:
            arrays = neighbors_on_gpu.set_atoms_on_gpu(request, place, positions, cell, pbc, self._dtype)
            if self._room is not None and out is None and capacity is None:
                raise ValueError("room is given, and neither capacity nor out: the number of pairs would be waited for")
            return _of_gpu(self.quantities, request, arrays, place, out, capacity, self._skin_on_gpu(request, place), self._turn)
        kept = set_atoms(request, positions, cell, pbc, self._dtype_on_host)

        def build(result):
            library.lanework_skinned_list(self._list, ctypes.byref(request), ctypes.byref(result))
            self._builds += result.rebuilt

        return _of_host(self.quantities, request, place, self._dtype_on_host, kept[0], out, capacity, build)

    def _skin_on_gpu(self, request, place):
        """Made once, and kept: calls that are made again, and graphs, have its memory."""
        of = place.device, request.is_double
        if of not in self._on_gpu:
            if self._room is not None and self._on_gpu:
                raise ValueError("a list with a room is of one GPU and one type; make another for others")
            self._on_gpu[of] = SkinOnGpu(request, self._skin, self._room, place)
        return self._on_gpu[of]
