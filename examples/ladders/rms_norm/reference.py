import numpy as np


def reference(x, weight):
    return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-6) * weight
