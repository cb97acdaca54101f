#!/usr/bin/env python3
"""Holds the public functions on a GPU against the best rungs of their ladders, and PyTorch's own functions, in one run.

Usage: PYTHONPATH=BUILD/python torch_public.py LANEWORK OUT.json [SECONDS [FUNCTION…]]
Every public function with a ladder is called from Python on PyTorch's tensors, cold, timed by CUDA events as torch_timing.py says; the
rungs by `lanework bench`. `over_best` is the function's median ÷ that of the fastest rung that is ours. What costs most comes last: rungs
are verified before and after they are timed, on arrays that are far larger than the L2. A function that is not begun after SECONDS
(300) is a line that says so. Exits with 1 where a function has no time, or is more than 2% and a launch above the best rung.
"""
import json
import math
import statistics
import subprocess
import sys
import time

import torch

import lanework
import torch_timing
from compact_json import write_whole


LAUNCH = 2e-6  # seconds
FAST = {  # the others of these ladders take seconds to minutes at these sizes
    "reduce float32": ("vectorized", "single_pass", "grid_sync", "reproducible", "warp_shuffle", "grid_stride"),
    "matmul float32": ("asynchronous_copies", "double_buffered", "register_banks", "split_floats"),
    "matmul bfloat16": ("persistent", "warp_specialized"),
    "gray": ("wide_vectors", "vectorized"), "blur": ("packed_pairs", "vectorized"), "sobel": ("packed_pairs", "vectorized"),
    "resize": ("wide_halves", "word_pairs", "copied_tile"), "letterbox": ("column_taps",), "warp": ("word_taps", "staged_terms"),
    "tensor": ("whole_pixels", "column_taps"), "nms": ("parted_classes", "wavefront", "bitmask"), "decode": ("wide_loads", "shared_tile"),
    "neighbors": ("sorted_cells", "no_atomics", "cell_list"),
}


def random(*shape, dtype=torch.float32):
    if dtype.is_floating_point:
        return torch.rand(*shape, device="cuda", dtype=dtype) * 2 - 1
    return torch.randint(0, 256, shape, device="cuda", dtype=dtype)


def empty(*shape, dtype=torch.float32):
    return torch.empty(shape, device="cuda", dtype=dtype)


def pictures():
    """Of 3840 × 2160 in bytes, as the ladders have them; the turned one by 10 degrees about its centre."""
    image, out, size = random(2160, 3840, 3, dtype=torch.uint8), empty(2160, 3840, 3, dtype=torch.uint8), "2160x3840x3"
    plane, edges = random(2160, 3840, dtype=torch.uint8), empty(2160, 3840, dtype=torch.uint8)
    yield "gray", size, "uint8", lambda: lanework.gray(image, out=edges), None
    yield "blur", size, "uint8", lambda: lanework.blur(image, out=out), None
    yield "sobel", "2160x3840x1", "uint8", lambda: lanework.sobel(plane, out=edges), None
    half = empty(1080, 1920, 3, dtype=torch.uint8)
    yield "resize", "2160x3840x1080x1920x3", "uint8", lambda: lanework.resize(image, (1080, 1920), out=half), None
    frame, fitted = random(1080, 1920, 3, dtype=torch.uint8), empty(640, 640, 3, dtype=torch.uint8)
    yield "letterbox", "1080x1920x640x640", "uint8", lambda: lanework.letterbox(frame, (640, 640), out=fitted), None
    planes = empty(1, 3, 640, 640)
    yield "tensor", "1080x1920x640x640", "float32", lambda: lanework.tensor(frame, (640, 640), out=planes), None
    c, s, x, y = math.cos(math.pi / 18), math.sin(math.pi / 18), 3839 / 2, 2159 / 2
    turned = [[c, s, x - c * x - s * y], [-s, c, y + s * x - c * y]]
    yield "warp", "2160x3840x2160x3840x3", "uint8", lambda: lanework.warp(image, turned, (2160, 3840), out=out), None


def detections():
    n, heads = 20_000, random(16, 84, 8400)
    boxes, scores, classes = random(n, 4) * 50 + 50, random(n), (random(n) * 40 + 40).int()
    boxes[:, 2:] += boxes[:, :2]
    kept, count = empty(n, dtype=torch.int32), empty(1, dtype=torch.int32)
    many = empty(16, 8400, 4), empty(16, 8400), empty(16, 8400, dtype=torch.int32)
    yield "decode", "8400x80x16", "float32", lambda: lanework.decode(heads, "v8", 0.25, out=many), None, "v8"
    yield "nms", str(n), "float32", lambda: lanework.nms(boxes, scores, classes, 0.5, out=(kept, count)), by_torchvision(boxes, scores, classes)


def by_torchvision(boxes, scores, classes):
    try:
        from torchvision.ops import batched_nms
    except ImportError:
        return None
    return lambda: batched_nms(boxes, scores, classes, 0.5)


def lists():
    """A gas as the ladder's, of 0.03 atoms in a unit of volume: j of each pair, as rungs write it."""
    n, cutoff = 65536, 6.0
    edge = (n / 0.03) ** (1 / 3)
    x, cell = (random(n, 3) + 1) * (edge / 2), [edge] * 3
    j, status = empty(len(lanework.neighbor_list("j", x, cell, True, cutoff)), dtype=torch.int32), empty(4, dtype=torch.int64)
    yield "neighbors", f"{n}x600", "float32", lambda: lanework.neighbor_list("j", x, cell, True, cutoff, out=(j, status)), None, "gas"


def sums():
    total = empty()
    for n in (1 << 22, 1 << 26, 1 << 28):
        x = random(n)
        yield "reduce", str(n), "float32", lambda: lanework.reduce(x, out=total), lambda: torch.sum(x, 0, out=total)


def products():
    for dtype in (torch.bfloat16, torch.float32):
        a, b, c = (random(4096, 4096, dtype=dtype) for _ in range(3))
        name = str(dtype).removeprefix("torch.")
        yield "matmul", "4096x4096x4096", name, lambda: lanework.matmul(a, b, out=c), lambda: torch.mm(a, b, out=c)


def bytes_and_matrices():
    raw, counts = random(1 << 28, dtype=torch.uint8), empty(256, dtype=torch.int64)
    yield "histogram", str(1 << 28), "uint8", lambda: lanework.histogram(raw, out=counts), None
    m, t = random(8192, 8192, dtype=torch.int32), empty(8192, 8192, dtype=torch.int32)
    yield "transpose", "8192x8192", "int32", lambda: lanework.transpose(m, out=t), lambda: m.t().contiguous()


def elements():
    n = 1 << 26
    x, y, z = random(n), random(n), empty(n)
    yield "add", str(n), "float32", lambda: lanework.add(x, y, out=z), lambda: torch.add(x, y, out=z)
    yield "gelu", str(n), "float32", lambda: lanework.gelu(x, out=z), lambda: torch.nn.functional.gelu(x)


def cases():
    """Operation, size and type as `lanework bench` takes them, our call, PyTorch's; tensors live for a few cases."""
    for some in (detections, pictures, elements, bytes_and_matrices, sums, lists, products):
        yield from some()


def rungs(program, operation, size, dtype, variant):
    """The medians of the ladder's rungs that are ours, least first."""
    fast = FAST.get(f"{operation} {dtype}", FAST.get(operation))
    selected = [operation] if fast is None else [f"{operation}/{rung}" for rung in fast]
    command = [program, "bench", *selected, "--device", "cuda", "--size", size, "--dtype", dtype, "--max-time", "0.2", "--json", "-"]
    command += ["--variant", variant] if variant else []
    run = subprocess.run(command, capture_output=True, text=True, timeout=90)
    if not run.stdout:
        return [], run.stderr.strip().splitlines()[-1]
    results = [r for r in json.loads(run.stdout)["results"] if r["verdict"] == "ok" and r["samples_s"] and not r["library"]]
    return sorted((statistics.median(r["samples_s"]), r["rung"]) for r in results), ""


def measured(program, operation, size, dtype, ours, torchs, variant=""):
    row = {"function": operation, "size": size, "dtype": dtype} | ({"variant": variant} if variant else {})
    begun = time.perf_counter()
    try:
        ours()
        row["function_s"] = statistics.median(torch_timing.cold_samples(ours))
        if torchs:
            torchs()
            row["torch_s"] = statistics.median(torch_timing.cold_samples(torchs))
        ladder, row["reason"] = rungs(program, operation, size, dtype, variant)
        if ladder:
            row["best_s"], row["best"] = ladder[0]
            row["over_best"] = row["function_s"] / row["best_s"]
    except Exception as error:  # each is a line of the file
        row["reason"] = f"{type(error).__name__}: {str(error).splitlines()[0][:150]}"
    row["took_s"] = round(time.perf_counter() - begun, 1)
    return row


def is_near(row):
    """Whether the function has its time, and that is the best rung's but for 2% and a launch."""
    return "function_s" in row and row["function_s"] <= 1.02 * row.get("best_s", row["function_s"]) + LAUNCH


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    torch_timing.require_gpu()
    rows, end = [], time.perf_counter() + float(sys.argv[3] if len(sys.argv) > 3 else 300)
    for operation, size, dtype, *calls in cases():
        if sys.argv[4:] and operation not in sys.argv[4:]:
            continue
        if time.perf_counter() > end:
            row = {"function": operation, "size": size, "dtype": dtype, "reason": "not begun within the time that was given"}
        else:
            row = measured(sys.argv[1], operation, size, dtype, *calls)
        rows.append(row)
        print(row, flush=True)
    environment = {"torch": torch.__version__, "cuda": torch.version.cuda, "cuda:0 name": torch.cuda.get_device_name(0), "lanework": lanework.__version__}
    write_whole(sys.argv[2], {"environment": environment, "how": __doc__.splitlines()[0], "functions": rows})
    return 0 if all(map(is_near, rows)) else 1


if __name__ == "__main__":
    sys.exit(main())
