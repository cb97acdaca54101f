import numpy as np


def reference(seeds):
    state, inside = seeds.astype(np.uint64), np.zeros(seeds.shape, int)
    for _ in range(64):
        state = (1664525 * state + 1013904223) % 2**32
        x = state >> np.uint64(16)
        state = (1664525 * state + 1013904223) % 2**32
        y = state >> np.uint64(16)
        inside += x * x + y * y < 2**32
    return inside
