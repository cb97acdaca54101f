"""Arrays of other libraries, in and out: array_api_strict's, JAX's and PyTorch's on the processor. A library that is not installed is
skipped by its name. CuPy's need a GPU: gpu_test.py has a stand-in that keeps their contract."""
import importlib
import unittest

import numpy as np

import lanework

RANDOM = np.random.default_rng(1)


def floats(*shape):
    return RANDOM.uniform(-1, 1, shape).astype(np.float32)


def library(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        raise unittest.SkipTest(f"{name} is not installed") from None


class Others(unittest.TestCase):
    def assert_computed(self, wrap):
        """Every function of arrays takes what wrap makes of NumPy's, and gives what it gives of those."""
        a, b, image = floats(6, 9), floats(9, 5), RANDOM.integers(0, 256, (7, 8)).astype(np.uint8)
        for function, given in (
            (lanework.add, (a, a)), (lanework.gelu, (a,)), (lanework.matmul, (a, b)), (lanework.transpose, (a,)),
            (lanework.reproducible_sum, (a,)), (lanework.histogram, (image,)), (lanework.blur, (image,)),
            (lanework.nms, (np.abs(floats(4, 4)), floats(4))),
        ):
            with self.subTest(function.__name__):
                np.testing.assert_array_equal(function(*map(wrap, given)), function(*given))
        for form in lanework.arrays.REDUCE_FORMS:
            self.assertEqual(lanework.reduce(wrap(a), form), lanework.reduce(a, form))

    def assert_not_written(self, out, values):
        """None of the functions writes such an output."""
        x, image = floats(4, 4), np.ones((4, 4), np.float32)
        for words, call in (
            ("out cannot be written", lambda: lanework.gelu(x, out=out)),
            ("out cannot be written", lambda: lanework.add(x, x, out=out)),
            ("out cannot be written", lambda: lanework.matmul(x, x, out=out)),
            ("out cannot be written", lambda: lanework.transpose(x, out=out)),
            ("out cannot be written in rows", lambda: lanework.blur(image, out=out)),
            ("out's boxes cannot be written", lambda: lanework.decode(floats(5, 4), out=(out, np.zeros(4, np.float32), np.zeros(4, np.int32)))),
        ):
            with self.assertRaisesRegex(ValueError, words):
                call()
        np.testing.assert_array_equal(np.asarray(values), np.zeros((4, 4)))

    def test_arrays_of_array_api_strict_are_read_and_written(self):
        strict = library("array_api_strict")
        self.assert_computed(strict.asarray)
        x, out = floats(4, 6), strict.zeros((4, 6), dtype=strict.float32)
        self.assertIs(lanework.gelu(strict.asarray(x), out=out), out)
        np.testing.assert_array_equal(np.from_dlpack(out), lanework.gelu(x))
        part = strict.asarray(x)[:, 1:5]
        np.testing.assert_array_equal(lanework.gelu(part), lanework.gelu(x[:, 1:5]))
        with strict.ArrayAPIStrictFlags(api_version="2022.12"):  # whose arrays know of no max_version
            np.testing.assert_array_equal(lanework.gelu(part), lanework.gelu(x[:, 1:5]))

    def test_arrays_of_jax_are_read_and_never_written(self):
        jax = library("jax")
        self.assert_computed(jax.numpy.asarray)
        zeros = jax.numpy.zeros((4, 4))
        self.assert_not_written(zeros, zeros)

    def test_types_that_numpy_lacks_are_those_of_ml_dtypes(self):
        jax = library("jax")
        x = floats(5, 8)
        for dtype in ("bfloat16", "float16"):
            found = lanework.gelu(jax.numpy.asarray(x, dtype))
            self.assertEqual(found.dtype, jax.numpy.dtype(dtype))
            np.testing.assert_allclose(found.astype(np.float32), lanework.gelu(x), rtol=2**-6, atol=2**-7)
        found = lanework.matmul(jax.numpy.asarray(x, "bfloat16"), jax.numpy.asarray(x.T, "bfloat16"))
        self.assertEqual(found.dtype, jax.numpy.bfloat16)
        np.testing.assert_allclose(found.astype(np.float32), x @ x.T, rtol=2**-6, atol=2**-5)

    def test_tensors_of_pytorch_on_the_processor_have_all_types(self):
        torch = library("torch")
        x = torch.rand(50, 40) * 4 - 2
        for dtype in (torch.bfloat16, torch.float16, torch.float32):
            given, out = x.clone().to(dtype), torch.zeros(50, 44, dtype=dtype)
            right = torch.nn.functional.gelu(given.float())
            tolerance = {"rtol": 2**-7, "atol": 1e-4} if dtype != torch.float32 else {"rtol": 1e-5, "atol": 1e-6}
            for form, of_torch in (("erf", right), ("tanh", torch.nn.functional.gelu(given.float(), approximate="tanh"))):
                part = out[:, 2:42]
                self.assertIs(lanework.gelu(given, form, out=part), part)
                self.assertTrue(torch.allclose(part.float(), of_torch, **tolerance), (dtype, form))
            self.assertTrue((out[:, :2] == 0).all() and (out[:, 42:] == 0).all())
            columns = given[:, 3:20]
            self.assertIs(lanework.gelu(columns, out=columns), columns)
            self.assertTrue(torch.allclose(columns.float(), right[:, 3:20], **tolerance))
            found = lanework.gelu(x.to(dtype))
            self.assertTrue(torch.allclose(torch.as_tensor(found).float(), right, **tolerance))
            if dtype == torch.bfloat16:
                self.assertEqual(found.dtype, torch.bfloat16)
        for of, made in ((torch.int8, torch.int32), (torch.int32, torch.int32), (torch.float16, torch.float16), (torch.bfloat16, torch.bfloat16)):
            a, b = torch.randint(-3, 4, (7, 20)).to(of), torch.randint(-3, 4, (20, 9)).to(of)
            found = torch.as_tensor(lanework.matmul(a, b))
            self.assertEqual(found.dtype, made)
            self.assertTrue(torch.equal(found.float(), a.float() @ b.float()))
        for dtype in (torch.float32, torch.float64, torch.int32):
            part = torch.randint(-99, 99, (30, 50)).to(dtype)[:, 7:40]
            self.assertEqual(lanework.reduce(part), part.sum().item())
            self.assertEqual(lanework.reduce(part, "argmax"), int(part.reshape(-1).argmax()))
        with self.assertRaisesRegex(TypeError, "requires a gradient"):
            lanework.gelu(torch.zeros(3, requires_grad=True))

    def test_read_only_arrays_are_no_outputs(self):
        if np.lib.NumpyVersion(np.__version__) < "2.1.0":
            self.skipTest(f"NumPy {np.__version__} has no DLPack 1.0, which says what is read-only")
        frozen = np.zeros((4, 4), np.float32)
        frozen.flags.writeable = False
        for out in (frozen, Foreign(frozen)):
            self.assert_not_written(out, frozen)
        written = Foreign(np.zeros((4, 4), np.float32))
        self.assertIs(lanework.gelu(np.ones((4, 4), np.float32), out=written), written)
        self.assertGreater(written.array.min(), 0.8)


class Foreign:
    """Somebody else's array, by DLPack 1.0 alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        assert max_version is not None and stream is None, "an array of the processor has no stream"
        return self.array.__dlpack__(max_version=max_version, dl_device=dl_device, copy=copy)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


if __name__ == "__main__":
    unittest.main(verbosity=2)
