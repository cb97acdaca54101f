"""lanework's images are what NumPy computes by the written arithmetic, whatever their rows, and say what is wrong."""
import inspect
import os
import unittest

import numpy as np

import lanework
from lanework import images


def random_image(*shape, seed=1, dtype=np.uint8):
    drawn = np.random.default_rng(seed).integers(0, 256, shape)
    return drawn.astype(dtype) if dtype == np.uint8 else (drawn / 255).astype(dtype)


def random_sizes(seed):
    """A colour image, and (height, width) of another."""
    height, width, *size = map(int, np.random.default_rng(seed).integers(1, 90, 4))
    return random_image(height, width, 3, seed=seed), size


def filtered(image, rows, columns):
    """Sums of 3 × 3 neighbours, weighted by rows and columns, border reflect-101."""
    around = np.pad(image.astype(np.int64), [(1, 1), (1, 1)] + [(0, 0)] * (image.ndim - 2), "reflect")
    height, width = image.shape[:2]
    return sum(
        r * c * around[y : y + height, x : x + width] for y, r in enumerate(rows) for x, c in enumerate(columns)
    )


class Images(unittest.TestCase):
    def test_gray_is_the_weighted_sum(self):
        image = random_image(37, 53, 3)
        weighted = image.astype(np.int64) @ [9798, 19235, 3735]
        np.testing.assert_array_equal(lanework.gray(image), (weighted + 16384) >> 15)
        np.testing.assert_array_equal(lanework.gray(image[:, :, ::-1], order="bgr"), lanework.gray(image))
        np.testing.assert_array_equal(lanework.gray(image, "max"), image.max(axis=2))

    def test_blur_and_sobel_are_sums_of_neighbours(self):
        for shape in ((19, 31), (19, 31, 3), (20, 9, 4)):
            image = random_image(*shape)
            np.testing.assert_array_equal(lanework.blur(image), (filtered(image, (1, 2, 1), (1, 2, 1)) + 8) >> 4)
            gx, gy = filtered(image, (1, 2, 1), (-1, 0, 1)), filtered(image, (-1, 0, 1), (1, 2, 1))
            np.testing.assert_array_equal(lanework.sobel(image), np.minimum((abs(gx) + abs(gy)) >> 1, 255))
            magnitude = np.minimum(np.rint(np.sqrt(gx**2 + gy**2)), 255)
            np.testing.assert_array_equal(lanework.sobel(image, "magnitude"), magnitude)
            for axis, derivative in (("x", gx), ("y", gy)):
                found = lanework.sobel_derivative(image, axis)
                self.assertEqual(found.dtype, np.int16)
                np.testing.assert_array_equal(found, derivative)
                floats = lanework.sobel_derivative(image.astype(np.float32), axis)
                self.assertEqual(floats.dtype, np.float32)
                np.testing.assert_array_equal(floats, derivative)

    def test_half_of_both_sizes_is_the_mean_of_four(self):
        image = random_image(30, 44, 3)
        four = image.reshape(15, 2, 22, 2, 3).astype(np.int64).sum(axis=(1, 3))
        np.testing.assert_array_equal(lanework.resize(image, (15, 22)), (four + 2) >> 2)

    def test_the_same_size_is_the_same_image(self):
        for dtype in (np.uint8, np.float32):
            image = random_image(21, 34, 3, dtype=dtype)
            for convention in ("opencv", "float", "legacy"):
                np.testing.assert_array_equal(lanework.resize(image, (21, 34), convention), image)
            for convention in ("opencv", "float"):
                np.testing.assert_array_equal(lanework.warp(image, [[1, 0, 0], [0, 1, 0]], None, convention), image)

    def test_warp_moves_pixels_and_fills_the_border(self):
        image = random_image(12, 17, 3)
        moved = lanework.warp(image, [[1, 0, 2], [0, 1, 3]], (20, 25), border=(7, 8, 9))
        np.testing.assert_array_equal(moved[3:15, 2:19], image)
        np.testing.assert_array_equal(moved[:3], np.broadcast_to(np.uint8([7, 8, 9]), (3, 25, 3)))

    def test_others_arrays_are_read_and_written_where_they_lie(self):
        class Other:  # an array of another library on the processor
            def __init__(self, array):
                self.array, self.shape = array, array.shape

            def __dlpack__(self, **options):
                return self.array.__dlpack__(**options)

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

            def __getitem__(self, index):
                return Other(self.array[index])

        pictures = np.stack([random_image(20, 30, 3) for _ in range(3)])
        out, outs, tensor = Other(np.zeros((20, 30, 3), np.uint8)), Other(np.zeros((3, 7, 9, 3), np.uint8)), Other(np.zeros((3, 3, 16, 16), np.float32))
        self.assertIs(lanework.blur(Other(pictures[0]), out=out), out)
        np.testing.assert_array_equal(out.array, lanework.blur(pictures[0]))
        lanework.resize(Other(pictures), (7, 9), out=outs)
        np.testing.assert_array_equal(outs.array, np.stack(lanework.resize(pictures, (7, 9))))
        self.assertIs(lanework.tensor(Other(pictures), (16, 16), out=tensor)[0], tensor)
        np.testing.assert_array_equal(tensor.array, lanework.tensor(pictures, (16, 16))[0])
        with self.assertRaisesRegex(ValueError, "shares memory"):
            lanework.blur(out, out=out)

    def test_resize_makes_of_nothing_nothing_alone(self):
        image = random_image(30, 60, 3)
        for images in (np.zeros((0, 5, 3), np.uint8), [image, np.zeros((9, 0, 3), np.uint8)]):
            with self.assertRaisesRegex(ValueError, "nothing can only become nothing"):
                lanework.resize(images, (4, 4))
            self.assertEqual(len(lanework.resize(images, (0, 4))), len(images))

    def test_letterbox_pads_around_what_resize_gives(self):
        image = random_image(30, 60, 3)
        fitted, to_source = lanework.letterbox(image, (40, 40), pad=(1, 2, 3))
        np.testing.assert_array_equal(fitted[10:30], lanework.resize(image, (20, 40)))
        np.testing.assert_array_equal(fitted[:10], np.broadcast_to(np.uint8([1, 2, 3]), (10, 40, 3)))
        np.testing.assert_allclose(to_source @ [0, 10, 1], [0, 0], atol=1e-12)
        np.testing.assert_allclose(to_source @ [40, 30, 1], [60, 30], atol=1e-12)

    def test_tensor_is_letterbox_in_planes_normalised(self):
        images = [random_image(30, 60, 3), random_image(50, 20, 3, seed=2), random_image(9, 9, 3, seed=3)]
        mean, std = np.float32([0.485, 0.456, 0.406]), np.float32([0.229, 0.224, 0.225])
        values, ways = lanework.tensor(images, (32, 48), swap_red_blue=True, mean=mean, std=std)
        boxes, box_ways = lanework.letterbox(images, (32, 48))
        self.assertEqual(values.shape, (3, 3, 32, 48))
        np.testing.assert_array_equal(ways, box_ways)
        for value, box in zip(values, boxes):
            expected = (box[:, :, ::-1] / 255.0 - mean) / std
            np.testing.assert_allclose(value, expected.transpose(2, 0, 1), rtol=1e-5, atol=1e-6)
        half, _ = lanework.tensor(images, (32, 48), swap_red_blue=True, mean=mean, std=std, dtype=np.float16)
        np.testing.assert_array_equal(half, values.astype(np.float16))

    def test_images_of_several_sizes_are_computed_as_each_alone(self):
        images = [random_image(h, w, 3, seed=h) for h, w in ((1, 1), (7, 90), (64, 48))]
        for several, image in zip(lanework.resize(images, (20, 31), "float"), images):
            np.testing.assert_array_equal(several, lanework.resize(image, (20, 31), "float"))

    def test_rows_may_lie_apart(self):
        large = random_image(40, 50, 3)
        part = large[5:30, 7:33]
        self.assertFalse(part.flags.c_contiguous)
        np.testing.assert_array_equal(lanework.resize(part, (9, 14)), lanework.resize(part.copy(), (9, 14)))
        np.testing.assert_array_equal(lanework.blur(part), lanework.blur(part.copy()))
        canvas = np.full((40, 50, 3), 3, np.uint8)
        lanework.blur(part, out=canvas[2:27, 4:30])
        np.testing.assert_array_equal(canvas[2:27, 4:30], lanework.blur(part))
        self.assertEqual(canvas.sum() - canvas[2:27, 4:30].sum(), 3 * 3 * (40 * 50 - 25 * 26))
        upside_down = large[::-1, ::2]
        np.testing.assert_array_equal(lanework.blur(upside_down), lanework.blur(upside_down.copy()))

    def test_outputs_may_lie_beside_inputs_in_one_array(self):
        canvas = random_image(40, 50, 3)
        expected = lanework.blur(canvas[:, :25].copy())
        np.testing.assert_array_equal(lanework.blur(canvas[:, :25], out=canvas[:, 25:]), expected)
        np.testing.assert_array_equal(canvas[:, 25:], expected)

    def test_outputs_may_be_given(self):
        image = random_image(30, 40, 3)
        expected, box = lanework.resize(image, (20, 31)), lanework.letterbox(image, (20, 31))[0]
        for function, result in (
            (lambda out: lanework.resize(image, (20, 31), out=out), expected),
            (lambda out: lanework.letterbox(image, (20, 31), out=out)[0], box),
        ):
            out = np.empty_like(result)
            self.assertIs(function(out), out)
            np.testing.assert_array_equal(out, result)
        several = [np.empty_like(expected), np.empty_like(expected)]
        for given, found in zip(several, lanework.resize([image, image[::-1]], (20, 31), out=several)):
            self.assertIs(given, found)
        np.testing.assert_array_equal(several[0], expected)
        np.testing.assert_array_equal(several[1], lanework.resize(image[::-1], (20, 31)))
        derivative = np.empty(image.shape, np.int16)
        self.assertIs(lanework.sobel_derivative(image, out=derivative), derivative)

    def test_outputs_that_overlap_inputs_are_refused(self):
        canvas, matrix = random_image(40, 50, 3), [[1, 0, 2], [0, 1, 3]]
        floats = random_image(1, 3, 16, 16, dtype=np.float32)
        before = canvas.copy()
        for call in (
            lambda: lanework.blur(canvas, out=canvas),
            lambda: lanework.sobel(canvas, out=canvas),
            lambda: lanework.warp(canvas, matrix, out=canvas),
            lambda: lanework.resize(canvas, (40, 50), out=canvas),
            lambda: lanework.letterbox(canvas, (40, 50), out=canvas),
            lambda: lanework.blur(canvas[:6], out=canvas[4:10]),
            lambda: lanework.blur(canvas[:, :30], out=canvas[:, 20:]),
            lambda: lanework.gray(canvas, out=canvas.reshape(-1)[: 40 * 50].reshape(40, 50)),
            lambda: lanework.tensor(floats[0, 0], (3, 16), out=floats[0, :1, 5:8][None]),
        ):
            with self.assertRaisesRegex(ValueError, "out shares memory with an input; an array of its own is right"):
                call()
        np.testing.assert_array_equal(canvas, before)

    def test_threads_change_nothing(self):
        image = random_image(480, 640, 3)
        for operation in (lanework.gray, lanework.blur, lanework.sobel):
            np.testing.assert_array_equal(operation(image, threads=1), operation(image, threads=3))

    def test_a_forked_process_computes_images(self):
        image = random_image(300, 400, 3)
        expected = lanework.resize(image, (200, 200), threads=2).sum()
        child = os.fork()
        if child == 0:
            os._exit(0 if lanework.resize(image, (200, 200), threads=2).sum() == expected else 1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)

    def test_opencv_gives_the_same_bytes(self):
        cv2 = self.opencv()
        for seed in range(50):
            image, (height, width) = random_sizes(seed)
            resized = cv2.resize(image, (width, height), interpolation=cv2.INTER_LINEAR)
            np.testing.assert_array_equal(lanework.resize(image, (height, width)), resized)
            np.testing.assert_array_equal(lanework.blur(image), cv2.GaussianBlur(image, (3, 3), 0))
            np.testing.assert_array_equal(lanework.gray(image), cv2.cvtColor(image, cv2.COLOR_RGB2GRAY))
            np.testing.assert_array_equal(lanework.sobel_derivative(image), cv2.Sobel(image, cv2.CV_16S, 1, 0))

    def test_opencv_4_warps_to_the_same_bytes(self):
        cv2 = self.opencv()
        if int(cv2.__version__.split(".")[0]) > 4:
            self.skipTest(f"OpenCV {cv2.__version__} warps by another arithmetic than 4.x, which convention opencv means")
        for seed in range(50):
            image, (height, width) = random_sizes(seed)
            middle = (image.shape[1] / 2, image.shape[0] / 2)
            matrix = cv2.getRotationMatrix2D(middle, seed * 7.0, 0.5 + seed / 40)
            warped = cv2.warpAffine(image, matrix, (width, height), borderValue=(9, 8, 7))
            np.testing.assert_array_equal(lanework.warp(image, matrix, (height, width), border=(9, 8, 7)), warped)

    def opencv(self):
        try:
            import cv2
        except ImportError:
            self.skipTest("OpenCV is not here")
        return cv2

    def test_mistakes_are_named(self):
        image = random_image(8, 9, 3)
        for words, call in (
            ("an image of int64", lambda: lanework.blur(np.zeros((3, 3), np.int64))),
            ("of the shape \\(3,\\)", lambda: lanework.blur(np.zeros(3, np.uint8))),
            ("channels is 2; 1, 3 and 4", lambda: lanework.blur(np.zeros((3, 3, 2), np.uint8))),
            ("form is 'luma'; there are: opencv", lambda: lanework.gray(image, "luma")),
            ("out is \\(8, 9\\) of uint8; an array \\(8, 9, 3\\)", lambda: lanework.blur(image, out=np.empty((8, 9), "u1"))),
            ("out is \\(8, 9, 3\\) of uint8; an array \\(8, 9, 3\\) of int16", lambda: lanework.sobel_derivative(image, out=image)),
            ("axis is 'z'; there are: x, y", lambda: lanework.sobel_derivative(image, "z")),
            ("out has 1 images; one for each of 2", lambda: lanework.resize([image, image], (8, 9), out=[image])),
            ("out\\[1\\] shares memory with another output", lambda: lanework.resize([image] * 2, (8, 9), out=[image.copy()] * 2)),
            ("size\\[0\\] \\(the height\\) is -1; from 0 to 2147483647", lambda: lanework.resize(image, (-1, 4))),
            ("image 1 has 1 channels", lambda: lanework.resize([image, image[:, :, 0]], (4, 4))),
            ("no images", lambda: lanework.tensor([], (4, 4))),
            ("std 0", lambda: lanework.tensor(image, (4, 4), std=0)),
            ("dtype is float64", lambda: lanework.tensor(image, (4, 4), dtype=np.float64)),
            ("2 × 3 is right", lambda: lanework.warp(image, np.eye(3))),
            ("mean has 2 numbers; a number, or one for each", lambda: lanework.tensor(image, (4, 4), mean=[0.5, 0.5])),
            ("channel \\(here 3\\), is right", lambda: lanework.tensor(image, (4, 4), mean=[1, 2, 3, 4])),
            ("std has 2 numbers", lambda: lanework.tensor(image, (4, 4), std=[0.5, 0.5])),
            ("pad has 2 numbers", lambda: lanework.letterbox(image, (4, 4), pad=(9, 9))),
            ("pad has 4 numbers", lambda: lanework.tensor(image, (4, 4), pad=(9, 9, 9, 9))),
            ("border has 3 numbers", lambda: lanework.warp(image[:, :, 0], np.eye(2, 3), border=(1, 2, 3))),
            ("mean has the shape \\(1, 3\\)", lambda: lanework.tensor(image, (4, 4), mean=[[1, 2, 3]])),
            ("no inverse", lambda: lanework.warp(image, [[1, 2, 0], [2, 4, 0]])),
        ):
            with self.assertRaisesRegex(ValueError, words):
                call()


class Descriptions(unittest.TestCase):
    def test_defaults_of_signatures_are_those_of_the_library(self):
        compared = 0
        for operation in images.OPERATIONS:
            parameters = inspect.signature(getattr(lanework, operation.name)).parameters
            for option in operation.options:
                default = parameters[option.name].default  # every option is a parameter
                if option.kind in ("size", "colour", "affine"):  # a size is that of `out`; a colour is stated or not
                    continue
                block = bytearray(operation.defaults)
                option.pack(option, block, np.dtype(default) if option.kind == "element" else default, 3)
                self.assertEqual(block, operation.defaults, f"{operation.name}: {option.name}")
                compared += 1
        self.assertGreater(compared, 10)

    def test_every_option_has_a_place_of_its_own(self):
        for operation in images.OPERATIONS:
            offsets = [option.offset for option in operation.options]
            self.assertEqual(len(offsets), len(set(offsets)), operation.name)
            self.assertTrue(all(offset < len(operation.defaults) for offset in offsets), operation.name)
            self.assertTrue(operation.doc.strip().partition("\n")[0].endswith("."), operation.name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
