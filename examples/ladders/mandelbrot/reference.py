import numpy as np


def reference(real, imaginary):
    x, y = np.zeros_like(real), np.zeros_like(real)
    steps, inside = np.zeros(real.shape, int), np.ones(real.shape, bool)
    for _ in range(50):
        x, y = np.where(inside, x * x - y * y + real, x), np.where(inside, 2 * x * y + imaginary, y)
        inside &= x * x + y * y <= 4
        steps += inside
    return steps
