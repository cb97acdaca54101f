// Builds without the simt device have nothing to trace on.
#include <lanework/error.hpp>

#include "src/trace/record/explain.hpp"

namespace lanework {

Explanation explain(const Operation&, const Rung&, const Problem&, std::uint64_t, const ExplainOptions&) {
    throw UnavailableError("this build has no simt device to trace kernels on: configure it with -DLANEWORK_SIMT=ON");
}

Explanation explain_run(const Operation& operation, const Rung& rung, const Problem& problem, std::uint64_t seed,
                        const ExplainOptions& options, const std::vector<Analyser*>&, const std::function<void()>&) {
    return explain(operation, rung, problem, seed, options);
}

}  // namespace lanework
