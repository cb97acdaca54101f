#!/usr/bin/env python3
"""Compares `lanework image resize --convention float` with PyTorch's interpolate(mode="bilinear", align_corners=False,
antialias=False) on random 8-bit pictures: the largest difference in levels and how many samples differ.

Usage: torch_resize.py LANEWORK [PICTURES [SEED]]      LANEWORK is the program; 40 pictures and seed 1 unless given
PyTorch computes in float64 on the CPU here, rounded to nearest even; ours must be within one level everywhere.
"""
import pathlib
import random
import subprocess
import sys
import tempfile

import torch
from torch.nn.functional import interpolate

LEVELS = 1  # that a sample may differ


def write_ppm(path, picture):
    height, width, _ = picture.shape
    path.write_bytes(b"P6\n%d %d\n255\n" % (width, height) + bytes(picture.flatten().tolist()))


def read_ppm(path):
    data = path.read_bytes()
    fields, position = [], 0
    while len(fields) < 4:
        end = next(i for i in range(position, len(data)) if data[i : i + 1].isspace())
        fields.append(data[position:end])
        position = end + 1
    if fields[0] != b"P6" or fields[3] != b"255":
        raise ValueError(f"{path} is not an 8-bit P6 file")
    width, height = int(fields[1]), int(fields[2])
    return torch.frombuffer(bytearray(data[position:]), dtype=torch.uint8).reshape(height, width, 3)


def resized_by_torch(picture, height, width):
    planes = picture.permute(2, 0, 1)[None].double()
    result = interpolate(planes, size=(height, width), mode="bilinear", align_corners=False, antialias=False)
    return result.round().clamp(0, 255).to(torch.uint8)[0].permute(1, 2, 0)


def side():
    return random.choice([1, 2, random.randint(1, 30), random.randint(1, 300)])


def main() -> int:
    if len(sys.argv) not in (2, 3, 4):
        print(__doc__, file=sys.stderr)
        return 2
    pictures = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    random.seed(seed)
    torch.manual_seed(seed)
    largest, differing, samples = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        source, result = pathlib.Path(folder, "in.ppm"), pathlib.Path(folder, "out.ppm")
        for _ in range(pictures):
            shape, height, width = (side(), side()), side(), side()
            picture = torch.randint(0, 256, (*shape, 3), dtype=torch.uint8)
            write_ppm(source, picture)
            command = [sys.argv[1], "image", "resize", source, "-o", result, "--width", str(width),
                       "--height", str(height), "--convention", "float"]
            subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
            difference = (read_ppm(result).int() - resized_by_torch(picture, height, width).int()).abs()
            if difference.max().item() > LEVELS:
                print(f"torch_resize.py: {shape} to {(height, width)}: {difference.max().item()} levels", file=sys.stderr)
                return 1
            largest = max(largest, difference.max().item())
            differing += difference.count_nonzero().item()
            samples += difference.numel()
    print(f"{pictures} pictures, {samples} samples: {differing} differ, by at most {largest} level(s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
