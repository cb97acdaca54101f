"""Arrays on a GPU are read and written where they lie, on the caller's stream. The GPU is the simt device behind the same functions
of C, whose memory is the host's: NumPy's arrays that say by DLPack, or as PyTorch's tensors, that they lie on a GPU."""
import gc
import types
import unittest
import weakref

import numpy as np

import lanework
from lanework import gpu
from stand_in_cupy import PER_THREAD, cupy, ndarray
from stand_in_torch import Exchange, Older, OnGpu, Tensor, needs_kept_calls, on_gpu, torch

RANDOM = np.random.default_rng(1)


def floats(*shape):
    return RANDOM.uniform(-1, 1, shape).astype(np.float32)


def picture(*shape):
    return RANDOM.integers(0, 256, shape).astype(np.uint8)


BOXES = np.sort(RANDOM.uniform(0, 50, (40, 2, 2)), axis=1).astype(np.float32).reshape(40, 4)
SCORES = RANDOM.uniform(0, 1, 40).astype(np.float32)
ATOMS, CELL = RANDOM.uniform(-0.5, 5.5, (90, 3)), np.array([[5, 0, 0], [1, 4.5, 0], [-0.5, 1, 5.5]])
TYPES = RANDOM.integers(0, 2, len(ATOMS)).astype(np.int32)
TABLE = [[1.3, 1.7], [1.7, 0]]
MATRIX = [[0.9, 0.1, 2], [-0.1, 1.1, 1]]
# Each function, with what it returns several of, and its arrays.
CALLS = {
    "add": (lambda f, x, y: f(x, y), (floats(1000), floats(1000))),
    "gelu": (lambda f, x: f(x, "tanh"), (floats(30, 41),)),
    "histogram": (lambda f, x: f(x), (picture(3000),)),
    "batched_matmul": (lambda f, a, b: f(a, b), (floats(3, 8, 33), floats(3, 33, 9))),
    "matmul": (lambda f, a, b: f(a, b), (floats(17, 33), floats(33, 9))),
    "reduce": (lambda f, x: f(x, "argmax"), (floats(5000),)),
    "reproducible_sum": (lambda f, x: f(x), (floats(5000),)),
    "transpose": (lambda f, x: f(x), (floats(37, 65),)),
    "blur": (lambda f, x: f(x), (picture(20, 31, 3),)),
    "gray": (lambda f, x: f(x, order="bgr"), (picture(20, 31, 3),)),
    "sobel": (lambda f, x: f(x), (picture(20, 31),)),
    "sobel_derivative": (lambda f, x: f(x, "y"), (picture(20, 31),)),
    "warp": (lambda f, x: f(x, MATRIX, (25, 30), border=7), (picture(20, 31, 3),)),
    "resize": (lambda f, *x: f(list(x), (14, 50)), (picture(20, 31, 3), picture(9, 5, 3), picture(1, 1, 3))),
    "letterbox": (lambda f, *x: f(list(x), (32, 32), scale_up=False), (picture(20, 40, 3), picture(9, 5, 3))),
    "tensor": (lambda f, *x: f(list(x), (32, 32), mean=0.5, std=(0.2, 0.3, 0.4)), (picture(20, 40, 3), picture(9, 5, 3), picture(40, 3, 3))),
    "decode": (lambda f, x: f(x, "v8", 0.3), (RANDOM.uniform(0, 1, (2, 7, 50)).astype(np.float32),)),
    "nms": (lambda f, b, s: f(b, s, iou_threshold=0.3), (BOXES, SCORES)),
    "neighbor_list": (lambda f, x: f("ijSDd", x, CELL, (True, False, True), 1.6), (ATOMS,)),
    "SkinnedNeighbors": (lambda f, x: f("ijSDd", 1.6, 0.4)(x, CELL, (True, False, True)), (ATOMS,)),
}
# Operations on images that are not among them: a picture, and their defaults.
for operation in lanework.images.OPERATIONS:
    CALLS.setdefault(operation.name, (lambda f, x: f(x), (picture(20, 31, 3),)))


def on_host(result):
    if isinstance(result, (list, tuple)):
        return [part for each in result for part in on_host(each)]
    return [np.array(getattr(result, "array", result))]


class OnAGpu(unittest.TestCase):
    def test_every_function_is_called(self):
        functions = {name for name in lanework.__all__ if callable(getattr(lanework, name))}
        self.assertEqual(functions, set(CALLS))

    def test_tensors_of_pytorch_are_computed_as_arrays_of_the_processor_are(self):
        with torch() as module:
            for name, (call, arrays) in CALLS.items():
                with self.subTest(name):
                    function = getattr(lanework, name)
                    right, found = call(function, *arrays), call(function, *(Tensor(on_gpu(array)) for array in arrays))
                    one = found[0] if isinstance(found, (list, tuple)) else found
                    self.assertIsInstance(one[0] if isinstance(one, list) else one, Tensor)
                    for a, b in zip(on_host(right), on_host(found), strict=True):
                        self.assertEqual(a.shape, b.shape)
                        if name in ("add", "gelu", "matmul", "reproducible_sum"):
                            np.testing.assert_allclose(b, a, rtol=1e-5, atol=1e-5)
                        else:
                            np.testing.assert_array_equal(b, a)
            self.assertEqual(module.asked, [0] * len(CALLS))
            self.assertFalse(module.entered)

    def test_many_images_are_one_call(self):
        images = [picture(1 + k % 7, 1 + k % 5, 3) for k in range(300)]
        with torch():
            found = lanework.resize([Tensor(image) for image in images], (3, 4))
            whole = picture(5, 8, 9, 3)
            boxed, to_source = lanework.letterbox(Tensor(whole), (16, 16))
        for image, right in zip(found, lanework.resize(images, (3, 4)), strict=True):
            np.testing.assert_array_equal(image.array, right)
        right, to_source_right = lanework.letterbox(whole, (16, 16))
        np.testing.assert_array_equal([image.array for image in boxed], right)
        np.testing.assert_array_equal(to_source, to_source_right)

    def test_out_is_written_where_it_lies(self):
        a, b = floats(6, 7), floats(7, 5)
        wide = np.full((6, 9), 9, np.float32)
        for wrap in (Tensor, OnGpu):
            with torch():
                wide[...] = 9
                out = wrap(wide[:, 2:7])
                self.assertIs(lanework.matmul(wrap(a), wrap(b), out=out), out)
                np.testing.assert_allclose(wide[:, 2:7], a @ b, atol=1e-5)
                self.assertTrue((wide[:, :2] == 9).all() and (wide[:, 7:] == 9).all())
                x = floats(100)
                right = x + x
                lanework.add(wrap(x), wrap(x), out=wrap(x))
                np.testing.assert_array_equal(x, right)
                total, place = np.zeros((), np.float32), np.zeros((), np.int64)
                lanework.reduce(wrap(x), out=wrap(total))
                lanework.reduce(wrap(x), "argmin", out=wrap(place))
                np.testing.assert_allclose(total, x.sum(), atol=1e-4)
                self.assertEqual(place, x.argmin())
                kept, count = np.zeros(25, np.int32), np.zeros(1, np.int32)
                lanework.nms(wrap(BOXES), wrap(SCORES), out=(wrap(kept), wrap(count)))
                right = lanework.nms(BOXES, SCORES)[:25]
                np.testing.assert_array_equal(kept[:count[0]], right)
                self.assertTrue((kept[count[0]:] == -1).all())

    def test_arrays_may_be_parts_of_larger_ones(self):
        def part(whole, wrapped):
            return wrapped(on_gpu(whole)[:, 3:40])

        x, y, image = floats(20, 60), floats(20, 60), picture(20, 60)
        with torch():
            for wrap in (Tensor, OnGpu):
                for _ in range(2):  # looked at, then kept
                    z = on_gpu(np.full((20, 70), 9, np.float32))
                    out = wrap(z[:, 5:42])
                    self.assertIs(lanework.add(part(x, wrap), part(y, wrap), out=out), out)
                    np.testing.assert_array_equal(z[:, 5:42], x[:, 3:40] + y[:, 3:40])
                    self.assertTrue((z[:, :5] == 9).all() and (z[:, 42:] == 9).all())
                    in_place = on_gpu(x)
                    lanework.gelu(wrap(in_place[:, 3:40]), out=wrap(in_place[:, 3:40]))
                    np.testing.assert_allclose(in_place[:, 3:40], lanework.gelu(x[:, 3:40]), atol=1e-6)
                    np.testing.assert_array_equal(in_place[:, :3], x[:, :3])
                    lanework.add(wrap(in_place[:, :20]), wrap(in_place[:, 20:40]), out=wrap(in_place[:, :20]))  # in each other's gaps
            for _ in range(2):
                for form in lanework.arrays.REDUCE_FORMS:
                    np.testing.assert_allclose(lanework.reduce(part(x, Tensor), form).array, lanework.reduce(x[:, 3:40], form), rtol=1e-5)
                self.assertEqual(lanework.reproducible_sum(part(x, Tensor)).array, lanework.reproducible_sum(x[:, 3:40].copy()))
                np.testing.assert_array_equal(lanework.histogram(part(image, Tensor)).array, lanework.histogram(image[:, 3:40].copy()))
                self.assertEqual(lanework.reduce(Tensor(on_gpu(x)[::-1, 3:40].T), "max").array, x[:, 3:40].max())

    def test_new_results_lie_as_what_was_given(self):
        with torch():
            for _ in range(3):  # looked at, then kept
                x = on_gpu(np.ascontiguousarray(floats(2, 5, 7, 3))).transpose(0, 3, 1, 2)  # channels last
                found = lanework.gelu(Tensor(x))
                self.assertEqual(found.array.strides, x.strides)
                np.testing.assert_allclose(found.array, lanework.gelu(x), atol=1e-6)
                total = lanework.add(Tensor(x), found)
                self.assertEqual(total.array.strides, x.strides)
                np.testing.assert_array_equal(total.array, x + found.array)

    def test_products_of_every_type_by_rows_and_by_columns(self):
        types = {"int8": "int32", "int32": "int32", "float32": "float32", "float16": "float16"}
        m, n, k = 21, 40, 35
        with torch():
            for of, made in types.items():
                a, columns = (RANDOM.integers(-9, 9, shape).astype(of) for shape in ((m, n), (k, n)))
                right = a.astype(float) @ columns.T.astype(float)
                for b in (columns.T, np.ascontiguousarray(columns.T), np.pad(columns, ((0, 0), (0, 3)))[:, :n].T):
                    found = lanework.matmul(Tensor(on_gpu(a)), Tensor(on_gpu(b)))
                    self.assertEqual(found.array.dtype, np.dtype(made))
                    np.testing.assert_array_equal(found.array, right)
            ones = {"float8_e4m3": (np.uint8, 0x38), "bfloat16": (np.uint16, 0x3F80)}
            for of, (carrier, one) in ones.items():
                a, b, out = np.full((m, n), one, carrier), np.full((n, k), one, carrier), np.zeros((m, k), np.uint16)
                lanework.matmul(Tensor(on_gpu(a)), Tensor(on_gpu(b)), dtype=of, out=Tensor(out))
                self.assertTrue(((out.astype(np.uint32) << 16).view(np.float32) == n).all(), of)

    @needs_kept_calls
    def test_the_same_call_again_is_not_looked_at(self):
        def refuse(*_):
            raise AssertionError("its arguments are looked at again")

        with torch():
            for name, (call, arrays) in CALLS.items():
                if name == "SkinnedNeighbors":  # which keeps calls of one list: neighbors_gpu_test.py
                    continue
                with self.subTest(name):
                    function, before = getattr(lanework, name), gpu.tensor
                    call(function, *(Tensor(on_gpu(array)) for array in arrays))
                    others = [array[::-1].copy() for array in arrays]
                    tensors = [Tensor(on_gpu(array)) for array in others]
                    gpu.tensor = refuse
                    try:
                        found = call(function, *tensors)
                    finally:
                        gpu.tensor = before
                    for a, b in zip(on_host(call(function, *others)), on_host(found), strict=True):
                        self.assertEqual(a.shape, b.shape)
                        np.testing.assert_allclose(b.astype(float), a.astype(float), rtol=1e-5, atol=1e-5)

    @needs_kept_calls
    def test_epilogues_of_products_and_the_same_call_again(self):
        def refuse(*_):
            raise AssertionError("its arguments are looked at again")

        with torch():
            a, b, bias, before = floats(17, 33), floats(33, 9), floats(9), floats(17, 9)
            looked = gpu.tensor
            for options in ({"activation": "gelu"}, {"alpha": 2.5, "activation": "gelu_tanh"}, {"alpha": -1.5, "beta": 0.75}):
                kept = [[array[::-1].copy() for array in (a, b, bias, before)] for _ in range(2)]
                for k, (x, y, z, out) in enumerate([(a, b, bias, before), *kept]):
                    right = out.copy()
                    lanework.matmul(x, y, bias=z, out=right, **options)
                    tensors = [Tensor(on_gpu(one)) for one in (x, y, z, out.copy())]
                    gpu.tensor = refuse if k else looked
                    try:
                        found = lanework.matmul(tensors[0], tensors[1], bias=tensors[2], out=tensors[3], **options)
                    finally:
                        gpu.tensor = looked
                    self.assertIs(found, tensors[3])
                    np.testing.assert_allclose(on_host(found)[0], right, rtol=1e-5, atol=1e-5)

    def test_a_call_that_differs_in_anything_is_another(self):
        x, y, matrix, image = floats(60), floats(60), floats(6, 10), picture(20, 31, 3)
        with torch():
            def expect_same(function, *given, **options):
                wrapped = [Tensor(on_gpu(one)) if isinstance(one, np.ndarray) else one for one in given]
                np.testing.assert_array_equal(function(*wrapped, **options).array, function(*given, **options))

            for _ in range(2):
                for form in ("min", "max"):
                    expect_same(lanework.reduce, x, form)
                for length in (60, 40):
                    expect_same(lanework.add, x[:length], y[:length])
                for shape in ((6, 10), (10, 6), (3, 20)):
                    expect_same(lanework.transpose, matrix.reshape(shape))
                wide = floats(6, 12)
                expect_same(lanework.transpose, wide[:, :10])
                expect_same(lanework.transpose, matrix.view(np.int32))
                for border in (7, 9):
                    expect_same(lanework.warp, image, MATRIX, (25, 30), border=border)
                for order in ("bgr", "rgb"):
                    expect_same(lanework.gray, image, order=order)
                for option in ("mean", "std"):
                    found, right = (lanework.tensor(one, (40, 40), **{option: 2})[0] for one in (Tensor(on_gpu(image)), image))
                    np.testing.assert_array_equal(found.array, right)
                expect_same(lanework.resize, image, (5, 4))
                rows = on_gpu(picture(30, 31, 3))
                lanework.blur(Tensor(rows[:10]), out=Tensor(rows[10:20]))
                before = rows.copy()
                for first in (9, 0):
                    with self.assertRaises(ValueError):
                        lanework.blur(Tensor(rows[:10]), out=Tensor(rows[first:first + 10]))
                np.testing.assert_array_equal(rows, before)
                with self.assertRaises(TypeError):
                    lanework.resize(Tensor(image), (5.0, 4.0))
                with self.assertRaises(TypeError):
                    lanework.transpose(Tensor(matrix, requires_grad=True))
                with self.assertRaises(TypeError):
                    lanework.transpose(Tensor(matrix, negated=True))
                expect_same(lanework.add, x, y, threads=0)
                with self.assertRaises(TypeError):
                    lanework.add(Tensor(x), Tensor(y), threads=False)
                for border in (0.0, -0.0):
                    filled = lanework.warp(Tensor(on_gpu(floats(3, 4))), [[1, 0, 90], [0, 1, 90]], (3, 4), border=border).array
                    np.testing.assert_array_equal(np.signbit(filled), np.signbit(border))
                with self.assertRaises(ValueError):
                    lanework.transpose(Tensor(np.frombuffer(on_gpu(np.zeros(241, np.uint8))[1:], np.float32).reshape(6, 10)))
                with self.assertRaises(ValueError):
                    lanework.transpose(Tensor(matrix[:4, :4]), out=Tensor(matrix[2:6, :4]))
                for frozen in (on_gpu(x), on_gpu(y)):  # in place, then not
                    inputs = Tensor(frozen), Tensor(on_gpu(y))
                    right = inputs[0].array + inputs[1].array
                    np.testing.assert_array_equal(lanework.add(*inputs, out=Tensor(on_gpu(x))).array, right)
                    np.testing.assert_array_equal(lanework.add(*inputs, out=inputs[0]).array, right)
                    self.assertTrue((frozen == right).all())
                    with self.assertRaises(ValueError):
                        lanework.add(Tensor(frozen[:50]), Tensor(on_gpu(y)[:50]), out=Tensor(frozen[10:]))

    def test_arrays_are_told_apart_by_their_names(self):
        a, b = floats(6, 6), floats(6, 6)
        with torch():
            for first, second in ((a, a), (a, b), (b, a)):
                first, second = Tensor(on_gpu(first)), Tensor(on_gpu(second))
                first = second if np.array_equal(first.array, second.array) else first
                for found in (lanework.matmul(b=second, a=first), lanework.matmul(a=first, b=second), lanework.matmul(first, second)):
                    np.testing.assert_allclose(found.array, first.array @ second.array, atol=1e-5)

    @needs_kept_calls
    def test_small_arrays_of_the_processors_are_arguments_like_others(self):
        boxes, scores = Tensor(on_gpu(BOXES)), Tensor(on_gpu(SCORES))
        image, before = picture(20, 31, 3), gpu.tensor
        matrices = [np.array([[1, 0, shift], [0, 1, 0]], dtype) for shift in (0, 2) for dtype in ("float64", "float32")]
        ways = [np.array([[scale, 0, 1], [0, scale, 2.0]]) for scale in (1, 2)]
        kept = [lanework.nms(BOXES, SCORES, to_source=way, sizes=[40, 60]) for way in ways]
        with torch():
            for again in (False, True):
                gpu.tensor = None if again else before
                try:
                    for matrix in matrices:
                        np.testing.assert_array_equal(lanework.warp(Tensor(image), matrix).array, lanework.warp(image, matrix))
                    for way, right in zip(ways, kept):
                        for a, b in zip(lanework.nms(boxes, scores, to_source=way, sizes=[40, 60]), right, strict=True):
                            np.testing.assert_array_equal(a.array, b)
                finally:
                    gpu.tensor = before
            with self.assertRaises((TypeError, ValueError)):
                lanework.warp(Tensor(image), np.array([[1, 0, None], [0, 1, 0]]))

    @needs_kept_calls
    def test_the_way_back_on_the_gpu_is_written_by_a_call_that_is_made_again(self):
        pictures = [picture(20, 31, 3), picture(20, 31, 3)]
        with torch():
            for function, right in ((lanework.letterbox, lanework.letterbox(pictures[0], (16, 16))), (lanework.tensor, lanework.tensor(pictures[0], (16, 16)))):
                before, ways = gpu.tensor, [Tensor(on_gpu(np.zeros(right[1].shape))) for _ in range(2)]
                out = [Tensor(on_gpu(np.zeros_like(right[0]))) for _ in range(2)]
                function(Tensor(on_gpu(pictures[1])), (16, 16), out=out[0], to_source=ways[0])
                gpu.tensor = None
                try:
                    found = function(Tensor(on_gpu(pictures[0])), (16, 16), out=out[1], to_source=ways[1])
                finally:
                    gpu.tensor = before
                self.assertTrue(found[0] is out[1] and found[1] is ways[1])
                for one, wanted in zip(found, right, strict=True):
                    np.testing.assert_array_equal(one.array, wanted)
                np.testing.assert_array_equal(ways[0].array, right[1])

    @needs_kept_calls
    def test_a_call_in_place_is_not_looked_at_again_either(self):
        with torch():
            tensor, before = Tensor(on_gpu(floats(70))), gpu.tensor
            right = lanework.add(lanework.add(tensor.array, tensor.array), lanework.add(tensor.array, tensor.array))
            lanework.add(tensor, tensor, out=tensor)
            gpu.tensor = None
            try:
                lanework.add(tensor, tensor, out=tensor)
            finally:
                gpu.tensor = before
        np.testing.assert_array_equal(tensor.array, right)

    def test_what_a_call_keeps_is_no_array(self):
        with torch():
            tensor = Tensor(on_gpu(floats(33)))
            gone = weakref.ref(tensor), weakref.ref(tensor.array)
            lanework.gelu(tensor)
            lanework.gelu(tensor, out=tensor)
            del tensor
            gc.collect()
            self.assertEqual([one() for one in gone], [None, None])

    def test_others_are_read_by_dlpack_on_the_stream_of_the_call(self):
        x, y = OnGpu(floats(50)), OnGpu(floats(50), versions=False)
        out = OnGpu(np.zeros(50, np.float32))
        lanework.add(x, y, out=out)
        np.testing.assert_array_equal(out.array, x.array + y.array)
        self.assertEqual((x.streams, y.streams, out.streams), ([1], [1], [1]))  # CUDA's default stream
        with torch() as module:
            lanework.add(Tensor(x.array), y, out=out, stream=types.SimpleNamespace(cuda_stream=2))
            self.assertEqual((y.streams, module.asked), ([1, 2], []))
            new = lanework.add(Tensor(x.array), y, stream=2)
            self.assertEqual(module.entered, [2])
            np.testing.assert_array_equal(new.array, x.array + y.array)
        for stream in (types.SimpleNamespace(ptr=2), types.SimpleNamespace(__cuda_stream__=lambda: (0, 2))):
            lanework.add(x, y, out=out, stream=stream)
            self.assertEqual(y.streams[-1], 2)

    def test_arrays_of_cupy_are_computed_on_its_current_stream(self):
        x, y = floats(30, 41), floats(30, 41)
        for current, waits in ((0, 1), (PER_THREAD, PER_THREAD)):
            with cupy(current) as module:
                given = ndarray(on_gpu(x)), ndarray(on_gpu(y))
                found = lanework.add(*given)
                self.assertIsInstance(found, ndarray)
                np.testing.assert_array_equal(found.array, x + y)
                self.assertEqual((given[0].waited, given[1].waited, module.entered), ([waits], [waits], ["device 0"]))
                out = ndarray(on_gpu(np.zeros((30, 41), np.float32)))
                self.assertIs(lanework.gelu(given[0], out=out), out)
                np.testing.assert_allclose(out.array, lanework.gelu(x), atol=1e-6)
                part = ndarray(on_gpu(x)[:, 3:40])
                self.assertEqual(lanework.reduce(part, "argmax").array, x[:, 3:40].argmax())
                found = lanework.add(*given, stream=PER_THREAD)
                self.assertEqual((given[0].waited[-1], module.entered[-1]), (PER_THREAD, f"stream {PER_THREAD}"))

    def test_types_that_cupy_has_of_ml_dtypes_stay_what_they_are(self):
        try:
            import ml_dtypes
        except ImportError:
            self.skipTest("ml_dtypes is not installed")
        x = floats(30, 41)
        with cupy():
            found = lanework.gelu(ndarray(on_gpu(x.astype(ml_dtypes.bfloat16))))
        self.assertEqual(found.dtype, ml_dtypes.bfloat16)
        np.testing.assert_allclose(found.array.astype(np.float32), lanework.gelu(x), rtol=2**-6, atol=2**-7)

    def test_what_cannot_be_meant_is_said_in_one_line(self):
        a, square = floats(4, 6), floats(4, 4)
        with torch():
            for kind, words, call in (
                (ValueError, "b lies in the processor's memory and a on cuda:0", lambda: lanework.matmul(Tensor(a), a.T)),
                (ValueError, "b lies on cuda:0 and a in the processor's memory", lambda: lanework.matmul(a, Tensor(a.T))),
                (ValueError, "out lies on cuda:1 and x on cuda:0", lambda: lanework.add(Tensor(a), Tensor(a), out=OnGpu(a, 1))),
                (ValueError, "that does not lie in rows; .contiguous()", lambda: lanework.transpose(Tensor(a.T))),
                (ValueError, "that does not lie in rows; .contiguous()", lambda: lanework.reduce(Tensor(floats(4, 9)[:, ::2]))),
                (ValueError, "that does not lie in rows; .contiguous()", lambda: lanework.reduce(Tensor(a.T), "argmax")),
                (ValueError, "that does not lie in rows", lambda: lanework.blur(Tensor(picture(9, 9)[:, ::-1][:, ::2]))),
                (ValueError, "that does not lie in rows", lambda: lanework.transpose(Tensor(np.broadcast_to(a[:1], (4, 6))))),
                (TypeError, "the negative of what lies in memory", lambda: lanework.transpose(Tensor(a, negated=True))),
                (TypeError, "requires a gradient", lambda: lanework.transpose(Tensor(a, requires_grad=True))),
                (ValueError, "out shares memory with an input", lambda: lanework.transpose(Tensor(square), out=Tensor(square))),
                (ValueError, "out shares memory with an input", lambda: lanework.blur(Tensor(square), out=Tensor(square))),
                (ValueError, "out cannot be written", lambda: lanework.transpose(OnGpu(square), out=OnGpu(floats(4, 4), frozen=True))),
                (ValueError, "an array (6, 4) of float32 is right", lambda: lanework.transpose(Tensor(a), out=Tensor(square))),
                (TypeError, "stream is 'x'", lambda: lanework.transpose(Tensor(a), stream="x")),
                (TypeError, "stream is -1", lambda: lanework.transpose(Tensor(a), stream=-1)),
                (ValueError, "stream is given, and matrix lies in the processor's memory", lambda: lanework.transpose(a, stream=0)),
                (TypeError, "out is needed", lambda: lanework.transpose(OnGpu(a))),
                (ValueError, "holds float64", lambda: lanework.matmul(Tensor(a.astype(float)), Tensor(a.astype(float)))),
                (ValueError, "holds elements of 128 bits", lambda: lanework.reduce(OnGpu(a.astype(complex)))),
                (TypeError, "out is list", lambda: lanework.blur(Tensor(picture(4, 4)), out=[1])),
                (ValueError, "boxes", lambda: lanework.nms(Tensor(BOXES.ravel()[1:5].reshape(1, 4)), Tensor(SCORES[:1]))),
                (ValueError, "scores has the shape (39,)", lambda: lanework.nms(Tensor(BOXES), Tensor(SCORES[:39]))),
            ):
                with self.assertRaises(kind, msg=words) as raised:
                    call()
                self.assertIn(words, str(raised.exception))
                self.assertNotIn("\n", str(raised.exception))

    def test_a_list_that_holds_itself_is_refused(self):
        images = [picture(4, 4)]
        images.append(images)
        with torch():
            for given in (images, [Tensor(on_gpu(images[0])), images]):
                with self.assertRaises(TypeError):
                    lanework.resize(given, (2, 2))

    def test_a_device_that_is_not_there_is_an_error_of_its_own(self):
        with self.assertRaises(RuntimeError) as raised:
            lanework.add(OnGpu(floats(4), 7), OnGpu(floats(4), 7), out=OnGpu(floats(4), 7))
        self.assertNotIn("\n", str(raised.exception))


class OnAGpuOfOlderPyTorch(Older, OnAGpu):
    """The same tests."""

    def test_a_build_without_cuda_is_left_alone(self):
        x = floats(40)
        with torch() as module:
            module._C = types.SimpleNamespace()
            np.testing.assert_array_equal(lanework.add(x, x), x + x)


@needs_kept_calls
class Exchanged(unittest.TestCase):
    """What PyTorch's functions in C say of tensors."""

    def test_a_call_that_is_made_again_asks_them_how_its_tensors_lie(self):
        x, y = floats(40), floats(40)
        with torch() as module:
            lanework.add(Tensor(on_gpu(x)), Tensor(on_gpu(y)))
            given = Tensor(on_gpu(y)), Tensor(on_gpu(x)), Tensor(on_gpu(x))
            module.exchange.asked.clear()
            for one in given:
                one.get_device = None
            found = lanework.add(*given[:2])
            self.assertEqual(module.exchange.asked, ["tensor"] * 3)
            self.assertEqual(module.asked, [0, 0])
            np.testing.assert_array_equal(found.array, x + y)

    def test_memory_that_a_call_needs_is_theirs_and_given_back(self):
        with torch() as module:
            for _ in range(3):
                found = lanework.neighbor_list("ijSDd", Tensor(on_gpu(ATOMS)), CELL, True, 1.6)
                for a, b in zip(found, lanework.neighbor_list("ijSDd", ATOMS, CELL, True, 1.6), strict=True):
                    np.testing.assert_array_equal(a.array, b)
                self.assertFalse(module.exchange.lent)
            self.assertEqual(module.exchange.asked.count("memory"), 2 * 2)  # the room and the status

    def test_types_of_which_dlpack_says_the_same_are_two(self):
        image = Tensor(on_gpu(picture(20, 31, 3)))
        with torch():
            for _ in range(2):
                lanework.blur(image)
            image.dtype = "uint4"
            with self.assertRaisesRegex(ValueError, "image holds uint4, which is not computed"):
                lanework.blur(image)

    def test_those_of_another_version_are_not_asked(self):
        x = floats(6, 9)
        with torch() as module:
            module.exchange = Exchange(module, major=2)
            Tensor.__dlpack_c_exchange_api__ = module.exchange.capsule
            for _ in range(2):
                np.testing.assert_array_equal(lanework.transpose(Tensor(on_gpu(x))).array, x.T)
            self.assertFalse(module.exchange.asked)


if __name__ == "__main__":
    unittest.main()
