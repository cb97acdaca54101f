"""Neighbour lists of atoms on a GPU are the processor's, are left there, and say what did not fit. The GPU is the simt device, as in
gpu_test.py."""
import contextlib
import gc
import threading
import types
import unittest

import numpy as np

import lanework
from lanework import SkinnedNeighbors, gpu, neighbor_list
from stand_in_torch import Graph, Older, OnGpu, Tensor, needs_kept_calls, on_gpu, torch

RANDOM = np.random.default_rng(5)
CELL = np.array([[5, 0, 0], [1, 4.5, 0], [-0.5, 1, 5.5]])
ATOMS = RANDOM.uniform(-0.5, 5.5, (90, 3))
TYPES = RANDOM.integers(0, 2, len(ATOMS)).astype(np.int32)
ALL = "ijSDd"


def there(array):
    return Tensor(on_gpu(np.ascontiguousarray(array)))


def room(capacity, dtype="float64", quantities=ALL):
    """Arrays for a list of that capacity, and its status, that hold something else."""
    forms = {"i": ((), "i4"), "j": ((), "i4"), "S": ((3,), "i4"), "D": ((3,), dtype), "d": ((), dtype)}
    return [on_gpu(np.full((capacity, *forms[letter][0]), 7, forms[letter][1])) for letter in quantities] + [on_gpu(np.full(4, 7, np.int64))]


class OnAGpu(unittest.TestCase):
    def expect_same(self, found, right):
        for a, b in zip(found, right, strict=True):
            self.assertIsInstance(a, Tensor)
            self.assertEqual(a.array.dtype, b.dtype)
            np.testing.assert_array_equal(a.array, b)

    def expect_padded(self, found, right):
        """Arrays longer than the list: behind it stands −1, or 0; the last is the status."""
        *arrays, status = found
        pairs = len(right[0])
        self.assertEqual((status[0], status[1], status[2], status[3]), (pairs, np.bincount(right[0]).max(), -1, -1))
        for letter, a, b in zip(ALL, arrays, right, strict=True):
            np.testing.assert_array_equal(a[:pairs], b)
            self.assertTrue((a[pairs:] == (-1 if letter in "ij" else 0)).all(), letter)

    def test_every_form_is_the_processors(self):
        table = {"cutoff": [[1.3, 1.7], [1.7, 0]], "types": TYPES}
        for dtype in ("float32", "float64"):
            atoms = ATOMS.astype(dtype)
            for positions, cell, pbc, options in (
                (atoms, CELL, True, {"cutoff": 1.6}),
                (atoms, CELL, (True, False, True), {"cutoff": 2.9, "half": True}),
                (atoms, CELL, True, {"cutoff": 1.9, "nearest": 3}),
                (atoms, CELL, True, table),
                (atoms, CELL, True, {"cutoff": [[0, 0], [0, 0]], "types": TYPES}),
                (atoms, (5, 6, 7), True, {"cutoff": 1.6}),
                (atoms, None, False, {"cutoff": 1.6}),
                (atoms[:, :2], CELL[:2, :2], True, {"cutoff": 0.7}),
                (atoms[:0], CELL, True, {"cutoff": 1.6}),
                (atoms[:1], None, False, {"cutoff": 1.6}),
            ):
                with self.subTest(dtype=dtype, options=options, cell=cell), torch() as module:
                    right = neighbor_list(ALL, positions, cell, pbc, **options)
                    given = options | ({"types": there(options["types"])} if "types" in options else {})
                    cells = [cell] if cell is None else [cell, there(np.asarray(cell, "float64"))]
                    for each in cells:
                        self.expect_same(neighbor_list(ALL, there(positions), each, pbc, **given), right)
                    self.assertEqual(module.asked, [0] * len(cells))
                    self.expect_same([neighbor_list("d", there(positions), cell, pbc, **given)], [right[4]])

    def test_a_cell_of_float32_is_read_as_it_is(self):
        cell = CELL.astype("float32")
        with torch():
            self.expect_same(neighbor_list(ALL, there(ATOMS), there(cell), True, 1.6), neighbor_list(ALL, ATOMS, cell, True, 1.6))

    def test_atoms_that_have_their_own_cell(self):
        atoms = types.SimpleNamespace(positions=there(ATOMS), cell=there(CELL), pbc=(True, True, False))
        with torch():
            self.expect_same(neighbor_list("ij", atoms, cutoff=1.6), neighbor_list("ij", ATOMS, CELL, atoms.pbc, 1.6))

    def test_given_arrays_are_filled_and_padded(self):
        right = neighbor_list(ALL, ATOMS, CELL, True, 1.6)
        pairs = len(right[0])
        for wrap in (Tensor, OnGpu):
            with torch():
                for capacity in (pairs, pairs + 50):
                    arrays = room(capacity)
                    out = [wrap(array) for array in arrays]
                    found = neighbor_list(ALL, wrap(on_gpu(ATOMS)), CELL, True, 1.6, out=out, stream=Graph().stream)
                    self.assertTrue(all(a is b for a, b in zip(found, out, strict=True)))
                    self.expect_padded(arrays, right)
        with torch():
            found = [one.array for one in neighbor_list(ALL, there(ATOMS), CELL, True, 1.6, capacity=pairs + 9)]
        self.assertEqual(len(found[0]), pairs + 9)
        self.expect_padded(found, right)

    def test_what_does_not_fit_is_counted_and_no_part_is_written(self):
        pairs = len(neighbor_list("i", ATOMS, CELL, True, 1.6))
        for capacity in (0, 1, pairs - 1):
            with torch():
                *arrays, status = (one.array for one in neighbor_list(ALL, there(ATOMS), CELL, True, 1.6, capacity=capacity))
            on_host = neighbor_list(ALL, ATOMS, CELL, True, 1.6, capacity=capacity)
            self.assertEqual(status[0], pairs)
            for a, b in zip((*arrays, status), on_host, strict=True):
                np.testing.assert_array_equal(a, b)
            self.assertTrue((arrays[0] == -1).all() and (arrays[3] == 0).all())

    def test_the_processor_fills_given_arrays_as_well(self):
        right = neighbor_list(ALL, ATOMS, CELL, True, 1.6)
        arrays = room(len(right[0]) + 5)
        found = neighbor_list(ALL, ATOMS, CELL, True, 1.6, out=arrays)
        self.assertTrue(all(a is b for a, b in zip(found, arrays, strict=True)))
        self.expect_padded(arrays, right)
        flat = neighbor_list("D", ATOMS[:, :2], CELL[:2, :2], True, 0.7, capacity=900)
        with torch():
            on_gpu_too = neighbor_list("D", there(ATOMS[:, :2]), CELL[:2, :2], True, 0.7, capacity=900)
        for a, b in zip(on_gpu_too, flat, strict=True):
            np.testing.assert_array_equal(a.array, b)
        near = SkinnedNeighbors(ALL, 1.6, 0.4)
        self.expect_padded(near(ATOMS, CELL, True, capacity=2000), right)

    def test_a_graph_is_replayed_with_other_atoms_and_another_box(self):
        positions, cell, kinds = there(ATOMS), there(CELL), there(TYPES)
        arrays, graph = room(2000), Graph()
        table = [[1.3, 1.7], [1.7, 0.9]]
        with torch(), graph:
            neighbor_list(ALL, positions, cell, True, table, types=kinds, out=[Tensor(array) for array in arrays], stream=graph.stream)
        self.assertEqual(arrays[0][0], 7)
        for scale in (1, 1.1, 0.95):
            positions.array[...] = RANDOM.uniform(-0.5, 5.5, ATOMS.shape)
            cell.array[...] = scale * CELL
            graph.replay()
            self.expect_padded(arrays, neighbor_list(ALL, positions.array, cell.array, True, table, types=TYPES))
        positions.array[...] = 1
        graph.replay()
        self.assertGreater(arrays[5][0], 2000)
        self.assertTrue((arrays[1] == -1).all())
        positions.array[17, 1] = np.nan
        graph.replay()
        self.assertEqual(arrays[5][2], 17)

    def test_what_must_be_waited_for_is_refused_in_a_capture_which_goes_on(self):
        x, near = there(ATOMS), SkinnedNeighbors("ij", 1.6, 0.3)
        arrays, graph = room(2000), Graph()
        with torch(), graph:
            with self.assertRaisesRegex(ValueError, "being captured, and this waits for the number of pairs; give capacity or out"):
                neighbor_list("ij", x, CELL, True, 1.6, stream=graph.stream)
            with self.assertRaisesRegex(ValueError, "being captured, and this waits for what a list with a skin decides"):
                near(x, CELL, True, capacity=9, stream=graph.stream)
            neighbor_list(ALL, x, CELL, True, 1.6, out=[Tensor(array) for array in arrays], stream=graph.stream)
        graph.replay()
        self.expect_padded(arrays, neighbor_list(ALL, ATOMS, CELL, True, 1.6))

    def test_types_and_atoms_that_are_wrong_are_found_on_the_gpu(self):
        wrong = TYPES.copy()
        wrong[[11, 40]] = 2, -1
        nan = ATOMS.copy()
        nan[23, 2] = np.nan
        far = ATOMS.copy()
        far[5] = 1e30
        table = [[1.3, 1.7], [1.7, 0]]
        with torch():
            for words, atoms, cell, cutoff, kinds, status in (
                ("atom 11 is of type 2; the table of cutoffs has types 0 to 1", ATOMS, CELL, table, wrong, (0, 0, 11, -1)),
                ("atom 23 is at .*; every coordinate must be finite", nan, CELL, 1.6, None, (0, 0, 23, -1)),
                ("atom 5 is at .* more than 2\\^28 boxes away", far, CELL, 1.6, None, (0, 0, 5, 0)),
                ("not linearly independent", ATOMS, there(np.ones((3, 3))), 1.6, None, (0, 0, -1, 0)),
                ("vector a of box 0 is .*; it must be finite", ATOMS, there(np.full((3, 3), np.nan)), 1.6, None, (0, 0, -1, 0)),
            ):
                kinds = None if kinds is None else there(kinds)
                with self.assertRaisesRegex(ValueError, words):
                    neighbor_list("ij", there(atoms), cell, True, cutoff, types=kinds)
                found = neighbor_list("ij", there(atoms), cell, True, cutoff, types=kinds, capacity=30)
                np.testing.assert_array_equal(found[-1].array, status)
                self.assertTrue((found[1].array == -1).all())
            with self.assertRaisesRegex(MemoryError, "needs"):
                neighbor_list("ij", there(ATOMS), CELL, True, 1.6, memory_limit=100)

    def test_what_cannot_be_meant_is_said_in_one_line(self):
        x, short, bad = there(ATOMS), room(20), OnGpu(ATOMS)
        with torch():
            for kind, words, call in (
                (ValueError, "positions holds int32; float32 and float64 are right on a GPU", lambda: neighbor_list("i", there(ATOMS.astype("i4")), CELL, True, 1)),
                (ValueError, "dtype is float32, and positions holds float64; on a GPU nothing is converted", lambda: neighbor_list("i", x, CELL, True, 1, dtype="float32")),
                (ValueError, "positions has the shape (90,); give atoms × 2", lambda: neighbor_list("i", there(ATOMS[:, 0]), CELL, True, 1)),
                (ValueError, "that is not contiguous; .contiguous()", lambda: neighbor_list("i", Tensor(on_gpu(ATOMS)[:, ::-1]), CELL, True, 1)),
                (ValueError, "cell has the shape (2,)", lambda: neighbor_list("i", x, there(CELL[0, :2]), True, 1)),
                (ValueError, "cell lies on cuda:0 and positions in the processor's memory", lambda: neighbor_list("i", ATOMS, there(CELL), True, 1)),
                (ValueError, "types lies in the processor's memory and positions on cuda:0", lambda: neighbor_list("i", x, CELL, True, [[1.0]], types=TYPES)),
                (ValueError, "types holds int64; int32 is right", lambda: neighbor_list("i", x, CELL, True, [[1.0]], types=there(TYPES.astype("i8")))),
                (ValueError, "types has the shape (5,)", lambda: neighbor_list("i", x, CELL, True, [[1.0]], types=there(TYPES[:5]))),
                (ValueError, "cutoff is a table: give the types", lambda: neighbor_list("i", x, CELL, True, [[1.0]])),
                (ValueError, "the table must be symmetric", lambda: neighbor_list("i", x, CELL, True, [[1.0, 2], [1, 1]], types=there(TYPES))),
                (ValueError, "the cutoff is -1;", lambda: neighbor_list("i", x, CELL, True, -1.0)),
                (ValueError, "not linearly independent", lambda: neighbor_list("i", x, np.ones((3, 3)), True, 1, capacity=1)),
                (ValueError, "nearest", lambda: neighbor_list("i", x, CELL, True, 1, half=True, nearest=2)),
                (TypeError, "pbc is None", lambda: neighbor_list("i", x, there(CELL), cutoff=1)),
                (TypeError, "out is 5; (i, j, status) is right", lambda: neighbor_list("ij", x, CELL, True, 1, out=5)),
                (TypeError, "(i, status) is right", lambda: neighbor_list("i", x, CELL, True, 1, out=[Tensor(one) for one in short[:1]])),
                (ValueError, "out's j is an array (20, 3) of int32", lambda: neighbor_list("ij", x, CELL, True, 1, out=[Tensor(one) for one in (short[0], short[2], short[5])])),
                (ValueError, "out's status is an array (20,) of int32 on cuda:0; an array (4,) of int64", lambda: neighbor_list("i", x, CELL, True, 1, out=[Tensor(short[0])] * 2)),
                (ValueError, "out's d shares memory with an input", lambda: neighbor_list("d", x, CELL, True, 1, out=[Tensor(x.array.reshape(-1)), Tensor(short[5])])),
                (ValueError, "quantities is 'ii'; each letter once", lambda: neighbor_list("ii", x, CELL, True, 1, capacity=5)),
                (ValueError, "capacity is -1", lambda: neighbor_list("i", x, CELL, True, 1, capacity=-1)),
                (TypeError, "capacity is 2.5", lambda: neighbor_list("i", ATOMS, CELL, True, 1, capacity=2.5)),
                (ValueError, "stream is given, and positions lies in the processor's memory", lambda: neighbor_list("i", ATOMS, CELL, True, 1, stream=0)),
                (TypeError, "out is needed", lambda: neighbor_list("i", bad, CELL, True, 1)),
                (ValueError, "out's i cannot be written", lambda: neighbor_list("i", bad, CELL, True, 1, out=(OnGpu(short[0], frozen=True), OnGpu(short[5])))),
            ):
                with self.assertRaises(kind, msg=words) as raised:
                    call()
                self.assertIn(words, str(raised.exception))
                self.assertNotIn("\n", str(raised.exception))


class Again(unittest.TestCase):
    """Calls that were made before go to the library at once."""

    @contextlib.contextmanager
    def unseen(self):
        """Nothing is looked at while it lasts."""
        before, gpu.tensor = gpu.tensor, None
        try:
            yield
        finally:
            gpu.tensor = before

    def expect_same(self, found, right):
        OnAGpu.expect_same(self, found, right)

    @needs_kept_calls
    def test_lists_of_other_positions_are_theirs(self):
        table = {"cutoff": [[1.3, 1.7], [1.7, 0]], "types": TYPES}
        with torch():
            for cell, options in ((CELL, {"cutoff": 1.6}), ([5, 6, 7.0], {"cutoff": 1.6, "half": True}), (there(CELL), {"cutoff": 1.6}), (CELL, table)):
                given = options | ({"types": there(TYPES)} if "types" in options else {})
                on_host = getattr(cell, "array", cell)
                neighbor_list(ALL, there(ATOMS), cell, True, **given)
                neighbor_list("d", there(ATOMS), cell, True, **given)
                arrays = [room(2500), room(2500)]
                neighbor_list(ALL, there(ATOMS), cell, True, out=[Tensor(one) for one in arrays[0]], **given)
                neighbor_list(ALL, there(ATOMS), cell, True, capacity=2500, **given)
                for positions in (ATOMS, ATOMS[::-1] * 1.1, np.full(ATOMS.shape, 0.5) + 0.001 * ATOMS, 40 * ATOMS):
                    right = neighbor_list(ALL, positions, on_host, True, **options)
                    with self.unseen():
                        self.expect_same(neighbor_list(ALL, there(positions), cell, True, **given), right)
                        self.expect_same([neighbor_list("d", there(positions), cell, True, **given)], [right[4]])
                        found = neighbor_list(ALL, there(positions), cell, True, out=[Tensor(one) for one in arrays[1]], **given)
                        new = neighbor_list(ALL, there(positions), cell, True, capacity=2500, **given)
                    self.assertIs(found[3].array, arrays[1][3])
                    for one in (arrays[1], [each.array for each in new]):
                        if len(right[0]) <= 2500 and len(right[0]):
                            OnAGpu.expect_padded(self, one, right)

    def test_another_cell_is_another_call(self):
        with torch():
            for cell in (CELL, 1.1 * CELL, CELL.astype("float32"), CELL.T):
                for _ in range(2):
                    self.expect_same(neighbor_list(ALL, there(ATOMS), cell, True, 1.6), neighbor_list(ALL, ATOMS, cell, True, 1.6))

    def test_what_is_wrong_is_said_as_at_first(self):
        nan = ATOMS.copy()
        nan[7, 2] = np.nan
        with torch():
            near = SkinnedNeighbors("ij", 1.6, 0.4)
            for _ in range(2):
                for call in (lambda x: neighbor_list("ij", x, CELL, True, 1.6), lambda x: near(x, CELL, True)):
                    call(there(ATOMS))
                    with self.assertRaisesRegex(ValueError, "atom 7 is at"):
                        call(there(nan))
                x = there(ATOMS)
                status = on_gpu(np.zeros(4, np.int64))
                neighbor_list("i", x, CELL, True, 1.6, out=(Tensor(on_gpu(np.zeros(9, np.int32))), Tensor(status)))
                with self.assertRaisesRegex(ValueError, "shares memory"):
                    neighbor_list("i", x, CELL, True, 1.6, out=(Tensor(x.array.view(np.int32)[:3].reshape(-1)[:9]), Tensor(status)))

    @needs_kept_calls
    def test_a_skin_is_that_of_its_list(self):
        with torch():
            lists = [SkinnedNeighbors(ALL, cutoff, 0.4) for cutoff in (1.6, 1.2)]
            for near in lists:
                near(there(ATOMS), CELL, True)
            positions = ATOMS.copy()
            for step in range(8):
                for near, cutoff in zip(lists, (1.6, 1.2)):
                    with self.unseen():
                        self.expect_same(near(there(positions), CELL, True), neighbor_list(ALL, positions, CELL, True, cutoff))
                positions = positions + RANDOM.uniform(-0.1, 0.1, ATOMS.shape)
            self.assertTrue(1 < lists[0].builds < 9)
            lists[0] = near = None
            gc.collect()
            self.expect_same(lists[1](there(ATOMS), CELL, True), neighbor_list(ALL, ATOMS, CELL, True, 1.2))


class CapturedSkin(unittest.TestCase):
    """With a room for its wide list a list with a skin waits for nothing."""

    def test_a_graph_decides_whether_it_is_built(self):
        with torch():
            for dtype in ("float64", "float32"):
                near, on_host = SkinnedNeighbors(ALL, 1.6, 0.4, room=9000), SkinnedNeighbors(ALL, 1.6, 0.4, dtype=dtype)
                arrays, x = room(2500, dtype), there(ATOMS.astype(dtype))
                graph = Graph()
                with graph:
                    near(x, CELL, True, out=[Tensor(array) for array in arrays], stream=graph.stream)
                self.assertTrue((arrays[0] == 7).all(), "the call has written while it was captured")
                for step in range(12):
                    graph.replay()
                    right = on_host(x.array, CELL, True)
                    OnAGpu.expect_padded(self, arrays, right)
                    self.assertEqual(near.builds, on_host.builds)
                    x.array[...] += RANDOM.uniform(-0.06, 0.06, ATOMS.shape).astype(dtype)
                self.assertTrue(1 < near.builds < 12, near.builds)

    def test_a_box_on_the_gpu_that_changes_builds_it(self):
        with torch():
            near, cell, arrays, graph = SkinnedNeighbors(ALL, 1.6, 0.4, room=9000), there(CELL), room(2500), Graph()
            with graph:
                near(there(ATOMS), cell, True, out=[Tensor(array) for array in arrays], stream=graph.stream)
            for scale, builds in ((1, 1), (1, 1), (1.1, 2), (1.1, 2), (1, 3)):
                cell.array[...] = scale * CELL
                graph.replay()
                OnAGpu.expect_padded(self, arrays, neighbor_list(ALL, ATOMS, scale * CELL, True, 1.6))
                self.assertEqual(near.builds, builds)

    def test_what_is_wrong_and_what_has_no_room_stands_in_the_status(self):
        positions = ATOMS.copy()
        with torch():
            near, arrays = SkinnedNeighbors(ALL, 1.6, 0.4, room=9000), room(2500)
            for x, bad in ((0.5, -1), (np.nan, 7), (0.5, -1)):
                positions[7, 2] = x
                near(there(positions), CELL, True, out=[Tensor(array) for array in arrays])
                self.assertEqual(arrays[-1][2], bad)
                if bad < 0:
                    OnAGpu.expect_padded(self, arrays, neighbor_list(ALL, positions, CELL, True, 1.6))
                else:
                    self.assertTrue(arrays[-1][0] == 0 and (arrays[0] == -1).all() and (arrays[2] == 0).all())
            wide = len(neighbor_list("i", ATOMS, CELL, True, 2.0))
            for pairs, fits in ((wide - 1, False), (wide, True)):
                *lists, status = SkinnedNeighbors(ALL, 1.6, 0.4, room=pairs)(there(ATOMS), CELL, True, capacity=pairs)
                if fits:
                    OnAGpu.expect_padded(self, [one.array for one in (*lists, status)], neighbor_list(ALL, ATOMS, CELL, True, 1.6))
                else:
                    self.assertEqual(status.array.tolist(), [wide, 0, -1, -1])
                    self.assertTrue((lists[0].array == -1).all())

    def test_what_it_is_not_for_is_refused(self):
        with torch():
            near = SkinnedNeighbors("ij", 1.6, 0.4, room=2000)
            near(there(ATOMS), CELL, True, capacity=2000)
            for words, call in (
                ("neither capacity nor out", lambda: near(there(ATOMS), CELL, True)),
                ("for 90 atoms in 3 dimensions, in a box", lambda: near(there(ATOMS[:50]), CELL, True, capacity=9)),
                ("for 90 atoms in 3 dimensions, in a box", lambda: near(there(ATOMS), None, False, capacity=9)),
                ("of one GPU and one type", lambda: near(there(ATOMS.astype("float32")), CELL, True, capacity=9)),
                ("capacity is 2001; at most that of the wide list, 2000", lambda: near(there(ATOMS), CELL, True, capacity=2001)),
                ("room is -1", lambda: SkinnedNeighbors("ij", 1.6, 0.4, room=-1)),
            ):
                with self.assertRaisesRegex(ValueError, words):
                    call()
            with self.assertRaisesRegex(MemoryError, "needs"):
                SkinnedNeighbors("ij", 1.6, 0.4, room=2000, memory_limit=100)(there(ATOMS), CELL, True, capacity=9)
        on_host = SkinnedNeighbors("ij", 1.6, 0.4, room=2000)  # the room is a GPU's
        np.testing.assert_array_equal(on_host(ATOMS, CELL, True)[0], neighbor_list("i", ATOMS, CELL, True, 1.6))


class SkinnedOnAGpu(unittest.TestCase):
    def expect_same(self, near, positions, *box, **options):
        right = neighbor_list(ALL, positions, *box, 1.6, **options)
        for a, b in zip(near(there(positions), *box), right, strict=True):
            self.assertIsInstance(a, Tensor)
            self.assertEqual(a.array.dtype, b.dtype)
            np.testing.assert_array_equal(a.array, b)

    def test_gives_the_list_of_these_positions_and_builds_it_when_the_processor_does(self):
        for dtype in ("float32", "float64"):
            for half in (False, True):
                with torch():
                    near, on_host = SkinnedNeighbors(ALL, 1.6, 0.4, half), SkinnedNeighbors(ALL, 1.6, 0.4, half, dtype)
                    positions = ATOMS.astype(dtype)
                    for _ in range(25):
                        self.expect_same(near, positions, CELL, True, half=half)
                        on_host(positions, CELL, True)
                        self.assertEqual(near.builds, on_host.builds)
                        positions = positions + RANDOM.uniform(-0.04, 0.04, ATOMS.shape).astype(dtype)
                    self.assertTrue(1 < near.builds < 20, near.builds)

    def test_moves_by_half_of_the_skin_decide(self):
        moved = ATOMS.copy()
        with torch():
            near = SkinnedNeighbors(ALL, 1.6, 0.4)
            for distance, builds in ((0, 1), (0.1999, 1), (0.2001, 2), (0.2001, 2)):
                moved[88, 1] = ATOMS[88, 1] + distance
                self.expect_same(near, moved, CELL, True)
                self.assertEqual(near.builds, builds)
            thin = SkinnedNeighbors(ALL, 1.6, 0)
            for positions, builds in ((ATOMS, 1), (ATOMS, 1), (ATOMS + 1e-9, 2)):
                self.expect_same(thin, positions, CELL, True)
                self.assertEqual(thin.builds, builds)

    def test_is_built_again_for_another_box_or_other_atoms(self):
        with torch():
            near = SkinnedNeighbors(ALL, 1.6, 0.4)
            for k, (positions, *box) in enumerate((
                (ATOMS, CELL, True), (ATOMS, 1.01 * CELL, True), (ATOMS, CELL, (True, False, True)), (ATOMS[:50], CELL, True), (ATOMS, None, False),
                (ATOMS.astype("float32"), None, False), (ATOMS[:, :2], CELL[:2, :2], True), (ATOMS[:0], CELL, True), (ATOMS, CELL, True),
            )):
                self.expect_same(near, positions, *box)
                self.assertEqual(near.builds, k + 1)
            cell = there(CELL)
            for _ in range(2):
                near(there(ATOMS), cell, True)
            self.assertEqual(near.builds, 9)
            cell.array[2, 2] += 1
            near(there(ATOMS), cell, True)
            self.assertEqual(near.builds, 10)

    def test_given_arrays_and_more_atoms_than_before(self):
        arrays = room(2500)
        with torch():
            near, positions = SkinnedNeighbors(ALL, 1.6, 0.4), ATOMS.copy()
            for step in range(6):
                right = neighbor_list(ALL, positions, CELL, True, 1.6)
                found = near(there(positions), CELL, True, out=[Tensor(array) for array in arrays], stream=Graph().stream)
                self.assertIs(found[0].array, arrays[0])
                OnAGpu.expect_padded(self, arrays, right)
                positions = positions + 0.05
                if step == 3:
                    positions = np.concatenate((positions, positions[:30] + 0.3))
            *lists, status = near(there(positions), CELL, True, capacity=5)
            self.assertGreater(status.array[0], 5)
            self.assertTrue((lists[0].array == -1).all())
        out = [OnGpu(array) for array in arrays]
        near(OnGpu(on_gpu(positions)), CELL, True, out=out)
        OnAGpu.expect_padded(self, arrays, neighbor_list(ALL, positions, CELL, True, 1.6))

    @needs_kept_calls
    def test_a_call_that_is_made_again_waits_for_its_turn(self):
        with torch():
            near, x, out = SkinnedNeighbors("ij", 1.6, 0.4), there(ATOMS), [Tensor(array) for array in room(2500, quantities="ij")]
            for _ in range(2):
                near(x, CELL, True, out=out)
            again = threading.Thread(target=near, args=(x, CELL, True), kwargs={"out": out})
            with near._turn:
                again.start()
                again.join(0.2)
                self.assertTrue(again.is_alive())
            again.join(20)
            self.assertFalse(again.is_alive())
            nan = ATOMS.copy()
            nan[7, 2] = np.nan
            with self.assertRaisesRegex(ValueError, "atom 7 is at"):  # and gives it back
                near(there(nan), CELL, True, out=out)
            done = []
            once_more = threading.Thread(target=lambda: done.append(near(x, CELL, True, out=out)), daemon=True)
            once_more.start()
            once_more.join(20)
            self.assertEqual(len(done), 1)
            with self.assertRaisesRegex(RuntimeError, "nobody has"):
                near._turn.__exit__(None, None, None)

    def test_arrays_outlive_it(self):
        with torch():
            near = SkinnedNeighbors("ijd", 1.6, 0.4)
            found = near(there(ATOMS), CELL, True)
            before = [one.array.copy() for one in found]
            near(there(ATOMS + 1), CELL, True)
            del near
            gc.collect()
        for a, b in zip(found, before, strict=True):
            np.testing.assert_array_equal(a.array, b)

    def test_mistakes_are_named_and_the_next_call_is_right(self):
        nan = ATOMS.copy()
        nan[7, 2] = np.nan
        with torch():
            near = SkinnedNeighbors(ALL, 1.6, 0.4)
            for _ in range(2):
                self.expect_same(near, ATOMS, CELL, True)
                with self.assertRaisesRegex(ValueError, "atom 7 is at"):
                    near(there(nan), CELL, True)
                with self.assertRaisesRegex(ValueError, "not linearly independent"):
                    near(there(ATOMS), there(np.ones((3, 3))), True)
            with self.assertRaisesRegex(MemoryError, "needs"):
                SkinnedNeighbors("ij", 1.6, 0.4, memory_limit=100)(there(ATOMS), CELL, True)
            with self.assertRaisesRegex(ValueError, "dtype is float32, and positions holds float64"):
                SkinnedNeighbors("ij", 1.6, 0.4, dtype="float32")(there(ATOMS), CELL, True)


class OnAGpuOfOlderPyTorch(Older, OnAGpu):
    """The same tests."""


class AgainOfOlderPyTorch(Older, Again):
    """The same tests."""


class CapturedSkinOfOlderPyTorch(Older, CapturedSkin):
    """The same tests."""


class SkinnedOnAGpuOfOlderPyTorch(Older, SkinnedOnAGpu):
    """The same tests."""


if __name__ == "__main__":
    unittest.main()
