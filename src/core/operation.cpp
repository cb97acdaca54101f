// What an operation's constant data can be asked.
#include <fmt/format.h>

#include <algorithm>
#include <lanework/error.hpp>
#include <lanework/operation.hpp>

namespace lanework {

std::size_t Operation::told_axes(const Problem& problem) const {
    std::size_t count = axes.size();
    const std::size_t needed = count - usual.size();
    while (count > needed && problem.extent[count - 1] == usual[count - 1 - needed]) --count;
    return count;
}

void Operation::reference(const Problem& problem, const Buffers& buffers) const {
    for (const Typed& typed : types)
        if (typed.dtype == problem.dtype) return typed.reference(entry, problem, buffers);
    throw UsageError(fmt::format("{} is not defined for {}", name, name_of(problem.dtype)));
}

bool Operation::has(DType dtype) const {
    return std::any_of(types.begin(), types.end(), [dtype](const Typed& typed) { return typed.dtype == dtype; });
}

}  // namespace lanework
