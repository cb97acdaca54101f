"""Kept boxes are mapped back to the pictures that they came from, on the processor and on a GPU, which is the simt device as in
gpu_test.py."""
import unittest

import numpy as np

import lanework
from stand_in_torch import Graph, Older, Tensor, on_gpu, torch

RANDOM = np.random.default_rng(2)
IMAGES, COUNT = 3, 40
BOXES = np.sort(RANDOM.uniform(-20, 160, (IMAGES, COUNT, 2, 2)), axis=2).astype(np.float32).reshape(IMAGES, COUNT, 4)
SCORES = RANDOM.uniform(0, 1, (IMAGES, COUNT)).astype(np.float32)
PICTURES = [RANDOM.integers(0, 256, shape).astype(np.uint8) for shape in ((90, 200, 3), (300, 120, 3), (50, 50, 3))]
SIZES = [picture.shape[:2] for picture in PICTURES]


def there(array):
    return Tensor(on_gpu(np.ascontiguousarray(array)))


def mapped(boxes, to_source, size):
    """By scale and translation, and clipped to height and width."""
    x, y = boxes[:, 0::2], boxes[:, 1::2]
    if to_source is not None:
        x, y = x * to_source[0, 0] + to_source[0, 2], y * to_source[1, 1] + to_source[1, 2]
    if size is not None:
        x, y = x.clip(0, size[1]), y.clip(0, size[0])
    return np.stack((x[:, 0], y[:, 0], x[:, 1], y[:, 1]), 1)


class Sources(unittest.TestCase):
    def setUp(self):
        self.ways = lanework.letterbox(PICTURES, (128, 128))[1]

    def test_boxes_are_mapped_and_clipped(self):
        for ways, sizes in ((self.ways, SIZES), (self.ways, None), (None, SIZES)):
            indices, counts, boxes = lanework.nms(BOXES, SCORES, to_source=ways, sizes=sizes)
            plain, plain_counts = lanework.nms(BOXES, SCORES)
            np.testing.assert_array_equal(indices, plain)
            np.testing.assert_array_equal(counts, plain_counts)
            for image in range(IMAGES):
                kept = indices[image, :counts[image]]
                right = mapped(BOXES[image, kept].astype(float), None if ways is None else ways[image], None if sizes is None else sizes[image])
                np.testing.assert_allclose(boxes[image, :counts[image]], right, rtol=1e-5, atol=1e-3)
                self.assertTrue((boxes[image, counts[image]:] == 0).all())
            one = lanework.nms(BOXES[1], SCORES[1], to_source=None if ways is None else ways[1], sizes=None if sizes is None else sizes[1])
            np.testing.assert_array_equal(one[0], indices[1, :counts[1]])
            np.testing.assert_array_equal(one[1], boxes[1, :counts[1]])

    def test_a_gpu_gives_the_same_wherever_the_ways_lie(self):
        right = lanework.nms(BOXES, SCORES, to_source=self.ways, sizes=SIZES, capacity=20)
        sizes = np.array(SIZES, np.int32)
        with torch():
            for ways, of in ((self.ways, SIZES), (there(self.ways), there(sizes)), (self.ways.tolist(), there(sizes)), (there(self.ways), sizes)):
                found = lanework.nms(there(BOXES), there(SCORES), to_source=ways, sizes=of, capacity=20)
                for a, b in zip(found, right, strict=True):
                    np.testing.assert_array_equal(a.array, b)
            indices, boxes = lanework.nms(there(BOXES[0]), there(SCORES[0]), to_source=there(self.ways[:1]), sizes=SIZES[0], capacity=20)
            np.testing.assert_array_equal(boxes.array, right[2][0, :right[1][0]])
            self.assertEqual(len(indices), right[1][0])

    def test_given_arrays_hold_the_boxes(self):
        kept, counts, boxes = np.zeros(25, np.int32), np.zeros(1, np.int32), np.full(101, 7, np.float32)
        for first in (0, 1):  # which is no multiple of 16 bytes
            out = (kept, counts, boxes[first:first + 100].reshape(25, 4))
            self.assertTrue(all(a is b for a, b in zip(lanework.nms(BOXES[0], SCORES[0], capacity=25, out=out), out, strict=True)))
            np.testing.assert_array_equal(out[2][:counts[0]], BOXES[0, kept[:counts[0]]])
            self.assertTrue((out[2][counts[0]:] == 0).all())
        with torch():
            there_too = [Tensor(on_gpu(np.full_like(one, 9))) for one in out]
            lanework.nms(there(BOXES[0]), there(SCORES[0]), out=there_too)
            for a, b in zip(there_too, out, strict=True):
                np.testing.assert_array_equal(a.array, b)

    def test_what_was_fitted_says_the_way_back_where_it_lies(self):
        for function in (lanework.letterbox, lanework.tensor):
            right = function(PICTURES, (64, 64))
            for wrap in (lambda array: array, there):
                with torch():
                    ways = wrap(np.full((IMAGES, 2, 3), 9.0))
                    for _ in range(2):
                        given, back = function([wrap(one) for one in PICTURES], (64, 64), to_source=ways)
                        self.assertIs(back, ways)
                        np.testing.assert_array_equal(getattr(back, "array", back), right[1])
        one = np.full((2, 3), 9.0)
        lanework.letterbox(PICTURES[0], (64, 64), to_source=one)
        np.testing.assert_array_equal(one, lanework.letterbox(PICTURES[0], (64, 64))[1])

    def test_a_graph_takes_pictures_to_boxes_in_their_source(self):
        pictures, ways, graph = [there(one) for one in PICTURES], there(np.zeros((IMAGES, 2, 3))), Graph()
        boxes, scores = there(BOXES), there(SCORES)
        out = [there(np.zeros((IMAGES, 20), np.int32)), there(np.zeros(IMAGES, np.int32)), there(np.zeros((IMAGES, 20, 4), np.float32))]
        inputs = there(np.zeros((IMAGES, 3, 128, 128), np.float32))
        with torch(), graph:
            lanework.tensor(pictures, (128, 128), out=inputs, to_source=ways, stream=graph.stream)
            lanework.nms(boxes, scores, to_source=ways, sizes=SIZES, out=out, stream=graph.stream)
        for _ in range(2):
            graph.replay()
            for a, b in zip(out, lanework.nms(boxes.array, scores.array, to_source=self.ways, sizes=SIZES, capacity=20), strict=True):
                np.testing.assert_array_equal(a.array, b)
            scores.array[...] = scores.array[:, ::-1].copy()
            ways.array[...] = 0

    def test_the_number_of_boxes_is_that_of_the_call(self):
        apart = np.arange(COUNT, dtype=np.float32)[:, None] * 9 + np.array([0, 0, 5, 5], np.float32)
        together = apart % 5 + np.array([0, 0, 5, 5], np.float32)
        with torch():
            for options in ({}, {"sizes": (70, 900)}):
                for boxes in (apart, together, apart, apart[:0]):
                    found, right = lanework.nms(there(boxes), there(SCORES[0, :len(boxes)]), **options), lanework.nms(boxes, SCORES[0, :len(boxes)], **options)
                    for a, b in zip(*([one] if not options else one for one in (found, right)), strict=True):
                        np.testing.assert_array_equal(a.array, b)

    def test_the_number_of_boxes_is_not_waited_for_in_a_capture(self):
        boxes, scores, graph = there(BOXES[0]), there(SCORES[0]), Graph()
        kept, count = on_gpu(np.zeros(COUNT, np.int32)), on_gpu(np.zeros(1, np.int32))
        with torch(), graph:
            with self.assertRaisesRegex(ValueError, "being captured, and this waits for the number of boxes; give out"):
                lanework.nms(boxes, scores, stream=graph.stream)
            lanework.nms(boxes, scores, out=(Tensor(kept), Tensor(count)), stream=graph.stream)
        graph.replay()
        np.testing.assert_array_equal(kept[:count[0]], lanework.nms(BOXES[0], SCORES[0]))

    def test_what_cannot_be_meant_is_said_in_one_line(self):
        three = [np.zeros((IMAGES, 5), np.int32), np.zeros(IMAGES, np.int32), np.zeros((IMAGES, 5, 4), np.float32)]
        with torch():
            for kind, words, options in (
                (ValueError, "iou_threshold is 1.45; from 0 to 1 is right", {"iou_threshold": 1.45}),
                (ValueError, "iou_threshold is -0.1; from 0 to 1 is right", {"iou_threshold": -0.1}),
                (ValueError, "iou_threshold is nan", {"iou_threshold": np.nan}),
                (ValueError, "score_threshold is nan", {"score_threshold": np.nan}),
                (ValueError, "to_source has the shape (2, 2, 3); (3, 2, 3) is right", {"to_source": self.ways[:2]}),
                (ValueError, "sizes has the shape (2,); (3, 2) is right", {"sizes": (4, 5)}),
                (ValueError, "sizes has -4; 0 or more is right", {"sizes": [(3, 5), (-4, 5), (1, 1)]}),
                (TypeError, "sizes is 'x'", {"sizes": "x"}),
                (ValueError, "to_source lies on cuda:0 and boxes in the processor's memory", {"to_source": there(self.ways)}),
                (TypeError, "(indices, counts, boxes) is right", {"to_source": self.ways, "out": three[:2]}),
                (TypeError, "(indices, counts, boxes) is right, or (indices, counts)", {"out": three[:1]}),
                (ValueError, "out's boxes is an array (3, 5) of int32; an array (3, 5, 4) of float32", {"out": (*three[:2], three[0])}),
                (ValueError, "out's boxes shares memory with an input", {"out": (np.zeros((IMAGES, COUNT), np.int32), three[1], BOXES)}),
            ):
                with self.assertRaises(kind, msg=words) as raised:
                    lanework.nms(BOXES, SCORES, **options)
                self.assertIn(words, str(raised.exception))
                self.assertNotIn("\n", str(raised.exception))
            for words, options in (
                ("to_source holds float32", {"to_source": there(self.ways.astype("float32"))}),
                ("sizes holds int64", {"sizes": there(np.array(SIZES))}),
                ("boxes does not begin at a multiple of 16 bytes", {"out": [there(one) for one in three[:2]] + [
                    Tensor(on_gpu(np.zeros(IMAGES * 20 + 1, np.float32))[1:].reshape(IMAGES, 5, 4))]}),
            ):
                with self.assertRaises(ValueError, msg=words) as raised:
                    lanework.nms(there(BOXES), there(SCORES), **options)
                self.assertIn(words, str(raised.exception))
            for words, ways in (("(3, 2, 3) of float64 is right", np.zeros((2, 2, 3))), ("(3, 2, 3) of float64 is right", np.zeros((3, 2, 3), "f4"))):
                for wrap in (lambda array: array, there):
                    with self.assertRaises(ValueError) as raised:
                        lanework.letterbox([wrap(one) for one in PICTURES], (64, 64), to_source=wrap(ways))
                    self.assertIn(words, str(raised.exception))


class SourcesOfOlderPyTorch(Older, Sources):
    """The same tests."""


if __name__ == "__main__":
    unittest.main()
