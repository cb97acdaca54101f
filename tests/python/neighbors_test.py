"""lanework.neighbor_list holds what the library found, keeps it alive, and says what is wrong in its words."""
import concurrent.futures
import gc
import os
import resource
import unittest

import numpy as np

from lanework import SkinnedNeighbors, neighbor_list

DIAMOND = 3.567  # Å
CELL = DIAMOND * np.eye(3)
ATOMS = DIAMOND * np.array(
    [(x + d, y + d, z + d) for d in (0, 0.25) for x, y, z in [(0, 0, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 0.5, 0)]]
)


class NeighborList(unittest.TestCase):
    def test_counts_of_diamond(self):
        for cutoff, neighbors in ((3, 28), (6, 158), (12, 1290)):
            for dtype in (np.float32, np.float64):
                i = neighbor_list("i", ATOMS, CELL, True, cutoff, dtype=dtype)
                self.assertTrue((np.bincount(i) == neighbors).all())

    def test_positions_of_others_are_computed_in_their_own_type(self):
        class Positions:
            dtype = "torch.float32"

            def __array__(self, *_, **__):
                return ATOMS.astype(np.float32)

        self.assertEqual(neighbor_list("d", Positions(), CELL, True, 3.0).dtype, np.float32)
        self.assertEqual(neighbor_list("d", ATOMS.tolist(), CELL, True, 3.0).dtype, np.float64)

    def test_what_is_returned_belongs_together(self):
        d, j, S, D, i = neighbor_list("djSDi", ATOMS, CELL, (True, False, True), 4.0)
        np.testing.assert_allclose(D, ATOMS[j] - ATOMS[i] + S @ CELL, atol=1e-12)
        np.testing.assert_allclose(d, np.linalg.norm(D, axis=1), atol=1e-12)
        self.assertTrue((d < 4).all() and (S[:, 1] == 0).all())
        order = np.lexsort((*S.T[::-1], j, i))
        np.testing.assert_array_equal(order, np.arange(len(i)))

    def test_arrays_outlive_each_other_and_the_call(self):
        i, j, S, D, d = neighbor_list("ijSDd", ATOMS, CELL, True, 9.0)
        sums = i.sum(), np.abs(D).sum()
        del j, S, d
        gc.collect()
        kept = [neighbor_list("ijSDd", ATOMS, CELL, True, 9.0) for _ in range(20)]  # would take freed memory
        for others in kept:
            others[0][:] = 77
            others[3][:] = 77
        self.assertEqual((i.sum(), np.abs(D).sum()), sums)

    def test_memory_is_given_back(self):
        def resident():
            with open("/proc/self/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

        size = sum(array.nbytes for array in neighbor_list("ijSDd", ATOMS, CELL, True, 30.0))
        before = resident()
        for _ in range(30):
            neighbor_list("ijSDd", ATOMS, CELL, True, 30.0)
        self.assertLess(resident() - before, 5 * size)

    def test_memory_of_arrays_that_are_gone_is_used_again(self):
        def build():
            return neighbor_list("ijSd", ATOMS, CELL, True, 25.0)

        pages = sum(array.nbytes for array in build()) // os.sysconf("SC_PAGESIZE")
        self.assertGreater(pages, 500)
        for _ in range(3):
            build()
        before, calls = resource.getrusage(resource.RUSAGE_SELF).ru_minflt, 40
        for _ in range(calls):
            build()
        touched_first = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
        self.assertLess(touched_first, calls * pages / 4)
        held = [build() for _ in range(3)]
        self.assertEqual(len({array.ctypes.data for arrays in held for array in arrays}), 12)

    def test_half_nearest_types_and_the_plane(self):
        full = neighbor_list("i", ATOMS, CELL, True, 5.0)
        self.assertEqual(2 * len(neighbor_list("i", ATOMS, CELL, True, 5.0, half=True)), len(full))
        self.assertTrue((np.bincount(neighbor_list("i", ATOMS, CELL, True, 5.0, nearest=4)) == 4).all())
        types = np.arange(8) // 4
        i, j = neighbor_list("ij", ATOMS, CELL, True, [[0, 1.6], [1.6, 0]], types=types)
        self.assertTrue((np.bincount(i) == 4).all() and (types[i] != types[j]).all())
        i, D = neighbor_list("iD", ATOMS[:4, :2], CELL[:2, :2], True, 2.6)
        self.assertEqual(D.shape, (len(i), 2))

    def test_nothing_is_an_array_too(self):
        for positions in (np.empty((0, 3)), ATOMS[:1]):
            i, S, d = neighbor_list("iSd", positions, None, False, 1.0)
            self.assertEqual((i.shape, S.shape, d.shape), ((0,), (0, 3), (0,)))

    def test_a_forked_process_builds_lists(self):
        expected = neighbor_list("j", ATOMS, CELL, True, 9.0, threads=2).sum()
        child = os.fork()
        if child == 0:
            os._exit(0 if neighbor_list("j", ATOMS, CELL, True, 9.0, threads=2).sum() == expected else 1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)

    def test_atoms_have_their_own_cell(self):
        class Atoms:  # what ASE's show of themselves
            positions, cell, pbc = np.array([[0.1, 0, 0], [1.9, 0.2, 0], [0.5, 1, 1]]), 2.0 * np.eye(3), np.array([True, False, True])

        right = neighbor_list("ijSd", Atoms.positions, Atoms.cell, Atoms.pbc, 1.7)
        found = neighbor_list("ijSd", Atoms(), cutoff=1.7)
        for a, b in zip(right, found, strict=True):
            np.testing.assert_array_equal(a, b)
        self.assertGreater(len(right[0]), 0)
        with self.assertRaisesRegex(ValueError, "cell is 1.7, and the atoms have their own"):
            neighbor_list("ij", Atoms(), 1.7)
        with self.assertRaisesRegex(TypeError, "cutoff is None; real numbers are right"):
            neighbor_list("ij", Atoms())
        with self.assertRaisesRegex(TypeError, "pbc is None"):
            neighbor_list("ij", Atoms.positions, Atoms.cell, cutoff=1.7)

    def test_mistakes_are_named(self):
        for error, words, arguments in (
            (ValueError, "cutoff is -1", {"cutoff": -1.0}),
            (ValueError, "not linearly independent", {"cell": np.zeros((3, 3))}),
            (ValueError, "atom 2 is at", {"positions": np.where(np.arange(24).reshape(8, 3) == 7, np.nan, ATOMS)}),
            (MemoryError, "needs", {"memory_limit": 100}),
            (ValueError, "quantities", {"quantities": "ix"}),
            (ValueError, "give the types", {"cutoff": [[1.0]]}),
            (ValueError, "give atoms × 2", {"positions": ATOMS[0]}),
            (ValueError, "give the cell", {"cell": None}),
        ):
            call = {"quantities": "ij", "positions": ATOMS, "cell": CELL, "pbc": True, "cutoff": 3.0, **arguments}
            with self.assertRaisesRegex(error, words):
                neighbor_list(**call)


class Skinned(unittest.TestCase):
    def expect_same(self, near, positions, *box, **options):
        for a, b in zip(near(positions, *box), neighbor_list("ijSDd", positions, *box, 4.0, **options), strict=True):
            self.assertEqual(a.dtype, b.dtype)
            np.testing.assert_array_equal(a, b)

    def test_gives_the_list_of_these_positions_and_builds_it_seldom(self):
        random = np.random.default_rng(3)
        for dtype in ("float32", "float64"):
            for half in (False, True):
                near = SkinnedNeighbors("ijSDd", 4.0, 0.6, half, dtype)
                positions = ATOMS.astype(dtype)
                for step in range(8):
                    self.expect_same(near, positions, CELL, True, half=half, dtype=dtype)
                    positions = positions + random.uniform(-0.02, 0.02, ATOMS.shape).astype(dtype)
                self.assertEqual(near.builds, 1)
                self.expect_same(near, positions + np.array([0.5, 0, 0], dtype), CELL, True, half=half, dtype=dtype)
                self.assertEqual(near.builds, 2)

    def test_is_built_again_for_another_box_or_other_atoms(self):
        near = SkinnedNeighbors("ijSDd", 4.0, 0.6)
        self.expect_same(near, ATOMS, CELL, True)
        self.expect_same(near, ATOMS, 1.01 * CELL, True)
        self.expect_same(near, ATOMS, CELL, (True, False, True))
        self.expect_same(near, ATOMS[:5], CELL, True)
        self.assertEqual(near.builds, 4)
        flat = SkinnedNeighbors("ij", 2.6, 0.3)
        for a, b in zip(flat(ATOMS[:4, :2], CELL[:2, :2], True), neighbor_list("ij", ATOMS[:4, :2], CELL[:2, :2], True, 2.6), strict=True):
            np.testing.assert_array_equal(a, b)

    def test_arrays_outlive_it_and_threads_take_turns(self):
        near = SkinnedNeighbors("ijSDd", 4.0, 0.6)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for found in pool.map(lambda _: near(ATOMS, CELL, True), range(40)):
                np.testing.assert_array_equal(found[1], near(ATOMS, CELL, True)[1])
        kept = near(ATOMS, CELL, True)
        before = [array.copy() for array in kept]
        del near
        gc.collect()
        for a, b in zip(kept, before, strict=True):
            np.testing.assert_array_equal(a, b)

    def test_mistakes_are_named(self):
        for error, words, arguments in (
            (ValueError, "the skin is -1", {"skin": -1}),
            (ValueError, "cutoff is", {"cutoff": [[1.0]]}),
            (ValueError, "cutoff is -1", {"cutoff": -1}),
            (TypeError, "skin is None", {"skin": None}),
            (ValueError, "quantities is 'x'", {"quantities": "x"}),
            (ValueError, "dtype is int32", {"dtype": "int32"}),
        ):
            with self.assertRaisesRegex(error, words):
                SkinnedNeighbors(**{"quantities": "ij", "cutoff": 3.0, "skin": 0.5, **arguments})
        near = SkinnedNeighbors("ij", 3.0, 0.5, memory_limit=100)
        with self.assertRaisesRegex(MemoryError, "needs"):
            near(ATOMS, CELL, True)
        with self.assertRaisesRegex(ValueError, "atom 2 is at"):
            near(np.where(np.arange(24).reshape(8, 3) == 7, np.nan, ATOMS), CELL, True)


if __name__ == "__main__":
    unittest.main(verbosity=2)
