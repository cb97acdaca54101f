"""Neighbour lists: exact, in one order, without copies between the library and NumPy.

    i, j, S, d = neighbor_list("ijSd", positions, cell, pbc=True, cutoff=6.0)
    i, j = neighbor_list("ij", atoms, cutoff=6.0)      # ASE's Atoms
    near = SkinnedNeighbors("ij", cutoff=6.0, skin=0.5)
    i, j = near(atoms)                                 # the same again and again, while atoms move

The arrays are the library's own memory, which the next list may take over when the last of them is gone.
"""
import ctypes
import os
import threading

import numpy as np

from .arguments import described, dtype_of, flag, integer, numbers, threads as checked_threads
from .library import ERRORS, library

_DOUBLE_P, _INT32_P = ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_int32)


class _Request(ctypes.Structure):
    """lanework_neighbor_request of python/native/neighbors.cpp."""

    _fields_ = [
        ("positions", ctypes.c_void_p),
        ("vectors", _DOUBLE_P),
        ("pair_cutoffs", _DOUBLE_P),
        ("types", _INT32_P),
        ("atoms", ctypes.c_int64),
        ("type_count", ctypes.c_int64),
        ("memory_limit", ctypes.c_uint64),
        ("cutoff", ctypes.c_double),
        ("dimensions", ctypes.c_int32),
        ("threads", ctypes.c_int32),
        ("nearest", ctypes.c_int32),
        ("periodic", ctypes.c_uint8 * 3),
        ("is_double", ctypes.c_uint8),
        ("half", ctypes.c_uint8),
        ("first", ctypes.c_uint8),
        ("shifts", ctypes.c_uint8),
        ("vectors_wanted", ctypes.c_uint8),
        ("distances", ctypes.c_uint8),
    ]


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


library.lanework_neighbors.argtypes = [ctypes.POINTER(_Request), ctypes.POINTER(_Result)]
library.lanework_neighbors.restype = None
library.lanework_neighbors_free.argtypes = [ctypes.c_void_p]
library.lanework_neighbors_free.restype = None
library.lanework_skinned_open.argtypes = [ctypes.POINTER(_Request), ctypes.c_double, ctypes.POINTER(_Result)]
library.lanework_skinned_open.restype = ctypes.c_void_p
library.lanework_skinned_list.argtypes = [ctypes.c_void_p, ctypes.POINTER(_Request), ctypes.POINTER(_Result)]
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


def _flags(pbc):
    try:
        flags = np.asarray(pbc)
        if flags.dtype == bool or (flags.dtype.kind in "iu" and np.isin(flags, (0, 1)).all()):
            return flags.astype(bool)
    except (ValueError, TypeError, OverflowError):  # rows of several lengths
        pass
    raise TypeError(f"pbc is {described(pbc)}; give one bool, or one for each direction")


def _box(cell, pbc, dimensions):
    """The box vectors as 3 × 3 doubles, and which of them are periodic."""
    periodic = np.zeros(3, np.uint8)
    pbc = np.atleast_1d(_flags(pbc))
    if pbc.shape not in ((1,), (dimensions,), (3,)):
        raise ValueError(f"pbc has the shape {pbc.shape}; give one bool, or one for each direction")
    periodic[: dimensions if pbc.size == 1 else pbc.size] = pbc
    vectors = np.zeros((3, 3))
    if cell is None:
        if periodic.any():
            raise ValueError("cell is None, and directions are periodic: give the cell")
        return vectors, periodic
    cell = numbers("cell", cell, np.float64)
    if cell.shape in ((dimensions,), (3,)):
        cell = np.diag(cell)
    if cell.shape not in ((dimensions, dimensions), (3, 3)):
        raise ValueError(f"cell has the shape {cell.shape}; give {dimensions} lengths, or the vectors as rows")
    vectors[: len(cell), : len(cell)] = cell
    return vectors, periodic


def _cutoffs(request, cutoff, types):
    """Sets the cutoffs of a request; returns the arrays that it then points into."""
    cutoff = np.asarray(numbers("cutoff", cutoff, np.float64), order="C")
    if cutoff.ndim == 0:
        request.cutoff = float(cutoff)
        return ()
    if cutoff.ndim != 2 or cutoff.shape[0] != cutoff.shape[1] or not cutoff.size:
        raise ValueError(f"cutoff has the shape {cutoff.shape}; give one length, or a square table of types × types")
    if types is None:
        raise ValueError("cutoff is a table: give the types of the atoms")
    types = np.ascontiguousarray(numbers("types", types, np.int32))
    if types.shape != (request.atoms,):
        raise ValueError(f"types has the shape {types.shape}; give one for each of the {request.atoms} atoms")
    request.pair_cutoffs = cutoff.ctypes.data_as(_DOUBLE_P)
    request.type_count = len(cutoff)
    request.types = types.ctypes.data_as(_INT32_P)
    return cutoff, types


def _of_atoms(atoms, cell, pbc):
    """The positions, box vectors and periodic directions of ASE's Atoms; of anything else what was given."""
    if not all(hasattr(atoms, name) for name in ("positions", "cell", "pbc")):
        return atoms, cell, pbc
    for name, given in (("cell", cell), ("pbc", pbc)):
        if given is not None:
            raise ValueError(f"{name} is {described(given)}, and the atoms have their own; leave it out, and name the cutoff: cutoff=…")
    return atoms.positions, np.asarray(atoms.cell), atoms.pbc


def _require_quantities(quantities):
    if not isinstance(quantities, str):
        raise TypeError(f"quantities is {described(quantities)}; a text of the letters i, j, S, D and d is right")
    if not quantities or set(quantities) - set("ijSDd"):
        raise ValueError(f"quantities is {quantities!r}; give some of the letters i, j, S, D and d")


def _asked(quantities, dtype, half, threads, memory_limit):
    """A request but for atoms and cutoffs."""
    return _Request(
        memory_limit=integer("memory_limit", memory_limit, 0, 2**64 - 1), threads=checked_threads(threads) or len(os.sched_getaffinity(0)),
        is_double=dtype == np.float64, half=flag("half", half), first="i" in quantities, shifts="S" in quantities, vectors_wanted="D" in quantities,
        distances="d" in quantities,
    )


def _set_atoms(request, positions, cell, pbc, dtype):
    """Sets the atoms and their box; returns the arrays that the request then points into."""
    positions = np.ascontiguousarray(numbers("positions", positions, dtype))
    if positions.ndim != 2 or positions.shape[1] not in (2, 3):
        raise ValueError(f"positions has the shape {positions.shape}; give atoms × 2 or atoms × 3")
    request.atoms, request.dimensions = positions.shape
    vectors, periodic = _box(cell, pbc, request.dimensions)
    request.positions, request.vectors, request.periodic = positions.ctypes.data, vectors.ctypes.data_as(_DOUBLE_P), tuple(periodic.tolist())
    return positions, vectors


def _right(result):
    """The same result. Raises what it says instead."""
    if result.error:
        raise ERRORS[result.error](result.message.decode())
    return result


def _arrays(quantities, result, dimensions, dtype):
    """One array for one letter, else a tuple."""
    make = {
        "i": lambda: _array(result, result.first, 1, np.int32),
        "j": lambda: _array(result, result.indices, 1, np.int32),
        "S": lambda: _array(result, result.shifts, 3, np.int32),
        "D": lambda: _array(result, result.vectors, 3, dtype)[:, :dimensions],
        "d": lambda: _array(result, result.distances, 1, dtype),
    }
    arrays = tuple(make[quantity]() for quantity in quantities)
    return arrays if len(arrays) > 1 else arrays[0]


def neighbor_list(
    quantities, positions, cell=None, pbc=None, cutoff=None, half=False, dtype=None, *, types=None, nearest=0, threads=0,
    memory_limit=0,
):
    """All pairs of atoms nearer than the cutoff (strictly), ordered by i, then j, then S.

    quantities    any of i, j (int32), S (int32, pairs × 3: which image of j), D (pairs × dimensions:
                  positions[j] − positions[i] + S·cell), d (its length); one array for one letter, else a tuple
    positions     atoms × 2 or atoms × 3; or ASE's Atoms, which have their own cell and pbc
    cell          the box vectors as rows, their lengths along x, y, z, or None: open space
    pbc           one bool, or one for each vector; what is not periodic bounds nothing
    cutoff        a length, or with `types` (0, 1, … for each atom) a symmetric table, where 0 is never a neighbour
    half          each pair once
    dtype         float32 or float64: what is computed in. Default: that of the positions, else float64
    nearest       only so many of each atom's neighbours; 0: all
    threads       0: all that there are
    memory_limit  bytes that the arrays may take; 0: what is free

    Raises TypeError for arguments of another kind, ValueError for values that cannot be meant, MemoryError for more pairs
    than memory.
    """
    _require_quantities(quantities)
    positions, cell, pbc = _of_atoms(positions, cell, pbc)
    if dtype is None:
        name = str(getattr(positions, "dtype", "")).rpartition(".")[2]  # of "torch.float32", too
        dtype = np.float32 if name == "float32" else np.float64
    dtype = dtype_of("dtype", dtype, ("float32", "float64"))
    request = _asked(quantities, dtype, half, threads, memory_limit)
    request.nearest = integer("nearest", nearest, 0, 2**31 - 1)
    kept = _set_atoms(request, positions, cell, pbc, dtype), _cutoffs(request, cutoff, types)
    result = _Result()
    library.lanework_neighbors(ctypes.byref(request), ctypes.byref(result))
    del kept  # the request pointed into it
    return _arrays(quantities, _right(result), request.dimensions, dtype)


class SkinnedNeighbors:
    """A list for atoms that move: built to cutoff + skin, and again when an atom has moved by half of the skin. What it gives is what
    neighbor_list gives for these positions, to the last bit.

    quantities … memory_limit  as of neighbor_list; the cutoff is a length, and dtype float64 unless it is said
    skin                       a length; 0: built anew whenever anything moves

    Called with positions, cell and pbc as neighbor_list is, or with ASE's Atoms. `builds` counts how often it was built. Threads that
    share one take turns.
    """

    def __init__(self, quantities, cutoff, skin, half=False, dtype="float64", *, threads=0, memory_limit=0):
        _require_quantities(quantities)
        self.quantities, self.builds, self._dtype = quantities, 0, dtype_of("dtype", dtype, ("float32", "float64"))
        self._asked, self._turn, self._list = _asked(quantities, self._dtype, half, threads, memory_limit), threading.Lock(), None
        for name, value in (("cutoff", cutoff), ("skin", skin)):
            if numbers(name, value, np.float64).ndim:
                raise ValueError(f"{name} is {described(value)}; one length is right")
        self._asked.cutoff = float(numbers("cutoff", cutoff, np.float64))
        result = _Result()
        self._list = library.lanework_skinned_open(ctypes.byref(self._asked), float(numbers("skin", skin, np.float64)), ctypes.byref(result))
        _right(result)

    def __del__(self):
        if getattr(self, "_list", None):
            library.lanework_skinned_close(self._list)

    def __call__(self, positions, cell=None, pbc=None):
        positions, cell, pbc = _of_atoms(positions, cell, pbc)
        request, result = _Request.from_buffer_copy(self._asked), _Result()
        kept = _set_atoms(request, positions, cell, pbc, self._dtype)
        with self._turn:
            library.lanework_skinned_list(self._list, ctypes.byref(request), ctypes.byref(result))
            self.builds += result.rebuilt
        del kept  # the request pointed into it
        return _arrays(self.quantities, _right(result), request.dimensions, self._dtype)
