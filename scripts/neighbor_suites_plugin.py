"""Puts Lanework's neighbour lists in the place of another library's while pytest runs that library's own tests.

Loaded by scripts/neighbor-suites with `-p`; LANEWORK_SUITE names the library, LANEWORK_CALLS a file for the number of
lists that were built. Each adapter is the other library's signature and nothing else: what it returns is what
lanework.neighbor_list found, in the integer types that the other library promises.
"""
import os

import numpy as np
from lanework import neighbor_list

calls = 0


def listed(quantities, positions, cell, pbc, cutoff, **options):
    """The arrays as a dictionary; also counts the lists."""
    global calls
    calls += 1
    wanted = "".join(dict.fromkeys(quantities))
    arrays = neighbor_list(wanted, positions, cell, pbc, cutoff, dtype=np.float64, **options)
    return dict(zip(wanted, arrays if len(wanted) > 1 else (arrays,)))


def by_radii(radii):
    """Cutoffs r[i] + r[j] as a table of types."""
    lengths, types = np.unique(np.asarray(radii, float), return_inverse=True)
    return lengths[:, None] + lengths[None, :], {"types": types.reshape(-1)}


def by_elements(cutoffs, numbers):
    """Cutoffs {(element, element): length} as a table of types."""
    from ase.data import atomic_numbers

    numbers = np.asarray(numbers)
    table = np.zeros((numbers.max() + 1,) * 2)
    for pair, cutoff in cutoffs.items():
        first, second = (atomic_numbers.get(element, element) for element in pair)
        if max(first, second) < len(table):
            table[first, second] = table[second, first] = cutoff
    return table, {"types": numbers}


def cutoff_of(cutoff, atoms, numbers):
    if isinstance(cutoff, dict):
        return by_elements(cutoff, numbers)
    if np.ndim(cutoff) == 0:
        return float(cutoff), {}
    if np.ndim(cutoff) == 2:  # matscipy's way to say what a dictionary says
        return np.asarray(cutoff, float), {"types": np.asarray(numbers)}
    if np.shape(cutoff) != (atoms,):
        raise TypeError(f"there are {np.shape(cutoff)} cutoffs for {atoms} atoms")
    return by_radii(cutoff)


def in_types(found, integer):
    """i, j and S in the integers that are promised."""
    return {name: array.astype(integer) if name in "ijS" else array for name, array in found.items()}


def with_selves(found, atoms):
    """The list with every atom as its own neighbour too, where ASE has it: in the row of the atom."""
    selves = {
        "i": np.arange(atoms), "j": np.arange(atoms), "S": np.zeros((atoms, 3)), "D": np.zeros((atoms, 3)),
        "d": np.zeros(atoms),
    }
    order = np.argsort(np.concatenate([selves["i"], found["i"]]), kind="stable")
    return {name: np.concatenate([selves[name], array])[order] for name, array in found.items()}


def put_into_ase():
    import ase.neighborlist

    original = ase.neighborlist.primitive_neighbor_list

    def primitive_neighbor_list(
        quantities, pbc, cell, positions, cutoff, numbers=None, self_interaction=False, use_scaled_positions=False,
        max_nbins=1e6,
    ):
        if len(positions) == 0:  # ASE answers without searching, and so does its adapter
            return original(quantities, pbc, cell, positions, cutoff)
        positions = np.asarray(positions, float)
        if use_scaled_positions:
            positions = positions @ np.asarray(cell)
        cutoff, types = cutoff_of(cutoff, len(positions), numbers)
        found = listed(quantities + "i", positions, np.asarray(cell), pbc, cutoff, **types)
        if self_interaction:
            found = with_selves(found, len(positions))
        found = in_types(found, int)
        arrays = tuple(found[quantity] for quantity in quantities)
        return arrays if len(arrays) > 1 else arrays[0]

    ase.neighborlist.primitive_neighbor_list = primitive_neighbor_list


def put_into_matscipy():
    import matscipy.neighbours

    def neighbour_list(quantities, cell_origin, cell, inverse_cell, pbc, positions, cutoff, numbers):
        cutoff, types = cutoff_of(cutoff, len(positions), numbers)
        found = in_types(listed(quantities, positions, np.asarray(cell), pbc, cutoff, **types), np.int32)
        arrays = tuple(found[quantity] for quantity in quantities)
        return arrays if len(arrays) > 1 else arrays[0]

    matscipy.neighbours.ffi.neighbour_list = neighbour_list


def put_into_vesin():
    import vesin
    import vesin._ase

    class NeighborList(vesin.NeighborList):
        """Its constructor and its checks of shapes are vesin's."""

        def compute(self, points, box, periodic, quantities="ij", copy=True):
            if set(quantities) - set("ijPSDd"):
                return super().compute(points, box, periodic, quantities, copy)  # refuses with its own words
            points, box = np.asarray(points), np.asarray(box)
            floating = points.dtype if np.issubdtype(points.dtype, np.floating) else np.float64
            wanted = quantities.replace("P", "ij")
            try:
                found = listed(wanted, points.astype(float), box, periodic, self.cutoff, half=not self.full_list)
            except ValueError as error:
                raise RuntimeError(str(error)) from error
            found = {
                name: array.astype({"i": np.uint64, "j": np.uint64, "S": np.int32}.get(name, floating))
                for name, array in found.items()
            }
            if "P" in quantities:
                found["P"] = np.stack([found["i"], found["j"]], axis=1)
            return tuple(found[quantity] for quantity in quantities)

    vesin.NeighborList = vesin._ase.NeighborList = NeighborList


{"ase": put_into_ase, "matscipy": put_into_matscipy, "vesin": put_into_vesin}[os.environ["LANEWORK_SUITE"]]()


def pytest_sessionfinish():
    with open(os.environ["LANEWORK_CALLS"], "w", encoding="utf-8") as file:
        file.write(str(calls))
