"""Every argument of lanework's functions is checked before it is narrowed: what is wrong, where, and what would be right."""
import random
import subprocess
import sys
import unittest

import lanework
import numpy as np

IMAGE = np.arange(8 * 9 * 3, dtype=np.uint8).reshape(8, 9, 3)
ATOMS = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]])
TABLE = [[1.5, 1.5], [1.5, 1.5]]


def atoms(**arguments):
    return lanework.neighbor_list(
        **{"quantities": "ij", "positions": ATOMS, "cell": None, "pbc": False, "cutoff": 1.5, **arguments}
    )


class Layout:
    """One way in which an array of a shape can lie within a larger one, chosen at random: with gaps, steps, backwards, by columns."""

    def __init__(self, draw, shape):
        self.order = list(range(len(shape)))
        if draw.random() < 0.2:
            draw.shuffle(self.order)
        wild = draw.random() < 0.3
        self.slices, self.whole = [], []
        for axis in self.order:  # of the whole, from the outermost
            before, behind = (draw.choice((0, 0, 1, 3)) for _ in range(2))
            step = draw.choice((1, 2, -1, -2)) if wild else draw.choice((1, 1, 1, 2)) if axis != self.order[-1] else 1
            length = shape[axis]
            span = (length - 1) * abs(step) + 1 if length else 0
            first, last = (before, before + span) if step > 0 else (before + span - 1, before - 1)
            empty = slice(before, before)
            self.slices.append(slice(first, None if last < 0 else last, step) if length else empty)
            self.whole.append(before + span + behind)

    def view(self, whole):
        return whole[(*self.slices, ...)].transpose(np.argsort(self.order).astype(int))


def filled(random, shape, dtype):
    least, beyond = (0, 256) if np.dtype(dtype).kind == "u" else (-4, 5)
    return np.asarray(random.integers(least, beyond, shape)).astype(dtype)


def lying(draw, random, shape, dtype):
    layout = Layout(draw, shape)
    whole = filled(random, layout.whole, dtype)
    return layout, whole, layout.view(whole)


# Each function: the call, the shapes and types of its inputs, the type of its output and its shape, and what NumPy makes of the same numbers.
def elementwise(draw, shape):
    return draw.choice((
        (lambda x, y, **o: lanework.add(x, y, **o), [(shape, "float32")] * 2, "float32", shape, lambda x, y: x + y),
        (lambda x, **o: lanework.gelu(x, **o), [(shape, "float32")], "float32", shape, lambda x: lanework.gelu(x.copy("C"))),
        (lambda x, **o: lanework.gelu(x, "tanh", **o), [(shape, "float16")], "float16", shape, lambda x: lanework.gelu(x.copy("C"), "tanh")),
    ))


def folding(draw, shape):
    dtype = draw.choice(("float32", "float64", "int32"))
    form = draw.choice(lanework.arrays.REDUCE_FORMS)
    makes = "int64" if form.startswith("arg") else dtype
    empty = {"sum": 0, "argmin": -1, "argmax": -1}
    right = lambda x: getattr(np, form)(x) if x.size else empty.get(form, lanework.reduce(np.zeros(0, dtype), form))
    return draw.choice((
        (lambda x, **o: lanework.reduce(x, form, **o), [(shape, dtype)], makes, (), right),
        (lambda x, **o: lanework.reproducible_sum(x, **o), [(shape, dtype)], dtype, (), lambda x: x.sum(dtype=dtype)),
        (lambda x, **o: lanework.histogram(x, **o), [(shape, "uint8")], "uint64", (256,), lambda x: np.bincount(x.ravel(), minlength=256)),
    ))


def of_matrices(draw, shape):
    m, n, k = (draw.choice((0, 1, 2, 5, 9)) for _ in range(3))
    dtype = draw.choice(("float32", "int32"))
    return draw.choice((
        (lambda a, b, **o: lanework.matmul(a, b, **o), [((m, n), dtype), ((n, k), dtype)], dtype, (m, k), lambda a, b: a @ b),
        (lambda a, **o: lanework.transpose(a, **o), [((m, n), dtype)], dtype, (n, m), lambda a: a.T),
        (lambda a, **o: lanework.blur(a, **o), [((m, n), "uint8")], "uint8", (m, n), lambda a: lanework.blur(a.copy("C"))),
    ))


class Arguments(unittest.TestCase):
    def test_wherever_arrays_lie_the_answer_is_right_and_nothing_else_is_written(self):
        draw, random_of = random.Random(5), np.random.default_rng(5)
        answers, refused, in_gaps = 0, 0, 0
        for _ in range(2500):
            shape = tuple(draw.choice((0, 1, 2, 3, 8, 70)) for _ in range(draw.choice((0, 1, 2, 2, 2, 3))))
            call, given, makes, made, right = draw.choice((elementwise, elementwise, folding, of_matrices))(draw, shape)
            inputs = [lying(draw, random_of, *one) for one in given]
            layout, whole, out = lying(draw, random_of, made, makes)
            how = draw.choice(("new", "own", "own", "frozen", "shared", "in place"))
            if how == "shared":  # a part of the array that an input is a part of
                layout, whole = Layout(draw, made), inputs[0][1]
                if len(layout.whole) != whole.ndim or any(a > b for a, b in zip(layout.whole, whole.shape)) or whole.dtype != makes:
                    continue
                out = layout.view(whole)
            elif how == "in place":
                layout, whole, out = inputs[0]
                if out.shape != made or out.dtype != makes:
                    continue
            elif how == "frozen":
                out = out.view()
                out.flags.writeable = False
            arrays, before = [view for _, _, view in inputs], [each.copy() for _, each, _ in inputs]
            wanted = right(*[view.copy("C") for view in arrays])
            kept = whole.copy()
            options = {} if how == "new" else {"out": out}
            try:
                found = call(*arrays, threads=draw.choice((1, 1, 1, 1, 1, 1, 1, 1, 1, 2)), **options)
            except (TypeError, ValueError) as error:
                refused += 1
                self.assertNotIn("\n", str(error))
                np.testing.assert_array_equal(whole, kept)
                continue
            answers += 1
            in_gaps += how == "shared" and whole.size > 0
            self.assertNotEqual(how, "frozen")
            np.testing.assert_array_equal(found, wanted)
            if how != "new":
                self.assertIs(found, out)
                layout.view(kept)[...] = wanted
                np.testing.assert_array_equal(whole, kept)  # and nothing beside it
            for (_, each, _), was in zip(inputs, before):
                if each is not whole:
                    np.testing.assert_array_equal(each, was)
        self.assertGreater(answers, 600)
        self.assertGreater(refused, 200)
        self.assertGreater(in_gaps, 2)

    def refused(self, error, words, call):
        with self.assertRaisesRegex(error, words) as caught:
            call()
        self.assertNotIn("\n", str(caught.exception))

    def test_a_free_threaded_interpreter_is_given_no_module_of_the_stable_abi(self):
        script = "import sys; sys.abiflags += 't'; import lanework.repeated as r; print(r._repeated)"
        said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        self.assertEqual((said.stdout, said.stderr), ("None\n", ""))

    def test_whole_numbers_are_whole_and_in_range(self):
        for error, words, call in (
            (ValueError, "nearest is 4294967297; from 0 to 2147483647", lambda: atoms(nearest=2**32 + 1)),
            (ValueError, "nearest is -1", lambda: atoms(nearest=-1)),
            (TypeError, "nearest is 1.5; a whole number", lambda: atoms(nearest=1.5)),
            (TypeError, "nearest is True; a whole number", lambda: atoms(nearest=True)),
            (ValueError, "threads is -1; from 0 to 1024", lambda: atoms(threads=-1)),
            (ValueError, "threads is 4294967297", lambda: lanework.blur(IMAGE, threads=2**32 + 1)),
            (TypeError, "threads is 1.5", lambda: lanework.gray(IMAGE, threads=1.5)),
            (ValueError, "memory_limit is -1", lambda: atoms(memory_limit=-1)),
            (ValueError, "memory_limit is 18446744073709551616", lambda: atoms(memory_limit=2**64)),
            (TypeError, "the height\\) is 3.7; a whole number", lambda: lanework.resize(IMAGE, (3.7, 3.2))),
            (TypeError, "the height\\) is 36.5; a whole number", lambda: lanework.resize(IMAGE, (36.5, 5))),
            (TypeError, "the width\\) is True", lambda: lanework.warp(IMAGE, np.eye(2, 3), (5, True))),
            (ValueError, "the height\\) is 2147483648; from 0 to", lambda: lanework.letterbox(IMAGE, (2**31, 1))),
            (ValueError, "size is \\(1, 2, 3\\); \\(height, width\\)", lambda: lanework.tensor(IMAGE, (1, 2, 3))),
            (TypeError, "size is 5; \\(height, width\\)", lambda: lanework.resize(IMAGE, 5)),
        ):
            self.refused(error, words, call)
        self.assertEqual(lanework.resize(IMAGE, (np.int64(3), np.uint8(4))).shape, (3, 4, 3))
        self.assertEqual(len(atoms(nearest=np.int32(1), threads=np.uint8(1))[0]), 3)

    def test_real_numbers_are_numbers_that_their_type_can_hold(self):
        for error, words, call in (
            (ValueError, "scale is 1e\\+300; a finite float32", lambda: lanework.tensor(IMAGE, (4, 4), scale=1e300)),
            (ValueError, "scale is nan; a finite float32", lambda: lanework.tensor(IMAGE, (4, 4), scale=np.nan)),
            (TypeError, "scale is None; real numbers", lambda: lanework.tensor(IMAGE, (4, 4), scale=None)),
            (ValueError, "scale is \\[1, 2\\]; one number", lambda: lanework.tensor(IMAGE, (4, 4), scale=[1, 2])),
            (ValueError, "pad has 1e\\+300; what float32 can", lambda: lanework.letterbox(IMAGE, (4, 4), pad=1e300)),
            (TypeError, "border is 'x'; real numbers", lambda: lanework.warp(IMAGE, np.eye(2, 3), border="x")),
            (TypeError, "matrix is None; real numbers", lambda: lanework.warp(IMAGE, None)),
            (TypeError, "mean is .* real numbers", lambda: lanework.tensor(IMAGE, (4, 4), mean=[1, [2, 3]])),
            (TypeError, "cutoff is '3'; real numbers", lambda: atoms(cutoff="3")),
            (TypeError, "cutoff is None; real numbers", lambda: atoms(cutoff=None)),
            (ValueError, "cutoff is 10000.* what float64 can", lambda: atoms(cutoff=10**400)),
            (ValueError, "positions has 1e\\+300; what float32", lambda: atoms(positions=1e300 * ATOMS, dtype="float32")),
            (TypeError, "of complex128; real numbers", lambda: atoms(positions=ATOMS * 1j)),
            (TypeError, "cell is .* of complex128", lambda: atoms(cell=np.eye(3) * 1j)),
            (TypeError, "types is .*; whole numbers", lambda: atoms(cutoff=TABLE, types=[0.0, 1.0, 0.5])),
            (ValueError, "types has 4294967296; what int32", lambda: atoms(cutoff=TABLE, types=[0, 1, 2**32])),
        ):
            self.refused(error, words, call)
        self.assertEqual(len(atoms(cutoff=10**30)[0]), 6)

    def test_flags_words_and_types_are_those_that_there_are(self):
        for error, words, call in (
            (TypeError, "half is 2; True or False", lambda: atoms(half=2)),
            (TypeError, "half is 'no'; True or False", lambda: atoms(half="no")),
            (TypeError, "scale_up is None", lambda: lanework.letterbox(IMAGE, (4, 4), scale_up=None)),
            (TypeError, "swap_red_blue is 'bgr'", lambda: lanework.tensor(IMAGE, (4, 4), swap_red_blue="bgr")),
            (TypeError, "pbc is 'xyz'; give one bool", lambda: atoms(pbc="xyz")),
            (TypeError, "pbc is 2; give one bool", lambda: atoms(pbc=2)),
            (TypeError, "form is 3; there are: opencv", lambda: lanework.gray(IMAGE, 3)),
            (TypeError, "quantities is 5; a text", lambda: atoms(quantities=5)),
            (TypeError, "dtype is 'foo'; float32 and float64", lambda: atoms(dtype="foo")),
            (ValueError, "dtype is int8; float32 and float16", lambda: lanework.tensor(IMAGE, (4, 4), dtype="int8")),
        ):
            self.refused(error, words, call)

    def test_images_are_arrays(self):
        for error, words, call in (
            (TypeError, "image is None; an image is an array of uint8 or float32", lambda: lanework.gray(None)),
            (TypeError, "image is 'a.png'; an image is an array", lambda: lanework.blur("a.png")),
            (TypeError, "images is None; an array of uint8", lambda: lanework.resize(None, (3, 3))),
            (TypeError, "images\\[1\\] is None; an image is an array", lambda: lanework.tensor([IMAGE, None], (3, 3))),
            (ValueError, "images\\[0\\] is an image of int64", lambda: lanework.resize([[[1, 2]]], (3, 3))),
            (TypeError, "out is list; an array \\(8, 9, 3\\)", lambda: lanework.blur(IMAGE, out=[1])),
            (TypeError, "out is 7; a list of arrays", lambda: lanework.resize([IMAGE], (3, 3), out=7)),
            (MemoryError, "an array \\(1, 3, 2147483647, 2147483647\\)", lambda: lanework.tensor(IMAGE, (2**31 - 1,) * 2)),
        ):
            self.refused(error, words, call)

    def test_atoms_at_the_end_of_the_numbers_have_the_neighbours_that_they_have(self):
        for far in (1e308, -1.7e308, np.finfo(np.float64).max):
            self.assertEqual(len(atoms(positions=[[0, 0, far]], cutoff=0.5)[0]), 0)
        self.refused(ValueError, "cutoff is 5e-324; it must be from 1.5e-154", lambda: atoms(cutoff=5e-324))
        self.refused(
            ValueError,
            "atom 1 is at .* where rounding alone reaches through",
            lambda: atoms(positions=[[0, 0, 0], [0, 1e30, 0]], cell=(5, 5, 5), pbc=(False, False, True)),
        )


if __name__ == "__main__":
    unittest.main()
