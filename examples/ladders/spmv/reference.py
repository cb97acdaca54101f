import numpy as np


def inputs(rng, n):
    ends = np.sort(rng.integers(0, 8 * n + 1, n - 1)) if n > 1 else np.empty(0, int)
    return {"rows": np.concatenate([[0], ends, [8 * n]]), "columns": rng.integers(0, n, 8 * n)}


def reference(rows, columns, elements, x, n):
    row_of = np.repeat(np.arange(n), np.diff(rows))
    return np.bincount(row_of, weights=elements * x[columns], minlength=n)
