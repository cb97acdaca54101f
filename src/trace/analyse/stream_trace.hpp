// What a run handed to streams, beside its launches: copies, kernels and fills in their order, and what waits for what.
#pragma once

#include <optional>
#include <vector>

#include "src/timeline/stream_program.hpp"
#include "src/trace/analyse/site.hpp"

namespace lanework {

struct StreamTrace {
    StreamWork work;
    /// Of each task: where the program asks for it, and which launch of the explanation a kernel is; none of one that
    /// was not traced.
    std::vector<SourcePlace> places;
    std::vector<std::optional<std::size_t>> launches;
};

}  // namespace lanework
