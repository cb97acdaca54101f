// A rung bound to a problem and its arrays: everything that a launch needs, made once; launching is then one call.
#pragma once

#include <lanework/rung.hpp>
#include <span>
#include <vector>

namespace lanework {

class BoundRung {
public:
    BoundRung() = default;
    /// `arrays` are addresses in the order of Operation::buffers, `workspace` has workspace_bytes() or is null where
    /// they are none; both must outlive it. The rung must have the problem's type and not refuse it. It prepares on
    /// `stream`, where the launches follow.
    BoundRung(const Rung& rung, const Problem& problem, std::vector<void*> arrays, void* workspace, void* stream);

    /// Bytes of scratch memory that its launches need on these arrays.
    static std::size_t workspace_bytes(const Rung& rung, const Problem& problem, std::span<void* const> arrays) {
        return rung.typed(problem.dtype)->workspace(rung.entry, problem, {arrays});
    }

    /// Launches the work on the stream and returns without waiting.
    void launch() const {
        rung_->typed(problem_.dtype)->launch(rung_->entry, problem_, {arrays_, workspace_, prepared_.get()}, stream_);
    }

private:
    const Rung* rung_ = nullptr;
    Problem problem_;
    std::vector<void*> arrays_;
    void* workspace_ = nullptr;
    void* stream_ = nullptr;
    PreparedOwner prepared_;
};

inline BoundRung::BoundRung(const Rung& rung, const Problem& problem, std::vector<void*> arrays, void* workspace,
                            void* stream)
    : rung_(&rung),
      problem_(problem),
      arrays_(std::move(arrays)),
      workspace_(workspace),
      stream_(stream),
      prepared_(rung.typed(problem.dtype)->prepare(rung.entry, problem, {arrays_, workspace}, stream)) {}

}  // namespace lanework
