// Calls a rung within a rehearsal of the simt device.
#include "src/program/ladder/rehearsed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <lanework/error.hpp>
#include <lanework_simt/error.hpp>

#include "src/simt/rehearsal.hpp"

namespace lanework {

std::vector<Problem> timed_problems(const Operation& operation, DType dtype) {
    std::vector<Problem> all;
    for (const auto list : {operation.timed.simt, operation.timed.cuda})
        for (const Extents& extent : list)
            if (std::ranges::find(all, extent, &Problem::extent) == all.end())
                all.push_back({.extent = extent, .dtype = dtype});
    return all;
}

std::string not_rehearsed(const std::string& why) {
    return fmt::format(
        "not every launch of this size is checked, since no kernel runs there and the host code waits for what one "
        "would "
        "write: {}",
        why);
}

RehearsedLaunches rehearse(const OwnRung& own, const Problem& problem) {
    const Rung::Typed* const typed = own.rung().typed(problem.dtype);
    if (!typed) return {};
    lanework_simt::Rehearsal rehearsal;
    RehearsedLaunches result;
    std::vector<void*> arrays;
    for (const BufferSpec& spec : own.operation().operation().buffers(problem))
        arrays.push_back(rehearsal.array(spec.count * size_of(spec.dtype)));
    try {
        void* const scratch = rehearsal.array(typed->workspace(own.rung().entry, problem, {}));
        typed->launch(own.rung().entry, problem, {arrays, scratch}, nullptr);
    } catch (const RefusedLaunch& error) {
        lanework_simt::clear_for_reset();
        result.refused = error.what();
        return result;
    } catch (const std::exception& error) {  // it asks what kernels would have computed
        result.unended = error.what();
    }
    lanework_simt::clear_for_reset();  // what a refused launch left
    result.refused = rehearsal.refused();
    return result;
}

}  // namespace lanework
