"""Detections: a network's output becomes boxes (decode), and of boxes that overlap the best is kept (nms).

    boxes, scores, classes = decode(head, "v8", score_threshold=0.25)
    kept = nms(boxes, scores, classes, iou_threshold=0.5)

Arrays are as in lanework.arrays: NumPy's or those of whatever has DLPack, on the processor or on a GPU.
"""
import ctypes
import struct
import sys

import numpy as np

from .arguments import described, index_of, integer, number32, numbers
from .arrays import line, on_host as on_host_array, output, shape_of
from .gpu import GPU_KINDS, View, first_rows, kind_of
from .library import library, require
from .place import Place
from .repeated import repeatable, request_of

BOX_FORMS = ("xyxy", "xywh", "cxcywh")
HEAD_FORMS = ("v5", "v8")
_NMS = struct.Struct("@PPPPPPPPqqqqffiiq")  # lanework_nms_request of python/native/detection.cpp
_DECODE = struct.Struct("@PPPPqqqfi")  # lanework_decode_request
_MOST = 2**31 - 1
_WORD = 8
_NUMBER = _NMS.size - _WORD  # the byte where the number of boxes is written
_BOX_ALIGNMENT = 16
_SOURCES = {"to_source": (np.float64, (2, 3), 1), "sizes": (np.int32, (2,), 2)}  # of each image; the bit of lanework_nms_request

for function in (library.lanework_nms, library.lanework_decode):
    function.argtypes, function.restype = [ctypes.c_char_p, ctypes.c_char_p], ctypes.c_int32


def _address(array):
    return array.address if type(array) is View else array.ctypes.data


def _run(function, place, form, arrays, rest, written, told=None):
    """Calls it with the addresses of these arrays, null where there is none, and the rest of the request, and returns that."""
    block = ctypes.create_string_buffer(form.pack(*(0 if one is None else _address(one) for one in arrays), *rest), form.size)
    views, on_host = {}, {}
    for at, one in enumerate(arrays) if place.on_gpu else ():
        if type(one) is View:
            views[_WORD * at] = one
        elif one is not None:
            on_host[_WORD * at] = one.tobytes()
    require(request_of(function, block, views, on_host, place, written, told))
    return block.raw


def _boxes_aligned(array):
    """Boxes are read as 16 bytes: NumPy's that begin elsewhere are copied, those of a GPU are refused by the library."""
    if type(array) is View or array.ctypes.data % _BOX_ALIGNMENT == 0:
        return array
    aligned = _aligned_boxes(array)
    aligned[...] = array
    return aligned


def _aligned_boxes(like):
    room = np.empty(like.size + _BOX_ALIGNMENT // 4, np.float32)
    first = -room.ctypes.data % _BOX_ALIGNMENT // 4
    return room[first:first + like.size].reshape(like.shape)


def _threshold(name, value):
    """A real number, rounded to float32; −inf lets all pass."""
    if type(value) in (int, float) and value == -np.inf:
        return -np.inf
    return number32(name, value)


@repeatable
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
    rest = images, count, of_each - fixed, score_threshold, form
    _run(library.lanework_decode, place, _DECODE, (head, boxes, scores, classes), rest, 3)
    return tuple(given for _, given in pairs)


@repeatable
def nms(
    boxes, scores, classes=None, iou_threshold=0.5, score_threshold=-np.inf, *, form="xyxy", top=0, capacity=None, to_source=None, sizes=None,
    out=None, threads=0, stream=None,
):
    """Which boxes are kept, by descending score, as torchvision's nms and, with classes, batched_nms keep them.

    boxes     count × 4, float32, their corners; form: xyxy, xywh (a corner and the size) or cxcywh (the centre and the size)
    scores    count, float32; boxes whose score is not above score_threshold, or NaN, are left out
    classes   count, int32: boxes suppress those of their class alone
    top       look at so many boxes with the highest scores; 0: at all
    capacity  the most that are kept; all by default
    to_source what letterbox and tensor return: kept boxes are mapped to where the image came from by its scale and translation
    sizes     height and width of the images that they came from: kept boxes are clipped to them

    The result is their indices, int32; on a GPU this waits for their number. Of several images (each array with one axis more before)
    it is (indices, counts): images × capacity, −1 behind the last, and how many of each are kept; nothing is waited for. So it is with
    out=(indices, counts). With to_source or sizes the corners x1, y1, x2, y2 of the kept boxes come last, 0 behind the last: (indices,
    boxes), or (indices, counts, boxes); with out=(indices, counts, boxes) they need neither. to_source (2 × 3, float64) and sizes (2,
    int32), of several images one for each, may lie on the processor for boxes on a GPU: a CUDA graph keeps what they were.
    """
    place, form = Place(threads, stream), index_of("form", form, BOX_FORMS)
    iou_threshold, score_threshold = number32("iou_threshold", iou_threshold), _threshold("score_threshold", score_threshold)
    if not 0 <= iou_threshold <= 1:
        raise ValueError(f"iou_threshold is {iou_threshold:g}; from 0 to 1 is right")
    top = integer("top", top, 0, _MOST)
    boxes = _boxes_aligned(line(place, "boxes", boxes, ("float32",)))
    shape = tuple(boxes.shape)
    if len(shape) not in (2, 3) or shape[-1] != 4:
        raise ValueError(f"boxes has the shape {shape}; count × 4, or images × count × 4, is right")
    scores = _beside("scores", line(place, "scores", scores, ("float32",)), shape)
    inputs = [boxes, scores]
    if classes is not None:
        classes = _beside("classes", line(place, "classes", classes, ("int32",)), shape)
        inputs.append(classes)
    before, images, count = shape[:-2], shape[0] if len(shape) == 3 else 1, shape[-2]
    sources, on_host = zip(*(_source_images(place, name, given, before) for name, given in (("to_source", to_source), ("sizes", sizes))))
    wants_boxes = to_source is not None or sizes is not None
    waits = out is None and not before
    names = ["indices", "counts", "boxes"] if wants_boxes or out is not None else ["indices", "counts"]
    if out is None:
        wanted = dict.fromkeys(names)
    elif not isinstance(out, (list, tuple)) or len(out) not in ((3,) if wants_boxes else (2, 3)):
        raise TypeError(f"out is {described(out)}; (indices, counts, boxes) is right" + ("" if wants_boxes else ", or (indices, counts)"))
    else:
        wanted = dict(zip(names, out))
    if waits:  # the number is told instead
        del wanted["counts"]
    if out is not None and capacity is None:
        capacity = (0, *shape_of(place, "out's indices", out[0]))[-1]
    capacity = count if capacity is None else integer("capacity", capacity, 0, _MOST)
    forms = {"indices": ((*before, capacity), "int32"), "counts": (before or (1,), "int32"), "boxes": ((*before, capacity, 4), "float32")}
    inputs += [one for one in sources if one is not None and place.on_gpu == (type(one) is View)]
    pairs = {name: output(place, one, *forms[name], inputs, name=f"out's {name}") for name, one in wanted.items()}
    results, given = {name: array for name, (array, _) in pairs.items()}, tuple(one for _, one in pairs.values())
    kept = _room_for_boxes(results["boxes"]) if "boxes" in results else None
    arrays = (boxes, scores, classes, *sources, results["indices"], results.get("counts"), kept)
    rest = images, count, capacity, top, iou_threshold, score_threshold, form, sum(on_host), 0 if waits else -1
    request = _run(library.lanework_nms, place, _NMS, arrays, rest, len(results), _NUMBER if waits else None)
    if kept is not None and kept is not results["boxes"]:
        results["boxes"][...] = kept
    if not waits:
        return given
    found = tuple(first_rows(one, int.from_bytes(request[_NUMBER:], sys.byteorder)) for one in given)
    return found if wants_boxes else found[0]


def _source_images(place, name, given, before):
    """What there is of each image, or None; and the bit that says that it lies on the processor, where the boxes do not."""
    if given is None:
        return None, 0
    dtype, each, bit = _SOURCES[name]
    if place.on_gpu and (isinstance(given, np.ndarray) or kind_of(given) not in GPU_KINDS):
        array, on_host = np.ascontiguousarray(numbers(name, given, dtype)), bit
    elif place.on_gpu:
        array, on_host = line(place, name, given, (np.dtype(dtype).name,)), 0
    else:
        array, on_host = np.ascontiguousarray(numbers(name, place.view(name, given, on_host_array), dtype)), 0
    if tuple(array.shape) not in ((*before, *each), (1, *each) if not before else ()):
        raise ValueError(f"{name} has the shape {tuple(array.shape)}; {(*before, *each)} is right")
    if type(array) is not View and bit == _SOURCES["sizes"][2] and (array < 0).any():
        raise ValueError(f"{name} has {array.min()}; 0 or more is right")
    return array, on_host


def _room_for_boxes(out):
    """Where the boxes are written: NumPy's that begin elsewhere than they must get them from memory of their own."""
    return out if type(out) is View or out.ctypes.data % _BOX_ALIGNMENT == 0 else _aligned_boxes(out)


def _beside(name, array, boxes):
    if tuple(array.shape) != boxes[:-1]:
        raise ValueError(f"{name} has the shape {tuple(array.shape)} and boxes {boxes}; {boxes[:-1]} is right")
    return array
