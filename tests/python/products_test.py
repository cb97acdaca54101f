"""lanework's products, transposes, sums, histograms and GELU are NumPy's, whatever their strides, and say what is wrong."""
import ast
import inspect
import math
import os
import random
import re
import subprocess
import sys
import unittest

import numpy as np

import lanework

RANDOM = np.random.default_rng(1)


def matrix(rows, cols, dtype=np.float32):
    drawn = RANDOM.integers(-(2**31), 2**31, (rows, cols)) if dtype == np.int32 else RANDOM.uniform(-1, 1, (rows, cols))
    return drawn.astype(dtype)


def strided(values):
    """The same values in every way in which they may lie."""
    wide = np.zeros((values.shape[0], values.shape[1] + 3), values.dtype)
    wide[:, 1:-2] = values
    yield from (values, wide[:, 1:-2], np.asfortranarray(values), values[::-1][::-1], np.repeat(values, 2, axis=1)[:, ::2])


def of_brain(bits):
    """What bfloat16 says, by the bits."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def of_e4m3(bits):
    """What float8_e4m3 says."""
    sign, exponent, fraction = bits >> 7, (bits >> 3 & 15).astype(int), (bits & 7).astype(float)
    magnitude = np.where(exponent == 0, fraction * 2.0**-9, (8 + fraction) * 2.0 ** (exponent - 10.0))
    return np.where(sign == 1, -magnitude, magnitude)


def gelu_with_erf(x):
    return np.vectorize(lambda one: one / 2 * math.erfc(-one / math.sqrt(2)), otypes=[float])(x)


def gelu_with_tanh(x):
    return x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


class Foreign:
    """Somebody else's array."""

    def __init__(self, array, device=(1, 0)):
        self.array, self.device = array, device

    def __dlpack__(self, **given):
        return self.array.__dlpack__(**given)

    def __dlpack_device__(self):
        return self.device


class BatchesTest(unittest.TestCase):
    def test_are_numpys_however_they_lie(self):
        for count, m, n, k in ((3, 5, 7, 4), (1, 1, 1, 1), (0, 2, 3, 4), (2, 70, 0, 3), (4, 65, 33, 300)):
            a, b = RANDOM.uniform(-1, 1, (count, m, n)).astype(np.float32), RANDOM.uniform(-1, 1, (count, n, k)).astype(np.float32)
            exact = a.astype(float) @ b.astype(float)
            wide = np.zeros((count, m + 1, n + 3), np.float32)
            wide[:, 1:, 2:-1] = a
            columns = np.ascontiguousarray(b.transpose(0, 2, 1)).transpose(0, 2, 1)
            heads = np.ascontiguousarray(a.transpose(1, 0, 2)).transpose(1, 0, 2)
            for x in (a, wide[:, 1:, 2:-1], heads, a[::-1].copy()[::-1], np.asfortranarray(a)):
                for y in (b, columns, np.repeat(b, 2, axis=2)[:, :, ::2]):
                    np.testing.assert_allclose(lanework.batched_matmul(x, y, threads=2), exact, atol=n * 1e-6)
            out = np.full((count, m, k + 2), 7, np.float32)
            self.assertIs(lanework.batched_matmul(a, b, out=(part := out[:, :, 1:-1])), part)
            np.testing.assert_allclose(part, exact, atol=n * 1e-6)
            self.assertTrue((out[:, :, [0, -1]] == 7).all())
            halves = lanework.batched_matmul(a.astype(np.float16), b.astype(np.float16))
            self.assertEqual(halves.dtype, np.float16)
            np.testing.assert_allclose(halves, exact, atol=(n + 1) * 2e-3)

    def test_a_matrix_is_that_of_every_product(self):
        a, b = matrix(4, 5), RANDOM.uniform(-1, 1, (3, 5, 2)).astype(np.float32)
        np.testing.assert_allclose(lanework.batched_matmul(a, b), a @ b, atol=1e-5)
        np.testing.assert_allclose(lanework.batched_matmul(np.broadcast_to(a, (3, 4, 5)), b), a @ b, atol=1e-5)
        np.testing.assert_allclose(lanework.batched_matmul(b.transpose(0, 2, 1), a.T), b.transpose(0, 2, 1) @ a.T, atol=1e-5)

    def test_says_what_is_wrong(self):
        a = np.zeros((2, 3, 3), np.float32)
        for call, words in (
            (lambda: lanework.batched_matmul(a[0], a[0]), "one matrix each; matmul multiplies those"),
            (lambda: lanework.batched_matmul(a, a[:1]), "a has 2 matrices and b 1; they must be equal"),
            (lambda: lanework.batched_matmul(a, a[:, :2]), "3 columns and of b 2 rows; they must be equal"),
            (lambda: lanework.batched_matmul(a, a.astype(np.float64)), "b holds float64; float32, float16, bfloat16 are computed"),
            (lambda: lanework.batched_matmul(a, a.astype(np.float16)), "a holds float32 and b float16"),
            (lambda: lanework.batched_matmul(a, a, dtype="int8"), "dtype is 'int8'; there are: float32, float16, bfloat16"),
            (lambda: lanework.batched_matmul(a, a, out=a), "out shares memory with an input"),
            (lambda: lanework.batched_matmul(a, a, out=np.zeros((2, 3, 4), np.float32)), "(2, 3, 3) of float32 is right"),
            (lambda: lanework.batched_matmul(a, a, out=np.zeros((2, 3, 6), np.float32)[:, :, ::2]), "a contiguous array is right"),
            (lambda: lanework.batched_matmul(a[None], a), "matrices × rows × columns, or rows × columns, is right"),
            (lambda: lanework.matmul(a, a), "batched_matmul takes batches of matrices"),
        ):
            with self.assertRaisesRegex(ValueError, re.escape(words)):
                call()


class Products(unittest.TestCase):
    def test_products_are_numpys(self):
        for m, n, k in ((1, 1, 1), (0, 3, 2), (3, 0, 2), (17, 33, 9), (100, 50, 113)):
            a, b = matrix(m, n), matrix(n, k)
            for x in strided(a):
                for y in strided(b):
                    np.testing.assert_allclose(lanework.matmul(x, y), a.astype(float) @ b.astype(float), atol=n * 1e-6)
            i, j = matrix(m, n, np.int32), matrix(n, k, np.int32)
            with np.errstate(over="ignore"):
                np.testing.assert_array_equal(lanework.matmul(i, j, threads=2), i @ j)

    def test_products_of_narrow_types_are_numpys(self):
        for m, n, k in ((1, 1, 1), (0, 3, 2), (3, 0, 2), (17, 33, 9), (100, 70, 113)):
            a, b = (RANDOM.integers(-128, 128, shape).astype(np.int8) for shape in ((m, n), (n, k)))
            for x in strided(a):
                for y in strided(b):
                    found = lanework.matmul(x, y, threads=2)
                    self.assertEqual(found.dtype, np.int32)
                    np.testing.assert_array_equal(found, a.astype(np.int32) @ b.astype(np.int32))
            a, b = matrix(m, n), matrix(n, k)
            halves = lanework.matmul(a.astype(np.float16), b.astype(np.float16))
            self.assertEqual(halves.dtype, np.float16)
            right = a.astype(np.float16).astype(float) @ b.astype(np.float16).astype(float)
            np.testing.assert_allclose(halves, right, rtol=1e-3, atol=n * 1e-6)
            np.testing.assert_allclose(lanework.matmul(a, b, dtype="tfloat32"), a.astype(float) @ b.astype(float), atol=(n + 1) * 2e-3)
            a, b = (matrix(*shape).view(np.uint32) >> 16 for shape in ((m, n), (n, k)))
            a, b = a.astype(np.uint16), b.astype(np.uint16)
            brain = lanework.matmul(a, b, dtype="bfloat16")
            self.assertEqual(brain.dtype, np.uint16)
            np.testing.assert_allclose(of_brain(brain), of_brain(a).astype(float) @ of_brain(b), rtol=2**-7, atol=n * 1e-6)
            a, b = (RANDOM.choice([v for v in range(256) if v & 127 != 127], shape).astype(np.uint8) for shape in ((m, n), (n, k)))
            for y in (b, np.ascontiguousarray(b.T).T):
                out = np.zeros((m, k), np.uint16)
                self.assertIs(lanework.matmul(a, y, dtype="float8_e4m3", out=out), out)
                exact = of_e4m3(a) @ of_e4m3(b)
                bound = 2**-7 * np.abs(exact) + n * 2**-20 * (np.abs(of_e4m3(a)) @ np.abs(of_e4m3(b)))
                self.assertTrue((np.abs(of_brain(out) - exact) <= bound).all())

    def test_epilogues_are_what_is_written_behind_the_product(self):
        for m, n, k in ((1, 1, 1), (3, 0, 5), (0, 4, 3), (40, 31, 17)):
            a, b, bias, before = matrix(m, n), matrix(n, k), matrix(1, k)[0], matrix(m, k)
            for y in (b, np.ascontiguousarray(b.T).T):
                exact = a.astype(float) @ b
                np.testing.assert_allclose(lanework.matmul(a, y, bias=bias), exact + bias, atol=n * 1e-6 + 1e-6)
                out = before.copy()
                self.assertIs(lanework.matmul(a, y, alpha=-1.5, beta=0.75, bias=bias, out=out), out)
                np.testing.assert_allclose(out, -1.5 * exact + 0.75 * before + bias, atol=n * 2e-6 + 2e-6)
                for activation, gelu in (("gelu", gelu_with_erf), ("gelu_tanh", gelu_with_tanh)):
                    found = lanework.matmul(a, y, alpha=0.5, bias=bias, activation=activation, threads=2)
                    np.testing.assert_allclose(found, gelu(0.5 * exact + bias), atol=n * 1e-6 + 2e-6)
            whole, before = [RANDOM.integers(-100, 100, shape).astype(np.int32) for shape in ((k,), (m, k))]
            x, y = (100 * a).astype(np.int8), (100 * b).astype(np.int8)
            out = before.copy()
            lanework.matmul(x, y, alpha=3, beta=-2, bias=whole, out=out)
            np.testing.assert_array_equal(out, 3 * (x.astype(np.int32) @ y.astype(np.int32)) - 2 * before + whole)

    def test_a_factor_of_zero_keeps_out_what_it_stands_before(self):
        nan, one = np.full((2, 2), np.nan, np.float32), np.ones((2, 2), np.float32)
        out = nan.copy()
        np.testing.assert_array_equal(lanework.matmul(one, one, alpha=2, out=out), 4 * one)
        np.testing.assert_array_equal(lanework.matmul(nan, one, alpha=0, bias=np.array([1.5, 2.5], np.float32)), [[1.5, 2.5]] * 2)
        np.testing.assert_array_equal(lanework.matmul(nan, one, alpha=0, beta=3, out=out), 12 * one)

    def test_epilogues_of_narrow_types_are_rounded_once(self):
        a, b, bias = matrix(9, 40), matrix(40, 7), matrix(1, 7)[0]
        halves = [array.astype(np.float16) for array in (a, b, bias)]
        exact = gelu_with_tanh(halves[0].astype(float) @ halves[1].astype(float) + halves[2])
        np.testing.assert_allclose(lanework.matmul(*halves[:2], bias=halves[2], activation="gelu_tanh"), exact, rtol=2**-10, atol=1e-5)
        a, b, bias = ((array.view(np.uint32) >> 16).astype(np.uint16) for array in (a, b, bias))
        exact = of_brain(a).astype(float) @ of_brain(b) + of_brain(bias)
        found = lanework.matmul(a, b, bias=bias, dtype="bfloat16")
        np.testing.assert_allclose(of_brain(found), exact, rtol=2**-8, atol=1e-5)

    def test_epilogues_that_cannot_be_meant_are_refused(self):
        a, whole = matrix(3, 3), np.ones((3, 3), np.int32)
        for message, options in (
            ("bias has the shape \\(2,\\); \\(3,\\), an element for each column of the product, is right", {"bias": a[0, :2].copy()}),
            ("bias holds float64; float32, as the product, is right", {"bias": np.ones(3)}),
            ("bias is an array \\(3,\\) of float32 that does not lie side by side; numpy.ascontiguousarray\\(\\) copies it so", {"bias": a[:, 0]}),
            ("beta is 1.0, and out is missing, whose elements it is multiplied with", {"beta": 1.0}),
            ("alpha is inf; a finite float32", {"alpha": float("inf")}),
            ("activation is 'relu'; there are: gelu, gelu_tanh", {"activation": "relu"}),
        ):
            with self.assertRaisesRegex(ValueError, message):
                lanework.matmul(a, a, **options)
        with self.assertRaisesRegex(ValueError, "activation is 'gelu', and a holds int32; of floats it is computed"):
            lanework.matmul(whole, whole, activation="gelu")
        with self.assertRaisesRegex(TypeError, "alpha is 1.5; a whole number is right"):
            lanework.matmul(whole, whole, alpha=1.5)
        out = np.zeros((4, 3), np.float32)
        with self.assertRaisesRegex(ValueError, "out shares memory with an input; an array of its own is right"):
            lanework.matmul(a, a, bias=out[1], out=out[:3])

    def test_a_matrix_by_columns_is_read_as_it_lies(self):
        a, columns = matrix(40, 30), matrix(50, 33)[:, :30]  # with a gap between columns
        np.testing.assert_allclose(lanework.matmul(a, columns.T), a.astype(float) @ columns.T, atol=1e-5)
        bytes_of = [array.astype(np.int8) for array in (100 * a, 100 * columns)]
        np.testing.assert_array_equal(lanework.matmul(bytes_of[0], bytes_of[1].T), bytes_of[0].astype(np.int32) @ bytes_of[1].T.astype(np.int32))

    def test_types_that_numpy_lacks_may_be_ml_dtypes(self):
        try:
            import ml_dtypes
        except ImportError:
            self.skipTest("ml_dtypes is not installed")
        a, b = matrix(5, 20), matrix(20, 6)
        for of, made in ((ml_dtypes.bfloat16, ml_dtypes.bfloat16), (ml_dtypes.float8_e4m3fn, ml_dtypes.bfloat16)):
            found = lanework.matmul(a.astype(of), b.astype(of))
            self.assertEqual(found.dtype, made)
            np.testing.assert_allclose(found.astype(float), a.astype(of).astype(float) @ b.astype(of).astype(float), rtol=2**-7, atol=1e-2)

    def test_transposes_are_numpys(self):
        for rows, cols in ((0, 4), (1, 9), (37, 65), (129, 70), (64, 256)):
            for dtype in "uint8 int8 uint16 int16 float16 uint32 int32 float32 uint64 int64 float64".split():
                for x in strided(matrix(rows, cols, np.dtype(dtype))):
                    found = lanework.transpose(x)
                    self.assertEqual(found.dtype, dtype)
                    np.testing.assert_array_equal(found, x.T)
        with self.assertRaisesRegex(ValueError, "matrix holds complex64; uint8 and"):
            lanework.transpose(np.zeros((2, 2), np.complex64))

    def test_out_is_written_where_it_lies(self):
        a = matrix(5, 7)
        wide = np.full((7, 9), 9, np.float32)
        self.assertIs(lanework.transpose(a, out=(part := wide[:, 2:7])), part)
        np.testing.assert_array_equal(part, a.T)
        self.assertTrue((wide[:, :2] == 9).all() and (wide[:, 7:] == 9).all())
        x = matrix(1, 9)[0]
        right = x + x
        self.assertIs(lanework.add(x, x, out=x), x)
        np.testing.assert_array_equal(x, right)

    def test_reductions_are_numpys(self):
        for dtype in (np.float32, np.float64, np.int32):
            for values in (matrix(30, 41, dtype), matrix(1, 1, dtype), matrix(80, 2000, dtype)[:, 3:1999], matrix(80, 3, dtype)[:, 1]):
                for form in ("min", "max", "argmin", "argmax"):
                    found = lanework.reduce(values, form)
                    self.assertEqual(found, getattr(np, form)(values))
                    self.assertEqual(found.dtype, np.int64 if form.startswith("arg") else dtype)
                right = values.sum(dtype=np.int32) if dtype == np.int32 else math.fsum(values.ravel().tolist())
                for found in (lanework.reduce(values), lanework.reproducible_sum(values)):
                    np.testing.assert_allclose(found, right, atol=np.abs(values.astype(float)).sum() * 1e-6 if dtype != np.int32 else 0)
        self.assertEqual(lanework.reduce(np.zeros(0, np.float32), "argmax"), -1)
        self.assertEqual(lanework.reduce(np.zeros(0, np.float32), "min"), np.inf)

    def test_a_reproducible_sum_does_not_depend_on_threads(self):
        values = RANDOM.normal(size=300_001).astype(np.float32)
        sums = {lanework.reproducible_sum(values, threads=threads).tobytes() for threads in (1, 2, 3, 8)}
        self.assertEqual(len(sums), 1)

    def test_histograms_and_gelu(self):
        values = RANDOM.integers(0, 256, (50, 61)).astype(np.uint8)
        for x in (values, values[:, 7:52], values[::2], values[0], values.T, values[:, 3:9].T, values[::-1], values[:0]):
            np.testing.assert_array_equal(lanework.histogram(x), np.bincount(x.ravel(), minlength=256))
        x = np.linspace(-9, 9, 999, dtype=np.float32).reshape(3, 333)
        right = [v / 2 * math.erfc(-v / math.sqrt(2)) for v in x.ravel().tolist()]
        np.testing.assert_allclose(lanework.gelu(x).ravel(), right, atol=2e-6)
        np.testing.assert_allclose(lanework.gelu(x.astype(np.float16)).ravel(), right, atol=5e-3, rtol=2e-3)
        np.testing.assert_allclose(lanework.gelu(x, "tanh").ravel(), right, atol=2e-3)
        self.assertEqual(lanework.gelu(np.array(1, np.float32)).shape, ())

    def test_arrays_may_be_parts_of_larger_ones(self):
        for dtype in (np.float32, np.float16):
            wide, out = matrix(300, 130, dtype), np.full((300, 140), 9, dtype)
            x, part = wide[:, 3:100], out[:, 5:102]
            for threads in (1, 3):
                right = lanework.gelu(x.copy(), threads=threads)
                np.testing.assert_array_equal(lanework.gelu(x, threads=threads), right)
                self.assertIs(lanework.gelu(x, out=part, threads=threads), part)
                np.testing.assert_array_equal(part, right)
                self.assertTrue((out[:, :5] == 9).all() and (out[:, 102:] == 9).all())
        wide, other = matrix(300, 130), matrix(300, 97)
        x = wide[:, 3:100]
        right = x + other
        np.testing.assert_array_equal(lanework.add(x, other), right)
        np.testing.assert_array_equal(lanework.add(other[::2], x[::2]), right[::2])
        gaps = wide.copy()
        lanework.add(gaps[:, :65], gaps[:, 65:], out=gaps[:, :65])  # in each other's gaps
        np.testing.assert_array_equal(gaps[:, :65], wide[:, :65] + wide[:, 65:])
        np.testing.assert_array_equal(gaps[:, 65:], wide[:, 65:])
        self.assertIs(lanework.add(x, other, out=x), x)
        np.testing.assert_array_equal(x, right)
        for dtype in (np.float64, np.int32, np.float16):
            wide, other = matrix(300, 130, dtype), matrix(300, 97, dtype)
            for threads in (1, 3):
                np.testing.assert_array_equal(lanework.add(wide, wide, threads=threads), wide + wide)
                np.testing.assert_array_equal(lanework.add(wide[:, 3:100], other, threads=threads), wide[:, 3:100] + other)
        most = np.full(5, 2**31 - 1, np.int32)
        np.testing.assert_array_equal(lanework.add(most, most), np.full(5, -2, np.int32))
        with self.assertRaisesRegex(ValueError, "x holds float32 and y float64; they must be of one type"):
            lanework.add(matrix(2, 2), matrix(2, 2, np.float64))
        cube = matrix(12, 50).reshape(3, 4, 50)
        np.testing.assert_array_equal(lanework.add(cube[:, :, 7:9], cube[:, :, 8:10]), cube[:, :, 7:9] + cube[:, :, 8:10])
        np.testing.assert_array_equal(lanework.add(cube[:, 1:3], cube[:, :2]), cube[:, 1:3] + cube[:, :2])

    def test_elements_are_computed_in_the_order_in_which_they_lie(self):
        last = np.ascontiguousarray(matrix(2, 3 * 35).reshape(2, 3, 5, 7).transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)  # channels last
        found = lanework.gelu(last)
        self.assertEqual(found.strides, last.strides)
        np.testing.assert_array_equal(found, lanework.gelu(last.copy("C")))
        np.testing.assert_array_equal(lanework.add(last, found, out=np.empty_like(last)), last + found)
        self.assertEqual(lanework.reduce(last[..., ::-1], "max"), last.max())

    def test_reductions_of_parts_count_the_elements_of_all_rows(self):
        for dtype in (np.float32, np.float64, np.int32):
            part = matrix(900, 130, dtype)[:, 3:100]
            for form in ("min", "max", "argmin", "argmax"):
                self.assertEqual(lanework.reduce(part, form), getattr(np, form)(part))
            self.assertEqual(lanework.reproducible_sum(part).tobytes(), lanework.reproducible_sum(part.copy()).tobytes())
            total = part.sum(dtype=np.int64 if dtype == np.int32 else np.float64)
            np.testing.assert_allclose(
                lanework.reduce(part), total.astype(np.int32) if dtype == np.int32 else total, atol=0 if dtype == np.int32 else 1e-3)

    def test_arrays_of_others_are_read_and_written_where_they_lie(self):
        a, b, c = matrix(4, 6), matrix(6, 5), np.zeros((4, 5), np.float32)
        out = Foreign(c)
        self.assertIs(lanework.matmul(Foreign(a), Foreign(b), out=out), out)
        np.testing.assert_allclose(c, a @ b, atol=1e-5)
        with self.assertRaisesRegex(TypeError, "lies in the memory of a device"):
            lanework.matmul(Foreign(a, (2, 0)), b)

    def test_tensors_of_pytorch_are_read_and_written_where_they_lie(self):
        try:
            import torch
        except ImportError:
            self.skipTest("PyTorch is not installed")
        a, b, c = torch.rand(4, 6), torch.rand(6, 5), torch.zeros(4, 5)
        self.assertIs(lanework.matmul(a, b, out=c), c)
        self.assertTrue(torch.allclose(c, a @ b, atol=1e-5))
        self.assertEqual(lanework.reduce(a.t(), "max"), float(a.max()))
        for of in (torch.bfloat16, torch.float8_e4m3fn):
            x, y, made = a.to(of), b.to(of), torch.zeros(4, 5, dtype=torch.bfloat16)
            self.assertIs(lanework.matmul(x, y, out=made), made)
            self.assertTrue(torch.allclose(made.float(), x.float() @ y.float(), rtol=2**-7, atol=1e-3))
            self.assertEqual(lanework.matmul(x, y).dtype, torch.bfloat16)
            self.assertTrue(torch.equal(lanework.matmul(x, y), made))

    def test_what_cannot_be_meant_is_said_in_one_line(self):
        a, square = matrix(4, 6), matrix(4, 4)
        frozen = matrix(6, 4)
        frozen.flags.writeable = False
        for kind, words, call in (
            (ValueError, "a has 6 columns and b 4 rows", lambda: lanework.matmul(a, a)),
            (ValueError, "a holds float64; float32, float16, bfloat16, int32, int8, float8_e4m3, tfloat32 are computed, some", lambda: lanework.matmul(a.astype(float), a)),
            (ValueError, "a holds float32; with dtype='float8_e4m3' float8_e4m3 or uint8 is right", lambda: lanework.matmul(a, a.T, dtype="float8_e4m3")),
            (ValueError, "dtype is 'float9'; there are: float32", lambda: lanework.matmul(a, a.T, dtype="float9")),
            (ValueError, "a holds uint8; float32", lambda: lanework.matmul(np.zeros((2, 2), np.uint8), a)),
            (ValueError, "an array (4, 4) of int32 is right", lambda: lanework.matmul(a.astype(np.int8), a.T.astype(np.int8), out=square)),
            (ValueError, "they must be of one type", lambda: lanework.matmul(a, matrix(6, 2, np.int32))),
            (ValueError, "rows × columns is right", lambda: lanework.transpose(a[0])),
            (TypeError, "a is 'x'; an array of numbers", lambda: lanework.matmul("x", a)),
            (ValueError, "there are: sum, min", lambda: lanework.reduce(a, "mean")),
            (TypeError, "out is 3; an array", lambda: lanework.transpose(a, out=3)),
            (ValueError, "an array (6, 4) of float32 is right", lambda: lanework.transpose(a, out=square)),
            (ValueError, "out cannot be written", lambda: lanework.transpose(a, out=frozen)),
            (ValueError, "out shares memory with an input", lambda: lanework.transpose(square, out=square)),
            (ValueError, "out shares memory", lambda: lanework.add(a.ravel()[:8], a.ravel()[:8], out=a.ravel()[1:9])),
            (ValueError, "out does not lie in rows", lambda: lanework.transpose(square, out=matrix(4, 4).T)),
            (ValueError, "out does not lie in rows as what is read does", lambda: lanework.gelu(square, out=matrix(4, 4).T)),
            (ValueError, "x is an array (4, 3) of float32 that does not lie in rows; numpy.ascontiguousarray() copies", lambda: lanework.add(matrix(4, 7)[:, 1::2], matrix(4, 3))),
            (ValueError, "array is an array (6, 4) of float32 that does not lie in rows", lambda: lanework.reduce(a.T, "argmax")),
            (ValueError, "that does not lie in rows", lambda: lanework.gelu(np.broadcast_to(a[0], (4, 6)))),
            (ValueError, "that does not lie in rows", lambda: lanework.gelu(a[::-1])),
            (ValueError, "out does not lie side by side", lambda: lanework.histogram(np.zeros(3, np.uint8), out=np.zeros((256, 2), np.uint64)[:, 0])),
            (ValueError, "out's boxes does not lie side by side", lambda: lanework.decode(matrix(6, 9), out=(matrix(9, 5)[:, :4], matrix(1, 9)[0], np.zeros(9, np.int32)))),
            (ValueError, "does not begin at multiples", lambda: lanework.reduce(np.zeros(9, np.uint8)[1:].view(np.float32))),
            (ValueError, "from 0 to 1024", lambda: lanework.add(a, a, threads=1025)),
            (ValueError, "holds int64", lambda: lanework.histogram([1, 2])),
        ):
            with self.assertRaises(kind, msg=words) as raised:
                call()
            self.assertIn(words, str(raised.exception))
            self.assertNotIn("\n", str(raised.exception))

    def test_any_shape_stride_and_type_is_an_answer_or_an_error(self):
        draw = random.Random(3)
        types = ("float32", "float64", "float16", "int32", "int8", "uint8", "uint16", "int64", "bool", "complex64", ">f4", "U3", "O", "M8[s]")
        answers = 0

        def array():
            shape = tuple(draw.choice((0, 1, 2, 3, 7)) for _ in range(draw.choice((0, 1, 1, 2, 2, 2, 3))))
            values = np.zeros(shape, draw.choice(types if draw.random() < 0.3 else types[:5]))
            for axis in range(values.ndim):
                if draw.random() < 0.2:
                    values = np.flip(values, axis)
                if draw.random() < 0.2:
                    values = np.repeat(values, 2, axis)[(slice(None),) * axis + (slice(None, None, 2),)]
            if draw.random() < 0.1 and values.size:
                values = np.frombuffer(b"\0" + values.tobytes(), np.uint8)[1:].view(np.uint8)
            if draw.random() < 0.1:
                values = np.broadcast_to(values, (2,) + values.shape)
            return draw.choice((values, values, values, values.tolist(), Foreign(values), None, "x", 3)) if draw.random() < 0.3 else values

        for _ in range(4000):
            name = draw.choice(("matmul", "transpose", "reduce", "reproducible_sum", "histogram", "gelu", "add"))
            given = [array() for _ in range(2 if name in ("matmul", "add") else 1)]
            if name in ("matmul", "add") and draw.random() < 0.5:
                given[1] = given[0]
            options = {"threads": draw.choice((0, 1, 2, -1, "2"))} if draw.random() < 0.2 else {}
            if name == "matmul" and draw.random() < 0.3:
                options["dtype"] = draw.choice(("float8_e4m3", "bfloat16", "tfloat32", "int8", np.float32, np.dtype("int32"), 7, "", None))
            if name not in ("reduce", "reproducible_sum") and draw.random() < 0.3:
                options["out"] = draw.choice((array(), given[0]))
            try:
                getattr(lanework, name)(*given, **options)
                answers += 1
            except (TypeError, ValueError) as error:
                self.assertNotIn("\n", str(error))
        self.assertGreater(answers, 400)

    def test_types_are_those_of_the_functions(self):
        folder = os.path.dirname(lanework.__file__)
        self.assertTrue(os.path.exists(os.path.join(folder, "py.typed")))
        with open(os.path.join(folder, "__init__.pyi"), encoding="utf-8") as file:
            body = ast.parse(file.read()).body
        typed = {each.name: each.args for each in body if isinstance(each, ast.FunctionDef)}  # of overloads the last, the most general
        for each in body:
            if isinstance(each, ast.ClassDef) and not each.name.startswith("_"):
                typed[each.name] = next(one.args for one in each.body if getattr(one, "name", "") == "__init__")
                del typed[each.name].args[0]  # self
        functions = [name for name in lanework.__all__ if callable(getattr(lanework, name))]
        self.assertEqual(set(functions), set(typed) - {"load_ipython_extension"})
        for each in body:  # of overloads all have the same arguments
            if isinstance(each, ast.FunctionDef):
                names = [a.arg for a in typed[each.name].args + typed[each.name].kwonlyargs]
                self.assertEqual([a.arg for a in each.args.args + each.args.kwonlyargs], names, each.name)
        for name in functions:
            parameters = inspect.signature(getattr(lanework, name)).parameters.values()
            arguments = typed[name]
            self.assertEqual([p.name for p in parameters], [a.arg for a in arguments.args + arguments.kwonlyargs], name)
            defaults = arguments.defaults + [d for d in arguments.kw_defaults if d is not None]
            self.assertEqual(sum(p.default is not p.empty for p in parameters), len(defaults), name)

    def test_threads_come_from_the_environment(self):
        run = lambda text: subprocess.run(
            [sys.executable, "-c", "import lanework; print(lanework.arguments.threads(0))"], env={**os.environ, "LANEWORK_THREADS": text},
            capture_output=True, text=True,
        )
        self.assertEqual(run("3").stdout, "3\n")
        self.assertIn("LANEWORK_THREADS is '-1'; a whole number from 0 (all) to 1024 is right", run("-1").stderr)


if __name__ == "__main__":
    unittest.main()
