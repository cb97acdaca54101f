#!/usr/bin/env python3
"""Holds the public functions on a GPU against the best rungs of their ladders, and PyTorch's own functions, in one run.

Usage: PYTHONPATH=BUILD/python torch_public.py LANEWORK OUT.json [SECONDS]
The function is called from Python on PyTorch's tensors, cold, timed by CUDA events as torch_timing.py says; the rungs by
`lanework bench`. `over_best` is the function's median ÷ that of the fastest rung that is ours. What costs most comes last: rungs are
verified before and after they are timed, on arrays that are far larger than the L2. A function that is not begun after SECONDS
(150) is a line that says so. Exits with 1 where a function has no time, or is more than 2% and a launch above the best rung.
"""
import json
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
    ("reduce", "float32"): [f"reduce/{rung}" for rung in ("vectorized", "single_pass", "grid_sync", "reproducible", "warp_shuffle", "grid_stride")],
    ("matmul", "float32"): ["matmul/asynchronous_copies", "matmul/double_buffered", "matmul/split_floats"],
    ("matmul", "bfloat16"): ["matmul/persistent", "matmul/warp_specialized"],
}


def random(*shape, dtype=torch.float32):
    if dtype.is_floating_point:
        return torch.rand(*shape, device="cuda", dtype=dtype) * 2 - 1
    return torch.randint(0, 256, shape, device="cuda", dtype=dtype)


def empty(*shape, dtype=torch.float32):
    return torch.empty(shape, device="cuda", dtype=dtype)


def pictures():
    image, out = random(2160, 3840, 3, dtype=torch.uint8), empty(2160, 3840, 3, dtype=torch.uint8)
    yield "blur", "2160x3840x3", "uint8", lambda: lanework.blur(image, out=out), None
    half = empty(1080, 1920, 3, dtype=torch.uint8)
    yield "resize", "2160x3840x1080x1920x3", "uint8", lambda: lanework.resize(image, (1080, 1920), out=half), None


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
    for some in (pictures, sums, products, bytes_and_matrices, elements):
        yield from some()


def rungs(program, operation, size, dtype):
    """The medians of the ladder's rungs that are ours, least first."""
    selected = FAST.get((operation, dtype), [operation])
    command = [program, "bench", *selected, "--device", "cuda", "--size", size, "--dtype", dtype, "--max-time", "0.2", "--json", "-"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=90)
    if not run.stdout:
        return [], run.stderr.strip().splitlines()[-1]
    results = [r for r in json.loads(run.stdout)["results"] if r["verdict"] == "ok" and r["samples_s"] and not r["library"]]
    return sorted((statistics.median(r["samples_s"]), r["rung"]) for r in results), ""


def measured(program, operation, size, dtype, ours, torchs):
    row = {"function": operation, "size": size, "dtype": dtype}
    begun = time.perf_counter()
    try:
        ours()
        row["function_s"] = statistics.median(torch_timing.cold_samples(ours))
        if torchs:
            torchs()
            row["torch_s"] = statistics.median(torch_timing.cold_samples(torchs))
        ladder, row["reason"] = rungs(program, operation, size, dtype)
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
    if len(sys.argv) not in (3, 4):
        print(__doc__, file=sys.stderr)
        return 2
    torch_timing.require_gpu()
    rows, end = [], time.perf_counter() + float(sys.argv[3] if len(sys.argv) == 4 else 150)
    for operation, size, dtype, ours, torchs in cases():
        if time.perf_counter() > end:
            row = {"function": operation, "size": size, "dtype": dtype, "reason": "not begun within the time that was given"}
        else:
            row = measured(sys.argv[1], operation, size, dtype, ours, torchs)
        rows.append(row)
        print(row, flush=True)
    environment = {"torch": torch.__version__, "cuda": torch.version.cuda, "cuda:0 name": torch.cuda.get_device_name(0), "lanework": lanework.__version__}
    write_whole(sys.argv[2], {"environment": environment, "how": __doc__.splitlines()[0], "functions": rows})
    return 0 if all(map(is_near, rows)) else 1


if __name__ == "__main__":
    sys.exit(main())
