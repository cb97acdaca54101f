import numpy as np


def reference(x, t, d):
    angle = np.arange(t)[:, None] * 10000.0 ** (-np.arange(d) / d)
    y = np.empty_like(x)
    y[:, 0::2] = x[:, 0::2] * np.cos(angle) - x[:, 1::2] * np.sin(angle)
    y[:, 1::2] = x[:, 0::2] * np.sin(angle) + x[:, 1::2] * np.cos(angle)
    return y
