#!/usr/bin/env python3
"""Holds Lanework's convention `float` against PyTorch's interpolate, and times PyTorch's way to a network's input.

Usage: torch_images.py agree LANEWORK [DEVICE]       1080 random shapes, through files; DEVICE as of lanework: cpu
       torch_images.py time LANEWORK OUT.json        64 pictures of 1080p in 8 bits to 640 × 640 floats, on a GPU
`agree` computes PyTorch's side on a thread of its CPU and, where it sees one, on a GPU: 8-bit results may be one level apart,
floats 1e-5 of the larger of their value and one level. On several threads PyTorch 2.15 takes another way, whose positions are
rounded otherwise: its results are then up to 4e-4 from its own on one. `time` writes Lanework's samples and PyTorch's into one file, cold times by
CUDA events, as torch_timing.py says; it exits 1 where they do not agree.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import torch
from torch.nn.functional import interpolate, pad

import torch_timing

OUTPUT_SIZES = 90
PICTURES_OF_EACH = 12
MOST_SIDE = 300
LEVEL_TOLERANCE, RELATIVE_TOLERANCE = 1.0, 1e-5
COUNT, SOURCE, NETWORK, PAD = 64, (1080, 1920), (640, 640), 114


def run_lanework(lanework, *arguments):
    made = subprocess.run([lanework, *map(str, arguments)], capture_output=True, text=True)
    if made.returncode:
        sys.exit(f"lanework {' '.join(map(str, arguments))}: exit status {made.returncode}\n{made.stderr}")
    return made.stdout


def write_ppm(path, image):
    path.write_bytes(b"P6\n%d %d\n255\n" % (image.shape[1], image.shape[0]) + image.tobytes())


def read_ppm(path):
    kind, size, largest, samples = path.read_bytes().split(b"\n", 3)
    if (kind, largest) != (b"P6", b"255"):
        sys.exit(f"{path}: a PPM of lanework's begins otherwise")
    width, height = map(int, size.split())
    return np.frombuffer(samples, np.uint8).reshape(height, width, 3)


def interpolated(image, size, device):
    """In float: height × width × 3."""
    planes = torch.from_numpy(image.copy()).to(device).permute(2, 0, 1)[None].float()
    result = interpolate(planes, size=size, mode="bilinear", align_corners=False, antialias=False)
    return result[0].permute(1, 2, 0).cpu().numpy()


def random_sources(generator, size):
    """Pictures of random sizes, of one pixel, of one row and one column, of twice the size and of half of it."""
    shapes = [(1, 1), (1, 40), (50, 1), (2 * size[0], 2 * size[1]), (-(-size[0] // 2), -(-size[1] // 2)), size]
    while len(shapes) < PICTURES_OF_EACH:
        shapes.append(tuple(generator.integers(1, MOST_SIDE, 2)))
    return [generator.integers(0, 256, (*shape, 3), np.uint8) for shape in shapes]


def differences(lanework, device, peer, generator, size, folder):
    """The largest of 8-bit samples in levels, and of floats relative to their value."""
    images = random_sources(generator, size)
    sources = folder / "in"
    sources.mkdir(parents=True)
    for k, image in enumerate(images):
        write_ppm(sources / f"{k:03}.ppm", image)
    wanted = ("--size", f"{size[1]}x{size[0]}", "--convention", "float", "--device", device)
    run_lanework(lanework, "image", "resize", sources, "-o", folder / "out", *wanted)
    run_lanework(
        lanework, "image", "tensor", sources, "-o", folder / "out.npy", "--fit", "stretch", "--scale", 1, *wanted
    )
    floats = np.load(folder / "out.npy").transpose(0, 2, 3, 1)
    levels = relative = 0.0
    for k, image in enumerate(images):
        theirs = interpolated(image, size, peer)
        bytes_ = read_ppm(folder / "out" / f"{k:03}.ppm").astype(np.float32)
        levels = max(levels, float(abs(bytes_ - np.clip(np.rint(theirs), 0, 255)).max()))
        relative = max(relative, float((abs(floats[k] - theirs) / np.maximum(abs(theirs), 1)).max()))
    return levels, relative, len(images)


def agree(lanework, device):
    torch.set_num_threads(1)
    peers = ["cpu"] + (["cuda"] if torch.cuda.is_available() else [])
    wrong = False
    for peer in peers:
        generator = np.random.default_rng(1)
        levels = relative = 0.0
        pictures = 0
        with tempfile.TemporaryDirectory() as folder:
            for k in range(OUTPUT_SIZES):
                size = tuple(int(side) for side in generator.integers(1, MOST_SIDE, 2))
                found = differences(lanework, device, peer, generator, size, pathlib.Path(folder) / str(k))
                levels, relative, pictures = max(levels, found[0]), max(relative, found[1]), pictures + found[2]
        good = levels <= LEVEL_TOLERANCE and relative <= RELATIVE_TOLERANCE
        wrong |= not good
        print(
            f"lanework {device}, torch {torch.__version__} {peer}: {pictures} shapes, at most {levels:g} levels and "
            f"{relative:.2g} relative apart: {'good' if good else 'WRONG'}"
        )
    return 1 if wrong else 0


def boxed(planes, background):
    """1080p in the middle of 640 × 640: 360 rows, 140 above and below."""
    height = round(SOURCE[0] * NETWORK[1] / SOURCE[1])
    fitted = interpolate(planes, size=(height, NETWORK[1]), mode="bilinear", align_corners=False, antialias=False)
    above = (NETWORK[0] - height) // 2
    return pad(fitted, (0, 0, above, NETWORK[0] - height - above), value=background)


def of_floats(images):
    """PyTorch 2.11 does not interpolate bytes on a GPU: they become floats first."""
    return boxed(images.permute(0, 3, 1, 2).float().div_(255), PAD / 255).flip(1)


def lanework_results(lanework, size):
    """Lanework's highest rung, in the convention that PyTorch computes and in OpenCV's."""
    ladder = json.loads(run_lanework(lanework, "list", "tensor", "--device", "cuda", "--json", "-"))
    rungs = ladder["operations"][0]["ladders"]["cuda"]
    top = [rung["rung"] for rung in rungs if not rung["library"]][-1]
    results = []
    for variant in ("bytes_centred_float", "bytes_centred_opencv"):
        made = run_lanework(
            lanework, "bench", f"tensor/{top}", "--device", "cuda", "--size", size, "--variant", variant, "--json", "-"
        )
        results += json.loads(made)["results"]
    return results


def time_pipelines(lanework, out):
    torch_timing.require_gpu()
    images = torch.randint(0, 256, (COUNT, *SOURCE, 3), dtype=torch.uint8, device="cuda")
    extents = (*SOURCE, *NETWORK, 3, COUNT, 0, 0)
    results = lanework_results(lanework, "x".join(map(str, extents)))
    problem, moved = results[0]["problem"], results[0]["work"]["bytes"]
    samples = torch_timing.cold_samples(lambda: of_floats(images))
    results.append({**torch_timing.result("tensor", "float32", problem, moved, samples), "rung": "torch"})
    torch_timing.write(out, results)
    for result in results:
        median = float(np.median(result["samples_s"]))
        print(f"{result['rung']:16} {result['problem']['variant']:22} {COUNT / median:10.0f} images/s")
    return 1 if any(result["verdict"] != "ok" for result in results) else 0


def main(arguments):
    if arguments[:1] == ["agree"] and len(arguments) in (2, 3):
        return agree(arguments[1], arguments[2] if len(arguments) == 3 else "cpu")
    if arguments[:1] == ["time"] and len(arguments) == 3:
        return time_pipelines(*arguments[1:])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
