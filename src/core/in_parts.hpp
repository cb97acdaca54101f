// A long loop in parts, one for each core: what the host does of large problems beside a GPU takes longer than the GPU.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

namespace lanework {

/// False in a process that may start no threads: loops are one part there.
inline std::atomic<bool> parts_have_threads{true};

/// Calls part(begin, end) for ranges that make up [0, count), at the same time, one of them here; of at least so many
/// each, where there are as many. Throws what a part threw, when all have ended.
template <class Part>
void in_parts(std::int64_t count, std::int64_t least, Part part) {
    std::int64_t parts = parts_have_threads ? count / std::max<std::int64_t>(least, 1) : 1;
    // How many cores there are is read from a file.
    if (parts > 1) parts = std::min<std::int64_t>(parts, std::thread::hardware_concurrency());
    if (parts <= 1) return part(std::int64_t{0}, count);
    std::vector<std::exception_ptr> failures(static_cast<std::size_t>(parts));
    const auto guarded = [&](std::int64_t number) {
        try {
            part(count / parts * number, number + 1 < parts ? count / parts * (number + 1) : count);
        } catch (...) {
            failures[static_cast<std::size_t>(number)] = std::current_exception();
        }
    };
    std::vector<std::jthread> others;
    for (std::int64_t number = 1; number < parts; ++number) others.emplace_back(guarded, number);
    guarded(0);
    others.clear();  // joins them
    for (const std::exception_ptr& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

}  // namespace lanework
