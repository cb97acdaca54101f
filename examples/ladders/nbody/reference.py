import numpy as np


def terms(position, mass):
    d = position[None, :, :] - position[:, None, :]
    return mass[None, :, None] * d / ((d * d).sum(axis=2, keepdims=True) + 0.01) ** 1.5


def reference(position, mass):
    return terms(position, mass).sum(axis=1)


def magnitudes(position, mass):
    return np.abs(terms(position, mass)).sum(axis=1)
