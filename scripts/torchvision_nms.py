#!/usr/bin/env python3
"""Compares torchvision's nms and batched_nms with an exact NumPy greedy, and times them as peers of `nms`.

Usage: torchvision_nms.py [OUT.json]
Without OUT.json: computes the boxes of tests/image/nms_test.cpp in NumPy, prints how many are kept and the checksum that
the test expects, and, where torchvision is installed, compares the indices with torchvision's on the CPU.
With OUT.json: needs a GPU; times 20 000 boxes, drawn as `nms` draws them, per class (80) and agnostic, in Lanework's
results schema. Where torchvision is not installed, says so and ends with status 77.
"""
import importlib.util
import sys

import numpy as np

SEED, BOXES, CLASSES = 7, 3000, 20
MASK = (1 << 64) - 1


def random_bits(seed, index):
    """src/core/fill.cpp's generator, for an array of indices."""
    with np.errstate(over="ignore"):
        z = np.uint64((seed + 1) * 0x9E3779B97F4A7C15 & MASK) + index.astype(np.uint64) * np.uint64(0xD1342543DE82EF95)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def scene():
    """Boxes (corners), scores of 1024 values, classes."""
    first = 8 * np.arange(BOXES, dtype=np.uint64)
    unit = lambda k: (random_bits(SEED, first + np.uint64(k)) >> np.uint64(40)).astype(np.float32) * np.float32(2**-24)
    x, y = np.float32(100) * unit(0), np.float32(100) * unit(1)
    boxes = np.stack([x, y, x + np.float32(100) * unit(2), y + np.float32(100) * unit(3)], axis=1)
    scores = (random_bits(SEED, first + np.uint64(4)) >> np.uint64(54)).astype(np.float32) / np.float32(1024)
    classes = (random_bits(SEED, first + np.uint64(5)) % np.uint64(CLASSES)).astype(np.int64)
    return boxes, scores, classes


def greedy(boxes, scores, classes, threshold):
    """Indices of the kept boxes, in order: float32, each operation rounded by itself, as NumPy does."""
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    order = np.argsort(-scores, kind="stable")
    suppressed = np.zeros(len(scores), dtype=bool)
    kept = []
    for i in order:
        if suppressed[i]:
            continue
        kept.append(int(i))
        low, high = np.maximum(boxes[i, :2], boxes[:, :2]), np.minimum(boxes[i, 2:], boxes[:, 2:])
        sides = np.maximum(high - low, np.float32(0))
        both = sides[:, 0] * sides[:, 1]
        with np.errstate(invalid="ignore", divide="ignore"):
            over = both / (area[i] + area - both) > np.float32(threshold)
        suppressed |= over & (classes == classes[i])
    return kept


def checksum(indices):
    total = 0
    for index in indices:
        total = (total * 31 + index) & MASK
    return total


def has(module):
    return importlib.util.find_spec(module) is not None


def by_torchvision(boxes, scores, classes):
    """torchvision's indices by class and agnostic. Its own trick for classes shifts boxes, which rounds them anew, so
    classes are taken one by one here; and it does not promise an order of equal scores."""
    import torch
    from torchvision.ops import nms

    scores = torch.from_numpy(scores)
    kept = []
    for c in range(CLASSES):
        of_class = np.flatnonzero(classes == c)
        kept.extend(of_class[nms(torch.from_numpy(boxes[of_class]), scores[of_class], 0.5).numpy()].tolist())
    return sorted(kept), sorted(nms(torch.from_numpy(boxes), scores, 0.5).tolist())


def compare() -> int:
    boxes, scores, classes = scene()
    ours = {"by class": greedy(boxes, scores, classes, 0.5), "agnostic": greedy(boxes, scores, 0 * classes, 0.5)}
    for name, kept in ours.items():
        print(f"{name}: {len(kept)} kept, checksum {checksum(kept)}")
    if not has("torchvision"):
        print("torchvision is not installed: NumPy's result was compared with nothing")
        return 0
    # Without equal scores, so that the order is defined for both.
    scores = scores + np.arange(BOXES, dtype=np.float32) * np.float32(2**-23)
    right = sorted(greedy(boxes, scores, classes, 0.5)), sorted(greedy(boxes, scores, 0 * classes, 0.5))
    theirs = by_torchvision(boxes, scores, classes)
    for name, expected, found in zip(ours, right, theirs):
        if expected != found:
            print(f"torchvision_nms.py: {name}: torchvision keeps others than NumPy", file=sys.stderr)
            return 1
        print(f"{name}: torchvision keeps the same {len(found)}")
    return 0


def time_on_gpu(path) -> int:
    import torch

    import torch_timing

    torch_timing.require_gpu()
    if not has("torchvision"):
        print("torchvision_nms.py: torchvision is not installed; there is nothing to time", file=sys.stderr)
        return 77
    from torchvision.ops import batched_nms, nms

    n = 20_000
    boxes = 100 * torch.rand(n, 4, device="cuda")
    boxes[:, 2:] += boxes[:, :2]
    scores, classes = torch.rand(n, device="cuda"), torch.randint(80, (n,), device="cuda")
    results = []
    for variant, body in (("per_class", lambda: batched_nms(boxes, scores, classes, 0.5)),
                          ("agnostic", lambda: nms(boxes, scores, 0.5))):
        samples = torch_timing.cold_samples(body)
        problem = {"boxes": n, "classes": 80, "images": 1, "variant": variant}
        results.append(torch_timing.result("nms", "float32", problem, 24 * n + 8 * len(body()), samples))
    torch_timing.write(path, results)
    return 0


def main() -> int:
    if len(sys.argv) > 2 or (len(sys.argv) == 2 and sys.argv[1].startswith("-")):
        print(__doc__, file=sys.stderr)
        return 2
    return time_on_gpu(sys.argv[1]) if len(sys.argv) == 2 else compare()


if __name__ == "__main__":
    sys.exit(main())
