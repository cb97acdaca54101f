// Inputs and right answers of problems, computed once and shared by all rungs of a ladder.
#pragma once

#include <cstddef>
#include <lanework/operation.hpp>
#include <memory>
#include <vector>

#include "src/core/hard_inputs.hpp"

namespace lanework {

/// One filling of the input arrays: which of the operation's inputs, and the seed of what is random in it.
struct Filling {
    std::uint64_t seed = 1;
    InputIndex input = kRandomInput;
    constexpr bool operator==(const Filling&) const = default;
};

/// The arrays of one problem with one filling, in host memory.
class Expected {
public:
    Expected(const Operation& operation, const Problem& problem, const Filling& filling);

    /// Computes the output arrays by the operation's reference, if that was not done before.
    void compute();

    const std::vector<BufferSpec>& specs() const { return specs_; }
    /// Output arrays are empty before compute().
    const std::byte* data(std::size_t array) const { return storage_[array].get(); }
    std::size_t bytes(std::size_t array) const { return specs_[array].count * size_of(specs_[array].dtype); }
    /// The magnitude of each element of an output, of which the tolerance is a share; null where it is none.
    const double* magnitudes(std::size_t array) const {
        return array == first_output_ && !magnitudes_.empty() ? magnitudes_.data() : nullptr;
    }
    const Filling& filling() const { return filling_; }
    const Operation& operation() const { return *operation_; }
    const Problem& problem() const { return problem_; }
    /// What results may be off by, with this filling.
    Tolerance tolerance() const { return operation_->tolerance_with(filling_.input, problem_); }
    /// Of one output: whole numbers that come with an operation in floating point, indices say, are exact.
    Tolerance tolerance(std::size_t array) const {
        return is_float(problem_.dtype) && !is_float(specs_[array].dtype) ? Tolerance{} : tolerance();
    }
    /// How far right answers move where each number of the inputs becomes a neighbour of its type: what no kernel can
    /// be nearer than by much. The largest of all outputs, over the largest right element; computed here. 0 where
    /// nothing may be off.
    double change_by_neighbours() const;
    /// "with constant input 1.23: ", or nothing for random values.
    std::string preamble() const;
    bool is_of(const Operation& operation, const Problem& problem) const {
        return operation_ == &operation && problem_ == problem;
    }

private:
    const Operation* operation_;
    Problem problem_;
    Filling filling_;
    std::vector<BufferSpec> specs_;
    std::vector<std::unique_ptr<std::byte[]>> storage_;
    std::vector<void*> addresses_;
    std::size_t first_output_ = 0;
    std::vector<double> magnitudes_;
    bool computed_ = false;
};

/// Keeps every filling of the problem that was asked for last. Not for several threads at once.
class References {
public:
    /// With inputs; outputs only if they were computed before.
    std::shared_ptr<const Expected> inputs(const Operation& operation, const Problem& problem, const Filling& filling);
    /// With inputs and outputs, one per filling; random ones are computed at the same time.
    std::vector<std::shared_ptr<const Expected>> results(const Operation& operation, const Problem& problem,
                                                         std::span<const Filling> fillings);

private:
    std::shared_ptr<Expected> find_or_fill(const Operation& operation, const Problem& problem, const Filling& filling);

    std::vector<std::shared_ptr<Expected>> kept_;
};

}  // namespace lanework
