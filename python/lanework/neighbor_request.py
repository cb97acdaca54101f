"""What a neighbour list is asked for: the arguments of lanework.neighbors, checked, as the library takes them."""
import ctypes
import os

import numpy as np

from .arguments import described, flag, integer, numbers, threads as checked_threads
from .gpu import GPU_KINDS, kind_of

_DOUBLE_P = ctypes.POINTER(ctypes.c_double)


class Request(ctypes.Structure):
    """lanework_neighbor_request of python/native/neighbor_request.hpp."""

    _fields_ = [
        ("positions", ctypes.c_void_p),
        ("vectors", _DOUBLE_P),
        ("cell", ctypes.c_void_p),
        ("pair_cutoffs", _DOUBLE_P),
        ("types", ctypes.c_void_p),
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
        ("cell_is_double", ctypes.c_uint8),
        ("cell_is_lengths", ctypes.c_uint8),
    ]


def _flags(pbc):
    try:
        flags = np.asarray(pbc)
        if flags.dtype == bool or (flags.dtype.kind in "iu" and np.isin(flags, (0, 1)).all()):
            return flags.astype(bool)
    except (ValueError, TypeError, OverflowError):  # rows of several lengths
        pass
    raise TypeError(f"pbc is {described(pbc)}; give one bool, or one for each direction")


def periodic_of(pbc, dimensions):
    """Which of three directions are periodic."""
    periodic = np.zeros(3, np.uint8)
    pbc = np.atleast_1d(_flags(pbc))
    if pbc.shape not in ((1,), (dimensions,), (3,)):
        raise ValueError(f"pbc has the shape {pbc.shape}; give one bool, or one for each direction")
    periodic[: dimensions if pbc.size == 1 else pbc.size] = pbc
    return periodic


def set_box(request, cell, pbc):
    """Sets the box of a request; returns the array that it then points into."""
    vectors, periodic = _box_of(cell, pbc, request.dimensions)
    request.vectors, request.periodic = vectors.ctypes.data_as(_DOUBLE_P), tuple(periodic.tolist())
    return vectors


def _box_of(cell, pbc, dimensions):
    """The box vectors as 3 × 3 doubles, and which of them are periodic."""
    periodic, vectors = periodic_of(pbc, dimensions), np.zeros((3, 3))
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


def set_cutoffs(request, cutoff, types, place_types):
    """Sets the cutoffs of a request; returns what it then points into. place_types(types): an array of int32, and its address."""
    cutoff = np.asarray(numbers("cutoff", cutoff, np.float64), order="C")
    if cutoff.ndim == 0:
        request.cutoff = float(cutoff)
        return ()
    if cutoff.ndim != 2 or cutoff.shape[0] != cutoff.shape[1] or not cutoff.size:
        raise ValueError(f"cutoff has the shape {cutoff.shape}; give one length, or a square table of types × types")
    if types is None:
        raise ValueError("cutoff is a table: give the types of the atoms")
    types, address = place_types(types)
    if tuple(types.shape) != (request.atoms,):
        raise ValueError(f"types has the shape {tuple(types.shape)}; give one for each of the {request.atoms} atoms")
    request.pair_cutoffs, request.type_count, request.types = cutoff.ctypes.data_as(_DOUBLE_P), len(cutoff), address
    return cutoff, types


def types_on_host(types):
    types = np.ascontiguousarray(numbers("types", types, np.int32))
    return types, types.ctypes.data


def of_atoms(atoms, cell, pbc):
    """The positions, box vectors and periodic directions of ASE's Atoms; of anything else what was given."""
    if not all(hasattr(atoms, name) for name in ("positions", "cell", "pbc")):
        return atoms, cell, pbc
    for name, given in (("cell", cell), ("pbc", pbc)):
        if given is not None:
            raise ValueError(f"{name} is {described(given)}, and the atoms have their own; leave it out, and name the cutoff: cutoff=…")
    return atoms.positions, atoms.cell if kind_of(atoms.cell) in GPU_KINDS else np.asarray(atoms.cell), atoms.pbc


def require_quantities(quantities):
    if not isinstance(quantities, str):
        raise TypeError(f"quantities is {described(quantities)}; a text of the letters i, j, S, D and d is right")
    if not quantities or set(quantities) - set("ijSDd"):
        raise ValueError(f"quantities is {quantities!r}; give some of the letters i, j, S, D and d")


def asked(quantities, half, threads, memory_limit):
    """A request but for atoms and cutoffs."""
    return Request(
        memory_limit=integer("memory_limit", memory_limit, 0, 2**64 - 1), threads=checked_threads(threads) or len(os.sched_getaffinity(0)),
        half=flag("half", half), first="i" in quantities, shifts="S" in quantities, vectors_wanted="D" in quantities,
        distances="d" in quantities,
    )


def require_shape(positions):
    if positions.ndim != 2 or positions.shape[1] not in (2, 3):
        raise ValueError(f"positions has the shape {tuple(positions.shape)}; give atoms × 2 or atoms × 3")


def set_atoms(request, positions, cell, pbc, dtype):
    """Sets the atoms and their box; returns the arrays that the request then points into."""
    positions = np.ascontiguousarray(numbers("positions", positions, dtype))
    require_shape(positions)
    request.atoms, request.dimensions = positions.shape
    request.positions, request.is_double = positions.ctypes.data, dtype == np.float64
    return positions, set_box(request, cell, pbc)
