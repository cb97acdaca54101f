#!/usr/bin/env python3
"""What a pitch costs on a GPU: functions of the Python package on parts of larger matrices, on as many elements side by side, and
PyTorch's own functions on the same parts.

Usage: PYTHONPATH=BUILD/python torch_parts.py OUT.json
"""
import platform
import sys
from datetime import datetime, timezone

import torch

import lanework
import torch_timing
from compact_json import write_whole
from torch_arrays import CAPTURED, RUNS, graph_seconds

# What a part is: rows, columns, those of the matrix that it is a part of, and the column that it begins at.
PARTS = {
    "rows at multiples of 16 bytes": (4096, 4096, 4224, 0), "rows that begin anywhere": (4096, 4099, 4225, 3),
    "rows of 97": (1 << 18, 97, 128, 3), "rows of 3": (1 << 22, 3, 4, 0),
}


def filled(rows, cols, dtype):
    return torch.randint(0, 256, (rows, cols), device="cuda").to(dtype)


def operations(dtype):
    """name: (ours(inputs, out), PyTorch's of the same, how many inputs, the shape and type of the output; None: the input's)"""
    if dtype == torch.uint8:
        return {"histogram": (lambda i, o: lanework.histogram(i[0], out=o), None, 1, ((256,), torch.int64))}
    gelu = {"gelu": (lambda i, o: lanework.gelu(i[0], out=o), lambda i, o: torch.nn.functional.gelu(i[0]), 1, None)}
    if dtype == torch.bfloat16:
        return gelu
    return {
        **gelu,
        "add": (lambda i, o: lanework.add(*i, out=o), lambda i, o: torch.add(*i, out=o), 2, None),
        "sum": (lambda i, o: lanework.reduce(i[0], out=o), lambda i, o: i[0].sum(), 1, ((), dtype)),
        "max": (lambda i, o: lanework.reduce(i[0], "max", out=o), lambda i, o: i[0].max(), 1, ((), dtype)),
        "argmax": (lambda i, o: lanework.reduce(i[0], "argmax", out=o), lambda i, o: i[0].argmax(), 1, ((), torch.int64)),
        "reproducible_sum": (lambda i, o: lanework.reproducible_sum(i[0], out=o), None, 1, ((), dtype)),
    }


def measured(what, dtype):
    rows, cols, all_cols, first = PARTS[what]
    answers = []
    for name, (ours, torchs, count, made) in operations(dtype).items():
        wholes = [filled(rows, all_cols, dtype) for _ in range(count)]
        parts = [whole[:, first:first + cols] for whole in wholes]
        tight = [part.contiguous() for part in parts]
        out_of_part = torch.zeros(made[0], dtype=made[1], device="cuda") if made else torch.zeros_like(wholes[0])[:, first:first + cols]
        out = torch.zeros(made[0], dtype=made[1], device="cuda") if made else torch.zeros_like(tight[0])
        ours(parts, out_of_part)
        ours(tight, out)
        same = torch.equal(out_of_part, out) if name != "sum" else torch.allclose(out_of_part, out, rtol=1e-6)
        answer = {
            "function": name, "dtype": str(dtype).removeprefix("torch."), "part": what, "shape": f"{rows}x{cols} of {rows}x{all_cols}",
            "same result": same, "part_s": graph_seconds(lambda: ours(parts, out_of_part)), "side_by_side_s": graph_seconds(lambda: ours(tight, out)),
        }
        if torchs:
            answer["torch_part_s"] = graph_seconds(lambda: torchs(parts, out_of_part))
        answers.append({key: float(f"{value:.4g}") if isinstance(value, float) else value for key, value in answer.items()})
        print(answers[-1], flush=True)
        del wholes, parts, tight, out, out_of_part
    return answers


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    torch_timing.require_gpu()
    results = [each for what in PARTS for dtype in (torch.float32, torch.bfloat16, torch.uint8) for each in measured(what, dtype)]
    write_whole(sys.argv[1], {
        "environment": {
            "torch": torch.__version__, "cuda": torch.version.cuda, "cuda:0 name": torch.cuda.get_device_name(0),
            "lanework": lanework.__version__, "os": platform.platform(),
            "date": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        },
        "how": f"the device's time of one of {CAPTURED} calls in a CUDA graph, the median of {RUNS} replays; PyTorch's gelu and "
               "reductions make their result",
        "results": results,
    })
    wrong = [each for each in results if not each["same result"]]
    print(f"{len(results)} pairs, {len(wrong)} of which differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
