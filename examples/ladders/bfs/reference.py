import numpy as np


def reference(edges, n):
    distance = np.full(n, -1)
    distance[0], frontier, steps = 0, np.array([0]), 0
    while frontier.size:
        steps += 1
        reached = np.unique(edges[frontier])
        frontier = reached[distance[reached] < 0]
        distance[frontier] = steps
    return distance
