// Reductions and prefix sums over a group within a warp: every thread brings a value, an operation joins them in the
// order of the ranks.
#pragma once

#include <lanework_simt/warp_groups.hpp>

namespace cooperative_groups {

#define LANEWORK_SIMT_GROUP_OPERATION(name, expression)                                         \
    template <class T>                                                                          \
    struct name {                                                                               \
        LANEWORK_SIMT_BUILTIN T operator()(const T& a, const T& b) const { return expression; } \
    };
LANEWORK_SIMT_GROUP_OPERATION(plus, a + b)
LANEWORK_SIMT_GROUP_OPERATION(less, b < a ? b : a)
LANEWORK_SIMT_GROUP_OPERATION(greater, a < b ? b : a)
LANEWORK_SIMT_GROUP_OPERATION(bit_and, a& b)
LANEWORK_SIMT_GROUP_OPERATION(bit_or, a | b)
LANEWORK_SIMT_GROUP_OPERATION(bit_xor, a ^ b)
#undef LANEWORK_SIMT_GROUP_OPERATION

/// All values joined, for every thread. Neighbours are joined first, then pairs of them, and so on.
template <class Group, class T, class Operation>
LANEWORK_SIMT_BUILTIN T reduce(const Group& group, T value, Operation operation,
                               lanework_simt::Place place = lanework_simt::Place::here()) {
    const unsigned rank = group.thread_rank(), size = group.size();
    for (unsigned distance = 1; distance < size; distance *= 2) {
        const T other = group.shfl_down(value, distance, place);
        if (rank % (2 * distance) == 0 && rank + distance < size) value = operation(value, other);
    }
    return group.shfl(value, 0, place);
}

/// The values of all ranks up to the caller's, joined.
template <class Group, class T, class Operation>
LANEWORK_SIMT_BUILTIN T inclusive_scan(const Group& group, T value, Operation operation,
                                       lanework_simt::Place place = lanework_simt::Place::here()) {
    const unsigned rank = group.thread_rank();
    for (unsigned distance = 1; distance < group.size(); distance *= 2) {
        const T other = group.shfl_up(value, distance, place);
        if (rank >= distance) value = operation(other, value);
    }
    return value;
}
template <class Group, class T>
LANEWORK_SIMT_BUILTIN T inclusive_scan(const Group& group, T value,
                                       lanework_simt::Place place = lanework_simt::Place::here()) {
    return inclusive_scan(group, value, plus<T>(), place);
}
/// The same without the caller's own; T() for the first.
template <class Group, class T, class Operation>
LANEWORK_SIMT_BUILTIN T exclusive_scan(const Group& group, T value, Operation operation,
                                       lanework_simt::Place place = lanework_simt::Place::here()) {
    const T before = group.shfl_up(inclusive_scan(group, value, operation, place), 1, place);
    return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
LANEWORK_SIMT_BUILTIN T exclusive_scan(const Group& group, T value,
                                       lanework_simt::Place place = lanework_simt::Place::here()) {
    return exclusive_scan(group, value, plus<T>(), place);
}

}  // namespace cooperative_groups
