// What an operation's constant data can be asked.
#include <fmt/format.h>

#include <algorithm>
#include <lanework/error.hpp>
#include <lanework/operation.hpp>
#include <lanework/team.hpp>

namespace lanework {

Team checked(Team team) {
    if (team.threads < 1 || team.threads > kMostThreads)
        throw UsageError(fmt::format("a team of {} threads; from 1 to {} is right", team.threads, kMostThreads));
    return team;
}

std::size_t Operation::told_axes(const Problem& problem) const {
    std::size_t count = axes.size();
    const std::size_t needed = count - usual.size();
    while (count > needed && problem.extent[count - 1] == usual[count - 1 - needed]) --count;
    return count;
}

std::vector<Extents> Operation::verified_on(DeviceKind kind) const {
    std::vector<Extents> shapes(verified.begin(), verified.end());
    if (kind != DeviceKind::simt) shapes.insert(shapes.end(), verified_by_hardware.begin(), verified_by_hardware.end());
    return shapes;
}

void Operation::reference(const Problem& problem, const Buffers& buffers) const {
    for (const Typed& typed : types)
        if (typed.dtype == problem.dtype) return typed.reference(entry, problem, buffers);
    throw UsageError(fmt::format("{} is not defined for {}", name, name_of(problem.dtype)));
}

bool Operation::magnitudes(const Problem& problem, const Buffers& buffers, double* magnitudes) const {
    for (const Typed& typed : types)
        if (typed.dtype == problem.dtype) return typed.magnitudes(entry, problem, buffers, magnitudes);
    return false;
}

void Operation::fill_with(InputIndex input, const Problem& problem, std::uint64_t seed, const Buffers& buffers) const {
    fill(problem, seed, buffers);
    if (input != kRandomInput) inputs[input - 1].fill(problem, this->buffers(problem), buffers);
}

bool Operation::defines(InputIndex input, const Problem& problem) const {
    if (input == kRandomInput) return true;
    const auto defined = inputs[input - 1].defined;
    return !defined || defined(problem);
}

std::string_view Operation::name_of_input(InputIndex input) const {
    return input == kRandomInput ? "random" : inputs[input - 1].name;
}

Tolerance Operation::tolerance_with(InputIndex input, const Problem& problem) const {
    return input == kRandomInput && tolerance_of_random ? tolerance_of_random(problem) : tolerance(problem);
}

bool Operation::has(DType dtype) const {
    return std::any_of(types.begin(), types.end(), [dtype](const Typed& typed) { return typed.dtype == dtype; });
}

}  // namespace lanework
