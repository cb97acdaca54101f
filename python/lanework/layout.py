"""How arrays lie in memory: as rows with gaps between them, which is all that kernels need to know of any number of axes.

Lengths and steps are in elements. Axes that follow each other without a gap are one; what is left are rows, or columns, or neither.
"""


def _axes_of(views):
    """The lengths of the axes that all of these arrays of one shape have, and each array's steps, without those that are nothing but the
    next one's continuation."""
    lengths, steps = [], []
    for axis, length in enumerate(views[0].shape):
        if length == 1:
            continue
        here = [view.steps[axis] for view in views]
        if lengths and all(before == step * length for before, step in zip(steps[-1], here)):
            lengths[-1] *= length
            steps[-1] = here
        else:
            lengths.append(length)
            steps.append(here)
    return lengths, steps


def rows_of(views):
    """(rows, columns, the pitch of each) of arrays of one shape, in the order in which their elements are counted; None where one of
    them does not lie in rows that all have in common. A pitch is in elements."""
    if 0 in views[0].shape:
        return 0, 0, [0] * len(views)
    lengths, steps = _axes_of(views)
    if not lengths:
        return 1, 1, [1] * len(views)
    if len(lengths) > 2:
        return None
    if any(step != 1 for step in steps[-1]):
        lengths, steps = lengths + [1], steps + [[1] * len(views)]  # a column of each
        if len(lengths) > 2:
            return None
    cols = lengths[-1]
    if len(lengths) == 1:
        return 1, cols, [cols] * len(views)
    pitches = steps[0]
    return (lengths[0], cols, pitches) if all(pitch >= cols for pitch in pitches) else None


def order_of(view):
    """The axes, those with the longest steps first, as elements follow each other in memory."""
    return sorted(range(len(view.shape)), key=lambda axis: -abs(view.steps[axis]))


def overlap(first, second):
    """Whether two arrays share bytes, as far as it can be told: of rows that lie in each other's gaps it is where their pitches are equal."""
    if 0 in first.shape or 0 in second.shape or not first.overlaps(second):
        return False
    rows = [rows_of([view]) for view in (first, second)]
    if None in rows or first.itemsize != second.itemsize:
        return True
    (_, cols, (pitch,)), (_, other_cols, (other_pitch,)) = rows
    if pitch != other_pitch:
        return True
    apart = (second.address - first.address) // first.itemsize % pitch
    return not (apart >= cols and apart + other_cols <= pitch)
