// Inputs and right answers of problems, computed once and shared by all rungs of a ladder.
#pragma once

#include <cstddef>
#include <lanework/operation.hpp>
#include <memory>
#include <vector>

namespace lanework {

/// The arrays of one problem filled from one seed, in host memory.
class Expected {
public:
    Expected(const Operation& operation, const Problem& problem, std::uint64_t seed);

    /// Computes the output arrays by the operation's reference, if that was not done before.
    void compute();

    const std::vector<BufferSpec>& specs() const { return specs_; }
    /// Output arrays are empty before compute().
    const std::byte* data(std::size_t array) const { return storage_[array].get(); }
    std::size_t bytes(std::size_t array) const { return specs_[array].count * size_of(specs_[array].dtype); }
    std::uint64_t seed() const { return seed_; }
    bool is(const Operation& operation, const Problem& problem, std::uint64_t seed) const {
        return operation_ == &operation && problem_ == problem && seed_ == seed;
    }

private:
    const Operation* operation_;
    Problem problem_;
    std::uint64_t seed_;
    std::vector<BufferSpec> specs_;
    std::vector<std::unique_ptr<std::byte[]>> storage_;
    std::vector<void*> addresses_;
    bool computed_ = false;
};

/// Keeps what was asked for last: both seeds of one problem. Not for several threads at once.
class References {
public:
    /// With inputs; outputs only if they were computed before.
    std::shared_ptr<const Expected> inputs(const Operation& operation, const Problem& problem, std::uint64_t seed);
    /// With inputs and outputs, one per seed, computed at the same time.
    std::vector<std::shared_ptr<const Expected>> results(const Operation& operation, const Problem& problem,
                                                         std::span<const std::uint64_t> seeds);

private:
    std::shared_ptr<Expected> find_or_fill(const Operation& operation, const Problem& problem, std::uint64_t seed);

    std::vector<std::shared_ptr<Expected>> kept_;
};

}  // namespace lanework
