#!/usr/bin/env python3
"""Arrays of PyTorch's on a GPU through the Python package: are they right, on which stream, in a CUDA graph, and what does a call cost
beside PyTorch's own function.

Usage: PYTHONPATH=BUILD/python torch_arrays.py OUT.json
Every check and every time is a line in the file; a wrong result, or an error, ends it with 1 after all are written.
"""
import ctypes
import platform
import re
import statistics
import subprocess
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from functools import partial

import numpy as np
import torch

import lanework
import torch_timing
from compact_json import write_whole
from lanework import repeated
from lanework.place import PLACE

CALLS, RUNS, HOST_RUNS, CAPTURED = 11, 9, 100, 100  # calls in a turn: so few that none waits for the device, of many launches, too
PASSES = 3  # over all rows: for seconds at a time others take half of a rented machine's processor
FIRST_CALLS_AT_ONCE = 12  # processes
RANDOM = np.random.default_rng(7)
MATRIX = [[0.9, 0.1, 2], [-0.1, 1.1, 1]]
CELL, CUTOFF, TABLE, ROOM = np.array([[9.0, 0, 0], [1, 8, 0], [-1, 0.5, 10]]), 1.6, [[1.3, 1.7], [1.7, 0.9]], 9000


def floats(*shape):
    return torch.from_numpy(RANDOM.uniform(-1, 1, shape).astype(np.float32))


def bytes_of(*shape):
    return torch.from_numpy(RANDOM.integers(0, 256, shape).astype(np.uint8))


def boxes(count):
    corners = np.sort(RANDOM.uniform(0, 200, (count, 2, 2)), axis=1)
    return torch.from_numpy(corners.astype(np.float32).reshape(count, 4))


def atoms(count, dtype=np.float32):
    return torch.from_numpy(RANDOM.uniform(-0.5, 9.5, (count, 3)).astype(dtype))


def list_of(dtype):
    """What a list of ROOM pairs goes into: i, j, S, D, d and its status."""
    return [((ROOM,), "int32"), ((ROOM,), "int32"), ((ROOM, 3), "int32"), ((ROOM, 3), dtype), ((ROOM,), dtype), ((4,), "int64")]


# name: (call(function of the package, inputs, out), inputs, shapes and types of out, how near: 0 for the same bytes)
CASES = {
    "add": (lambda f, i, o: f(*i, out=o[0]), lambda: (floats(1000), floats(1000)), [((1000,), "float32")], 0),
    "gelu": (lambda f, i, o: f(*i, out=o[0]), lambda: (floats(1000),), [((1000,), "float32")], 1e-6),
    "gelu of bfloat16": (lambda f, i, o: f(*i, "tanh", out=o[0]), lambda: (floats(1000).bfloat16(),), [((1000,), "bfloat16")], 1e-2),
    "histogram": (lambda f, i, o: f(*i, out=o[0]), lambda: (bytes_of(5000),), [((256,), "int64")], 0),
    "matmul": (lambda f, i, o: f(*i, out=o[0]), lambda: (floats(65, 33), floats(33, 40)), [((65, 40), "float32")], 1e-5),
    "batched_matmul": (lambda f, i, o: f(*i, out=o[0]), lambda: (floats(5, 33, 20), floats(5, 20, 40)), [((5, 33, 40), "float32")], 1e-5),
    "batched_matmul of heads, one B": (
        lambda f, i, o: f(i[0].swapaxes(0, 1), i[1], out=o[0]), lambda: (floats(33, 5, 20), floats(20, 40)), [((5, 33, 40), "float32")], 1e-5),
    "matmul with bias and GELU": (
        lambda f, i, o: f(*i[:2], alpha=0.5, bias=i[2], activation="gelu_tanh", out=o[0]), lambda: (floats(65, 33), floats(33, 40), floats(40)),
        [((65, 40), "float32")], 1e-5),
    "matmul of parts": (
        lambda f, i, o: f(i[0][:, 3:30], i[1][:27, 2:32], out=o[0][:, 1:31]), lambda: (floats(65, 33), floats(33, 40)),
        [((65, 40), "float32")], 1e-5),
    "reduce": (lambda f, i, o: f(*i, out=o[0]), lambda: (floats(50000),), [((), "float32")], 1e-2),
    "reduce argmax": (lambda f, i, o: f(*i, "argmax", out=o[0]), lambda: (floats(50000),), [((), "int64")], 0),
    "reproducible_sum": (lambda f, i, o: f(*i, out=o[0]), lambda: (floats(50000),), [((), "float32")], 0),
    "add of parts": (
        lambda f, i, o: f(i[0][:, 3:30], i[1][:65, 2:29], out=o[0][:, 1:28]), lambda: (floats(65, 33), floats(67, 41)), [((65, 40), "float32")], 0),
    "gelu of parts": (
        lambda f, i, o: f(i[0][:, 3:30], out=o[0][:, 1:28]), lambda: (floats(65, 33).bfloat16(),), [((65, 40), "bfloat16")], 1e-2),
    "histogram of parts": (lambda f, i, o: f(i[0][3:, 5:40, :], out=o[0]), lambda: (bytes_of(37, 53, 3),), [((256,), "int64")], 0),
    "reduce of parts": (lambda f, i, o: f(i[0][:, 3:200], out=o[0]), lambda: (floats(300, 257),), [((), "float32")], 1e-2),
    "reduce argmax of parts": (lambda f, i, o: f(i[0][:, 3:200], "argmax", out=o[0]), lambda: (floats(300, 257),), [((), "int64")], 0),
    "reproducible_sum of parts": (lambda f, i, o: f(i[0][:, 3:200], out=o[0]), lambda: (floats(300, 257),), [((), "float32")], 0),
    "transpose": (lambda f, i, o: f(*i, out=o[0]), lambda: (floats(65, 33),), [((33, 65), "float32")], 0),
    "blur": (lambda f, i, o: f(*i, out=o[0]), lambda: (bytes_of(37, 53, 3),), [((37, 53, 3), "uint8")], 0),
    "gray": (lambda f, i, o: f(*i, out=o[0]), lambda: (bytes_of(37, 53, 3),), [((37, 53), "uint8")], 0),
    "sobel": (lambda f, i, o: f(*i, out=o[0]), lambda: (bytes_of(37, 53),), [((37, 53), "uint8")], 0),
    "sobel_derivative": (lambda f, i, o: f(*i, out=o[0]), lambda: (bytes_of(37, 53),), [((37, 53), "int16")], 0),
    "warp": (lambda f, i, o: f(*i, MATRIX, (41, 29), out=o[0]), lambda: (bytes_of(37, 53, 3),), [((41, 29, 3), "uint8")], 0),
    "resize": (lambda f, i, o: f(i[0], (41, 29), out=o[0]), lambda: (bytes_of(37, 53, 3),), [((41, 29, 3), "uint8")], 0),
    "resize of two": (
        lambda f, i, o: f(list(i), (41, 29), out=list(o)), lambda: (bytes_of(37, 53, 3), bytes_of(9, 5, 3)),
        [((41, 29, 3), "uint8"), ((41, 29, 3), "uint8")], 0),
    "letterbox": (lambda f, i, o: f(i[0], (64, 64), out=o[0])[0], lambda: (bytes_of(37, 53, 3),), [((64, 64, 3), "uint8")], 0),
    "tensor": (
        lambda f, i, o: f(list(i), (64, 64), mean=0.5, std=(0.2, 0.3, 0.4), out=o[0])[0],
        lambda: tuple(bytes_of(37 + k, 53 - k, 3) for k in range(8)), [((8, 3, 64, 64), "float32")], 0),
    "decode": (
        lambda f, i, o: f(*i, "v8", 0.3, out=o), lambda: (floats(9, 500).abs(),),
        [((500, 4), "float32"), ((500,), "float32"), ((500,), "int32")], 0),
    "nms": (lambda f, i, o: f(*i, out=o), lambda: (boxes(300), floats(300)), [((300,), "int32"), ((1,), "int32")], 0),
    "letterbox and its way back": (
        lambda f, i, o: f(i[0], (64, 64), out=o[0], to_source=o[1])[0], lambda: (bytes_of(37, 53, 3),),
        [((64, 64, 3), "uint8"), ((2, 3), "float64")], 0),
    "nms in pictures": (
        lambda f, i, o: f(i[0], i[1], to_source=i[2], sizes=i[3], capacity=50, out=o),
        lambda: (boxes(900).reshape(3, 300, 4), floats(3, 300), 1 + floats(3, 2, 3).double(), bytes_of(3, 2).int()),
        [((3, 50), "int32"), ((3,), "int32"), ((3, 50, 4), "float32")], 0),
    "neighbor_list": (lambda f, i, o: f("ijSDd", *i, CELL, True, CUTOFF, out=o), lambda: (atoms(300),), list_of("float32"), 0),
    "neighbor_list, half, in a cell on the GPU": (
        lambda f, i, o: f("ijSDd", *i, (True, False, True), CUTOFF, True, out=o),
        lambda: (atoms(300, np.float64), torch.from_numpy(CELL) + floats(3, 3).double() / 8), list_of("float64"), 0),
    "neighbor_list of types": (
        lambda f, i, o: f("ijSDd", i[0], CELL, True, TABLE, types=i[1], out=o),
        lambda: (atoms(300, np.float64), bytes_of(300).int() % 2), list_of("float64"), 0),
    "neighbor_list of the nearest": (
        lambda f, i, o: f("ijSDd", i[0], CELL, True, CUTOFF, nearest=5, out=o), lambda: (atoms(300),), list_of("float32"), 0),
}
# What a call without `out` gives instead of all that it writes with it.
WITHOUT_OUT = {
    "nms": lambda right: [right[0][:int(right[1])]],
    "letterbox and its way back": lambda right: right[:1],
    **{name: lambda right: [one[:int(right[-1][0])] for one in right[:-1]] for name in CASES if name.startswith("neighbor_list")},
}


def function_of(name):
    return getattr(lanework, re.match(r"\w+", name)[0])


def outputs_of(shapes, device):
    return [torch.full(shape, 3, dtype=getattr(torch, dtype), device=device) for shape, dtype in shapes]


def expected(name, inputs):
    """The same call on the processor; of types that NumPy has not, in float32."""
    call, _, shapes, _ = CASES[name]
    small = [one.float() if one.dtype == torch.bfloat16 else one for one in inputs]
    outputs = outputs_of([(shape, {"bfloat16": "float32", "int64": "int64"}.get(dtype, dtype)) for shape, dtype in shapes], "cpu")
    as_numpy = [one.numpy() for one in outputs]
    if name.startswith("histogram"):
        as_numpy = [as_numpy[0].view(np.uint64)]
    call(function_of(name), [one.numpy() for one in small], as_numpy)
    return outputs


def differs(name, found, right):
    near = CASES[name][3]
    for a, b in zip(found, right, strict=True):
        a = a.cpu()
        if near == 0 and not torch.equal(a, b) or near and not torch.allclose(a.float(), b.float(), atol=near, rtol=near):
            return f"differs by up to {(a.double() - b.double()).abs().max().item():.3g}"
    return ""


def check_right(name, fill, shapes):
    """On the stream that is current, by default; new results as well as `out`."""
    inputs = fill()
    found, right = outputs_of(shapes, "cuda"), expected(name, inputs)
    CASES[name][0](function_of(name), [one.cuda() for one in inputs], found)
    return differs(name, found, right)


def check_stream(name, fill, shapes, by_argument):
    """Behind work of the stream that takes milliseconds, whose result is the input: a call on any other stream reads what was there."""
    inputs, stream = fill(), torch.cuda.Stream()
    right, found = expected(name, inputs), outputs_of(shapes, "cuda")
    late = [torch.zeros_like(one, device="cuda") for one in inputs]
    source = [one.cuda() for one in inputs]
    torch.cuda.synchronize()
    function = function_of(name)
    with torch.cuda.stream(stream):
        torch.cuda._sleep(40_000_000)  # 20 ms: the first call of a process loads modules
        for to, one in zip(late, source):
            to.copy_(one)
        if not by_argument:
            CASES[name][0](function, late, found)
    if by_argument:
        CASES[name][0](lambda *given, **options: function(*given, stream=stream, **options), late, found)
    if stream.query():
        return "the stream was idle when the call returned: it has waited"
    stream.synchronize()
    return differs(name, found, right)


def check_graph(name, fill, shapes):
    """Captured once, replayed with two other inputs."""
    inputs, found = [one.cuda() for one in fill()], outputs_of(shapes, "cuda")
    call, function, graph = CASES[name][0], function_of(name), torch.cuda.CUDAGraph()
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        call(function, inputs, found)
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        call(function, inputs, found)
    for _ in range(2):
        others = fill()
        for to, one in zip(inputs, others):
            to.copy_(one)
        for one in found:
            one.fill_(3)  # as outputs_of does: what lies beside a part stays
        graph.replay()
        torch.cuda.synchronize()
        if words := differs(name, found, expected(name, others)):
            return words
    return ""


def check_new(name, fill, shapes):
    """Without `out`: a tensor of PyTorch's on the same GPU."""
    if name.endswith("of parts"):
        return ""
    inputs = fill()
    right = expected(name, inputs)
    found = CASES[name][0](lambda *given, out, **options: function_of(name)(*given, **options), [one.cuda() for one in inputs], [None] * len(shapes))
    found = list(found) if isinstance(found, (list, tuple)) else [found]
    if not all(isinstance(one, torch.Tensor) and one.is_cuda for one in found):
        return "is no tensor on the GPU"
    return differs(name, found, WITHOUT_OUT.get(name, lambda right: right)(right))


def check_skin(dtype, given):
    """Atoms that move on the GPU, there on two streams in turn: each list is that of the processor for the positions of its step."""
    near, x, found = lanework.SkinnedNeighbors("ijSDd", CUTOFF, 0.4), atoms(300, dtype).cuda(), None
    streams, steps = [torch.cuda.Stream() for _ in range(2)], 40
    out = outputs_of(list_of(str(x.dtype).removeprefix("torch.")), "cuda") if given else None
    for step in range(steps):
        with torch.cuda.stream(streams[step % 2]):
            streams[step % 2].wait_stream(streams[1 - step % 2])
            x += 0.03 * torch.randn_like(x)
            found = near(x, CELL, True, out=out)
            x_then = x.cpu().numpy()
        torch.cuda.synchronize()
        pairs = int(found[-1][0]) if given else len(found[0])
        right = lanework.neighbor_list("ijSDd", x_then, CELL, True, CUTOFF)
        if any(not torch.equal(a[:pairs].cpu(), torch.from_numpy(b)) for a, b in zip(found, right)):
            return f"step {step} has another list"
    return "" if 1 < near.builds < steps else f"it was built {near.builds} times in {steps} steps"


def check_captured_skin(dtype, captured):
    """Atoms that move on the GPU, with a room for the wide list: nothing is waited for, or a graph is replayed."""
    near, on_host, x = lanework.SkinnedNeighbors("ijSDd", CUTOFF, 0.4, room=30_000), lanework.SkinnedNeighbors("ij", CUTOFF, 0.4, dtype=dtype), atoms(300, dtype).cuda()
    out, graph, steps = outputs_of(list_of(str(x.dtype).removeprefix("torch.")), "cuda"), torch.cuda.CUDAGraph(), 40
    call = lambda: near(x, CELL, True, out=out)
    if captured:
        with torch.cuda.graph(graph):
            call()
        call = graph.replay
    for step in range(steps):
        if not captured:
            torch.cuda._sleep(10_000_000 if step else 40_000_000)  # 5 ms; the first call loads its kernels
        call()
        if not captured and torch.cuda.current_stream().query():
            return "it has waited"
        torch.cuda.synchronize()
        x_then = x.cpu().numpy()
        pairs, right = int(out[-1][0]), lanework.neighbor_list("ijSDd", x_then, CELL, True, CUTOFF)
        on_host(x_then, CELL, True)
        if pairs != len(right[0]) or any(not torch.equal(a[:pairs].cpu(), torch.from_numpy(b)) for a, b in zip(out, right)):
            return f"step {step} has another list"
        if near.builds != on_host.builds:
            return f"step {step}: it was built {near.builds} times, and the processor's {on_host.builds}"
        x += 0.03 * torch.randn_like(x)
    return "" if 1 < near.builds < steps else f"it was built {near.builds} times in {steps} steps"


class LibraryCall:
    """What this call asks of the library, by ctypes, and what must outlive it. Raises LookupError where calls like it are not kept."""

    def __init__(self, body):
        found, before = [], repeated._kept
        repeated._kept = lambda heard, tensors, *rest: found.append((heard, tensors)) or before(heard, tensors, *rest)
        try:
            body()
        finally:
            repeated._kept = before
        if len(found) != 1 or len(found[0][0]) != 1:
            raise LookupError("the call is not kept")
        ((self.heard,), tensors), = found
        place = self.heard.place
        self.made = [view for view in place.views if not any(view.owner is one for one in tensors)]
        buffers = self.buffers = [ctypes.create_string_buffer(block, len(block)) for block in self.heard.blocks]
        for block, at, some in self.heard.inner:
            buffers.append(ctypes.create_string_buffer(some, len(some)))
            buffers[block][at:at + 8] = ctypes.addressof(buffers[-1]).to_bytes(8, "little")
        self.place = place
        self.arguments = self._arguments(place.packed())
        self.functions = [self.heard.function]
        if self.heard.sized:
            self.functions.append(self.heard.sized[0])  # which fills what was counted

    def _arguments(self, place):
        heard, count = self.heard, len(self.heard.blocks)
        if heard.call in (repeated._ARRAYS, repeated._IMAGES):
            there = heard.slots[0][2].address if heard.slots else None  # where the way back is written
            rest = (heard.number,) if heard.options is None else (heard.number, heard.options, None, there)
            return heard.operation, *heard.blocks[:2], *rest, place
        if heard.call == repeated._REQUEST:
            return bytes(self.buffers[0]), place
        return *(ctypes.cast(buffer, kind) for buffer, kind in zip(self.buffers[:count], heard.function.argtypes)), place

    def __call__(self):
        for function in self.functions:
            function(*self.arguments)

    def on_current_stream(self):
        """The same on the stream that is current now, as that of a capture."""
        stream, device, threads = PLACE.unpack(self.place.packed())
        there = self._arguments(PLACE.pack(torch.cuda.current_stream().cuda_stream, device, threads))
        for function in self.functions:
            if function(*there) != 0:
                raise RuntimeError("the library refuses the call")

    def without_the_library(self):
        """What ctypes takes of that: the same calls of a function that does nothing with such arguments."""
        nothing = ctypes.cast(ctypes.CDLL(None).abs, ctypes.c_void_p).value
        empty = [ctypes.CFUNCTYPE(each.restype, *each.argtypes)(nothing) for each in self.functions]

        def body():
            for function in empty:
                function(*self.arguments)

        return body

    def allocation(self):
        """PyTorch's making of the arrays that the call makes; None where it makes none."""
        how = [(tuple(view.shape), tuple(view.steps), view.owner.dtype, view.owner.device) for view in self.made]
        empty = torch.empty_strided
        return (lambda: [empty(shape, steps, dtype=dtype, device=device) for shape, steps, dtype, device in how]) if how else None


def host_seconds(*bodies):
    """Of the host, for calls that are enqueued: HOST_RUNS means of each, taken in turns, since the host's pace changes. Each is the first
    of a turn as often as the others: what went before it is in the processor's caches, and the GPU awake or not."""
    means = [[] for _ in bodies]
    for run in range(1 + HOST_RUNS):
        for k in range(len(bodies)):
            body, of_body = bodies[(run + k) % len(bodies)], means[(run + k) % len(bodies)]
            torch.cuda.synchronize()
            start = time.perf_counter()
            for _ in range(CALLS):
                body()
            if run > 0:
                of_body.append((time.perf_counter() - start) / CALLS)
    torch.cuda.synchronize()
    return means


def graph_seconds(body):
    """Of the device, for a call of CAPTURED in one graph."""
    body()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(CAPTURED):
            body()
    start, stop, samples = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True), []
    graph.replay()
    for _ in range(RUNS):
        torch.cuda.synchronize()
        start.record()
        graph.replay()
        stop.record()
        stop.synchronize()
        samples.append(start.elapsed_time(stop) * 1e-3 / CAPTURED)
    return statistics.median(samples)


def costs():
    """Calls so small that they cost the call alone, and PyTorch's own of the same."""
    x, y, z = (torch.rand(1024, device="cuda") for _ in range(3))
    a, b, c = (torch.rand(32, 32, device="cuda") for _ in range(3))
    total, place = torch.zeros((), device="cuda"), torch.zeros((), dtype=torch.int64, device="cuda")
    heads, keys, weights = (torch.rand(8, 32, 32, device="cuda") for _ in range(3))
    raw, counts = torch.randint(0, 256, (1024,), dtype=torch.uint8, device="cuda"), torch.zeros(256, dtype=torch.int64, device="cuda")
    image, small = (torch.randint(0, 256, (64, 64, 3), dtype=torch.uint8, device="cuda") for _ in range(2))
    planes = image.permute(2, 0, 1)[None].float()
    kept, count, corners, scores = torch.zeros(64, dtype=torch.int32, device="cuda"), torch.zeros(1, dtype=torch.int32, device="cuda"), boxes(64).cuda(), torch.rand(64, device="cuda")
    half = small[:32, :32].contiguous()
    # 0.1 atoms in a unit of volume.
    few, many = (torch.rand(count, 3, device="cuda") * (count / 0.1) ** (1 / 3) for count in (1000, 100_000))
    room_for_few, room_for_many = ([torch.zeros(16 * len(x), dtype=torch.int32, device="cuda") for _ in range(2)] + [
        torch.zeros(4, dtype=torch.int64, device="cuda")] for x in (few, many))
    near = lanework.SkinnedNeighbors("ij", 2.0, 0.3)
    captured, captured_many = lanework.SkinnedNeighbors("ij", 2.0, 0.3, room=16_000), lanework.SkinnedNeighbors("ij", 2.0, 0.3, room=1_600_000)
    head, decoded = torch.rand(84, 100, device="cuda"), [torch.zeros(100, 4, device="cuda"), torch.zeros(100, device="cuda"), torch.zeros(100, dtype=torch.int32, device="cuda")]
    way = torch.zeros(2, 3, dtype=torch.float64, device="cuda")
    gray, fitted, planes_out = image[:, :, 0].contiguous(), torch.zeros_like(image), torch.zeros(1, 3, 32, 32, device="cuda")
    slopes = torch.zeros(64, 64, dtype=torch.int16, device="cuda")

    cell, matrix = np.diag([21.6] * 3), np.array(MATRIX)

    def pairs_of_torch():
        distances = torch.cdist(few, few)
        distances.fill_diagonal_(9)
        return (distances < 2.0).nonzero()

    torchvision_nms = _torchvision_nms(corners, scores)
    # name: (call(out), out, whether it can be None, PyTorch's own)
    calls = {
        "add": (lambda out: lanework.add(x, y, out=out), z, True, lambda: torch.add(x, y, out=z)),
        "gelu": (lambda out: lanework.gelu(x, out=out), z, True, lambda: torch.nn.functional.gelu(x)),
        "matmul": (lambda out: lanework.matmul(a, b, out=out), c, True, lambda: torch.mm(a, b, out=c)),
        "batched_matmul": (lambda out: lanework.batched_matmul(heads, keys, out=out), weights, True, lambda: torch.bmm(heads, keys, out=weights)),
        "transpose": (lambda out: lanework.transpose(a, out=out), c, True, lambda: c.copy_(a.t())),
        "reduce sum": (lambda out: lanework.reduce(x, out=out), total, True, lambda: torch.sum(x, 0, out=total)),
        "reduce argmax": (lambda out: lanework.reduce(x, "argmax", out=out), place, True, lambda: torch.argmax(x)),
        "reproducible_sum": (lambda out: lanework.reproducible_sum(x, out=out), total, True, lambda: torch.sum(x, 0, out=total)),
        "histogram": (lambda out: lanework.histogram(raw, out=out), counts, True, lambda: torch.bincount(raw, minlength=256)),
        "blur": (lambda out: lanework.blur(image, out=out), small, True, None),
        "resize": (
            lambda out: lanework.resize(image, (32, 32), out=out), half, True,
            lambda: torch.nn.functional.interpolate(planes, (32, 32), mode="bilinear", align_corners=False)),
        "gray": (lambda out: lanework.gray(image, out=out), gray, True, None),
        "sobel": (lambda out: lanework.sobel(image, out=out), small, True, None),
        "sobel_derivative": (lambda out: lanework.sobel_derivative(gray, out=out), slopes, True, None),
        "warp": (lambda out: lanework.warp(image, MATRIX, out=out), small, True, None),
        "warp, by an array": (lambda out: lanework.warp(image, matrix, out=out), small, True, None),
        "letterbox": (lambda out: lanework.letterbox(image, (64, 64), out=out), fitted, True, None),
        "letterbox, the way back there": (lambda out: lanework.letterbox(image, (64, 64), out=out, to_source=way), fitted, True, None),
        "tensor": (lambda out: lanework.tensor(image, (32, 32), out=out), planes_out, True, None),
        "decode": (lambda out: lanework.decode(head, "v8", 0.25, out=out), decoded, True, None),
        "nms": (lambda out: lanework.nms(corners, scores, out=out), (kept, count), True, torchvision_nms),
        # PyTorch's: cdist, comparison and nonzero, which waits for the number of pairs.
        "neighbor_list of 1000 atoms": (
            lambda out: lanework.neighbor_list("ij", few, None, False, 2.0, out=out), room_for_few, True, pairs_of_torch),
        "neighbor_list of 1000 atoms in a cell": (
            lambda out: lanework.neighbor_list("ij", few, cell, True, 2.0, out=out), room_for_few, True, pairs_of_torch),
        "neighbor_list of 100000 atoms": (lambda out: lanework.neighbor_list("ij", many, None, False, 2.0, out=out), room_for_many, True, None),
        "SkinnedNeighbors of 1000 atoms": (lambda out: near(few, None, False, out=out), room_for_few, True, pairs_of_torch),
        "SkinnedNeighbors with a room of 1000 atoms": (lambda out: captured(few, None, False, out=out), room_for_few, False, pairs_of_torch),
        "SkinnedNeighbors with a room of 100000 atoms": (lambda out: captured_many(many, None, False, out=out), room_for_many, False, None),
    }
    rows = [{"function": name, "results": results, "ours": partial(call, given), "torch": other} for name, (call, out, has_new, torchs) in calls.items()
            for results, given, other in (("given", out, torchs), ("new", None, None))[:1 + has_new]]
    for row in rows:
        row["passes"] = []
        row["library"] = attempt(row, LibraryCall, row["ours"])
    for _ in range(PASSES):
        for row in rows:
            if "error" not in row:
                row["passes"].append(attempt(row, cost, row["ours"], row["library"], row["torch"]))
    for row in rows:
        passes = row.pop("passes")
        for body in ("ours", "library", "torch"):
            del row[body]
        if "error" not in row:
            # The one in which the library alone, without Python, took the host the least.
            row |= min(passes, key=lambda one: one["library_host_s"]) | {"adds_host_s_of_passes": [one["adds_host_s"] for one in passes]}
    return rows


def attempt(row, function, *given):
    """What the function returns; an error becomes a line of the row."""
    try:
        return function(*given)
    except Exception as error:
        traceback.print_exc()
        row["error"] = f"{type(error).__name__}: {str(error).splitlines()[0][:150]}"
        return None


def cost(ours, library, torchs):
    """Of a call; what Python adds to it is what is left of the host's time without the library's and that of PyTorch's new arrays."""
    bodies = {"lanework_host_s": ours, "library_host_s": library, "ctypes_host_s": library.without_the_library(),
              "allocation_host_s": library.allocation(), "torch_host_s": torchs}
    bodies = {who: body for who, body in bodies.items() if body is not None}
    means = dict(zip(bodies, host_seconds(*bodies.values())))
    parts = means["lanework_host_s"], means["library_host_s"], means["ctypes_host_s"], means.get("allocation_host_s", [0] * HOST_RUNS)
    means["adds_host_s"] = [whole - (library - by_ctypes) - making for whole, library, by_ctypes, making in zip(*parts)]
    row = {who: round(statistics.median(seconds), 9) for who, seconds in means.items()}
    for who, body in (("lanework", ours), ("library", library.on_current_stream), ("torch", torchs)):
        if body is None:
            continue
        try:
            row[f"{who}_in_graph_s"] = round(graph_seconds(body), 9)
        except (RuntimeError, ValueError) as error:
            torch.cuda.synchronize()
            row[f"{who}_in_graph"] = f"not captured: {str(error).splitlines()[0][:80]}"
    if "lanework_in_graph_s" in row:
        row["adds_in_graph_s"] = round(row["lanework_in_graph_s"] - row["library_in_graph_s"], 9)
    return row


def _torchvision_nms(corners, scores):
    try:
        from torchvision.ops import nms
    except ImportError:
        return None
    return lambda: nms(corners, scores, 0.5)


def captured_at_once():
    """For each case a process whose first call is captured: nothing of the package has been opened or loaded before."""
    program = """
import sys, torch, lanework
name = sys.argv[1]
sys.argv = ["torch_arrays.py"]
import torch_arrays
call, fill, shapes, _ = torch_arrays.CASES[name]
inputs, found = [one.cuda() for one in fill()], torch_arrays.outputs_of(shapes, "cuda")
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    call(torch_arrays.function_of(name), inputs, found)
graph.replay()
torch.cuda.synchronize()
print(torch_arrays.differs(name, found, torch_arrays.expected(name, [one.cpu() for one in inputs])) or "ok")
"""
    def answer(name):
        try:
            ended = subprocess.run([sys.executable, "-c", program, name], capture_output=True, text=True, cwd=sys.path[0], timeout=90)
        except subprocess.TimeoutExpired:
            return "no end in 90 s"
        # The first error is ours; what PyTorch says of the capture follows it.
        errors = [line for line in ended.stderr.splitlines() if re.match(r"[\w.]+(Error|Exception)\b", line)]
        return ended.stdout.strip() or (errors or ["no answer"])[0][:150]

    with ThreadPoolExecutor(FIRST_CALLS_AT_ONCE) as pool:
        return dict(zip(CASES, pool.map(answer, CASES)))


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    torch_timing.require_gpu()
    checks, wrong = [], 0
    kinds = (
        ("out=", check_right), ("new", check_new), ("current stream", lambda *given: check_stream(*given, by_argument=False)),
        ("stream=", lambda *given: check_stream(*given, by_argument=True)), ("CUDA graph", check_graph),
    )
    every = [(name, kind, partial(check, name, fill, shapes)) for name, (_, fill, shapes, _) in CASES.items() for kind, check in kinds]
    every += [("SkinnedNeighbors", f"{np.dtype(dtype).name}, {'out=' if given else 'new'}", partial(check_skin, dtype, given))
              for dtype in (np.float32, np.float64) for given in (False, True)]
    every += [("SkinnedNeighbors with a room", f"{np.dtype(dtype).name}, {'CUDA graph' if captured else 'out='}", partial(check_captured_skin, dtype, captured))
              for dtype in (np.float32, np.float64) for captured in (False, True)]
    for name, kind, check in every:
        try:
            words = check()
        except Exception as error:  # each is a line of the file
            traceback.print_exc()
            words = f"{type(error).__name__}: {str(error).splitlines()[0][:150]}"
        wrong += bool(words)
        checks.append({"call": name, "check": kind, "result": words or "ok"})
        if words:
            print(f"{name}, {kind}: {words}")
    document = {
        "environment": {
            "torch": torch.__version__, "cuda": torch.version.cuda, "cuda:0 name": torch.cuda.get_device_name(0),
            "lanework": lanework.__version__, "os": platform.platform(),
            "date": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        },
        "how": f"of {PASSES} passes over the rows, for each the one in which the library alone was fastest; host_s: the median of {HOST_RUNS} means of {CALLS} calls that are enqueued, all of a row in turns; library: the library's functions alone, "
               "called by ctypes, which takes ctypes_host_s of it; allocation: PyTorch's making of the arrays that the call makes; adds_host_s: lanework − "
               f"(library − ctypes) − allocation, the median of the {HOST_RUNS} turns'; in_graph_s: the device's time of one of {CAPTURED} calls in a CUDA graph, the median of {RUNS} replays; adds_in_graph_s: lanework's − the library's, "
               "which is captured by ctypes with the arrays that the call makes",
        "checks": checks,
        "costs": costs(),
        "first call of a process captured": captured_at_once(),
    }
    wrong += sum("error" in row for row in document["costs"])
    wrong += sum(answer != "ok" for answer in document["first call of a process captured"].values())
    write_whole(sys.argv[1], document)
    print(f"{len(checks) + len(CASES)} checks, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
