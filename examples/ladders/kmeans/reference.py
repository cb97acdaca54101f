import numpy as np


def distances(points, centres):
    return ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)


def reference(points, centres):
    return distances(points, centres).argmin(axis=1)
