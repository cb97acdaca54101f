"""Detections: a network's output becomes boxes (decode), and of boxes that overlap the best is kept (nms).

    boxes, scores, classes = decode(head, "v8", score_threshold=0.25)
    kept = nms(boxes, scores, classes, iou_threshold=0.5)

Arrays are as in lanework.arrays: NumPy's or those of whatever has DLPack, on the processor or on a GPU.
"""
import ctypes
import struct

import numpy as np

from .arguments import described, index_of, integer, number32
from .arrays import line, on_host, output
from .gpu import View
from .library import library, require
from .place import Place

BOX_FORMS = ("xyxy", "xywh", "cxcywh")
HEAD_FORMS = ("v5", "v8")
_NMS = struct.Struct("@PPPPPqqqqffi4x")  # lanework_nms_request of python/native/detection.cpp
_DECODE = struct.Struct("@PPPPqqqfi")  # lanework_decode_request
_MOST = 2**31 - 1
_BOX_ALIGNMENT = 16

for function in (library.lanework_nms, library.lanework_decode):
    function.argtypes, function.restype = [ctypes.c_char_p, ctypes.c_char_p], ctypes.c_int32


def _address(array):
    return array.address if type(array) is View else array.ctypes.data


def _run(function, place, request):
    require(function(request, place.packed()))


def _boxes_aligned(array):
    """Boxes are read as 16 bytes: NumPy's that begin elsewhere are copied, those of a GPU are refused by the library."""
    if type(array) is View or array.ctypes.data % _BOX_ALIGNMENT == 0:
        return array
    room = np.empty(array.size + _BOX_ALIGNMENT // 4, np.float32)
    first = -room.ctypes.data % _BOX_ALIGNMENT // 4
    aligned = room[first:first + array.size].reshape(array.shape)
    aligned[...] = array
    return aligned


def _threshold(name, value):
    """A real number, rounded to float32; −inf lets all pass."""
    if type(value) in (int, float) and value == -np.inf:
        return -np.inf
    return number32(name, value)


def decode(head, form="v8", score_threshold=0.0, *, out=None, threads=0, stream=None):
    """The boxes of a YOLO network's output, in float32: (boxes, scores, classes).

    head     form v8: (4 + classes) × count, rows of cx, cy, w, h and of each class's scores; v5: count × (5 + classes), with the
             objectness fifth; each with an axis for several images before it
    boxes    count × 4: x1, y1, x2, y2, in pixels of the network's input
    scores   count: the best class's, −inf where it is not above score_threshold
    classes  count, int32: which class that is
    out      three such arrays
    """
    place, form = Place(threads, stream), index_of("form", form, HEAD_FORMS)
    score_threshold = _threshold("score_threshold", score_threshold)
    head = line(place, "head", head, ("float32",))
    fixed = 5 if form == 0 else 4
    shape = tuple(head.shape)
    if len(shape) not in (2, 3):
        raise ValueError(f"head has the shape {shape}; " + ("count × (5 + classes)" if form == 0 else "(4 + classes) × count") + ", or several of them, is right")
    images = shape[0] if len(shape) == 3 else 1
    rows, columns = shape[-2:]
    count, of_each = (rows, columns) if form == 0 else (columns, rows)
    if of_each <= fixed:
        raise ValueError(f"head has the shape {shape}, in which each box has {of_each} numbers; {fixed} and those of its classes are right")
    before = shape[:1] if len(shape) == 3 else ()
    out = (None, None, None) if out is None else out
    if not isinstance(out, (list, tuple)) or len(out) != 3:
        raise TypeError(f"out is {described(out)}; (boxes, scores, classes) is right")
    parts = (("boxes", (*before, count, 4), "float32"), ("scores", (*before, count), "float32"), ("classes", (*before, count), "int32"))
    pairs = [output(place, one, size, dtype, (head,), name=f"out's {name}") for one, (name, size, dtype) in zip(out, parts)]
    boxes, scores, classes = (array for array, _ in pairs)
    _run(library.lanework_decode, place, _DECODE.pack(
        _address(head), _address(boxes), _address(scores), _address(classes), images, count, of_each - fixed, score_threshold, form,
    ))
    return tuple(given for _, given in pairs)


def nms(
    boxes, scores, classes=None, iou_threshold=0.5, score_threshold=-np.inf, *, form="xyxy", top=0, capacity=None, out=None, threads=0,
    stream=None,
):
    """Which boxes are kept, by descending score, as torchvision's nms and, with classes, batched_nms keep them.

    boxes     count × 4, float32, their corners; form: xyxy, xywh (a corner and the size) or cxcywh (the centre and the size)
    scores    count, float32; boxes whose score is not above score_threshold, or NaN, are left out
    classes   count, int32: boxes suppress those of their class alone
    top       look at so many boxes with the highest scores; 0: at all
    capacity  the most that are kept; all by default

    The result is their indices, int32; on a GPU this waits for their number. Of several images (each array with one axis more before)
    it is (indices, counts): images × capacity, −1 behind the last, and how many of each are kept; nothing is waited for. So it is with
    out=(indices, counts).
    """
    place, form = Place(threads, stream), index_of("form", form, BOX_FORMS)
    iou_threshold, score_threshold = number32("iou_threshold", iou_threshold), _threshold("score_threshold", score_threshold)
    top = integer("top", top, 0, _MOST)
    boxes = _boxes_aligned(line(place, "boxes", boxes, ("float32",)))
    shape = tuple(boxes.shape)
    if len(shape) not in (2, 3) or shape[-1] != 4:
        raise ValueError(f"boxes has the shape {shape}; count × 4, or images × count × 4, is right")
    scores = _beside("scores", line(place, "scores", scores, ("float32",)), shape)
    inputs = [boxes, scores]
    if classes is not None:
        inputs.append(_beside("classes", line(place, "classes", classes, ("int32",)), shape))
    before, images, count = shape[:-2], shape[0] if len(shape) == 3 else 1, shape[-2]
    if out is not None and (not isinstance(out, (list, tuple)) or len(out) != 2):
        raise TypeError(f"out is {described(out)}; (indices, counts) is right")
    if out is not None and capacity is None:
        capacity = (0, *place.view("out's indices", out[0], on_host).shape)[-1]
    capacity = count if capacity is None else integer("capacity", capacity, 0, _MOST)
    wanted = (None, None) if out is None else out
    indices, given_indices = output(place, wanted[0], (*before, capacity), "int32", inputs, name="out's indices")
    counts, given_counts = output(place, wanted[1], before or (1,), "int32", inputs, name="out's counts")
    _run(library.lanework_nms, place, _NMS.pack(
        _address(boxes), _address(scores), _address(inputs[2]) if classes is not None else 0, _address(indices), _address(counts), images,
        count, capacity, top, iou_threshold, score_threshold, form,
    ))
    if out is not None or before:
        return given_indices, given_counts
    return given_indices[:int(given_counts[0])]


def _beside(name, array, boxes):
    if tuple(array.shape) != boxes[:-1]:
        raise ValueError(f"{name} has the shape {tuple(array.shape)} and boxes {boxes}; {boxes[:-1]} is right")
    return array
