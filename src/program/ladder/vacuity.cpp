// Holds guesses against right answers. A guess that is right wherever it was tried could be what a kernel computes.
#include "src/program/ladder/vacuity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <lanework/error.hpp>
#include <optional>
#include <utility>

#include "src/measure/compare.hpp"
#include "src/measure/references.hpp"

namespace lanework {
namespace {

/// Bytes and operations up to which every hard input is tried.
constexpr std::uint64_t kEveryInput = std::uint64_t{1} << 18;
/// Elements that are compared at once: most guesses are wrong in the first few.
constexpr std::size_t kChunk = 4096;

/// What could pass for one output.
class Guesses {
public:
    Guesses(std::string output, std::optional<std::size_t> before) : output_(std::move(output)), before_(before) {}

    void look(const Expected& right, std::size_t array) {
        const BufferSpec& spec = right.specs()[array];
        if (spec.count == 0) return;
        const std::size_t size = size_of(spec.dtype);
        if (dtype_ != spec.dtype) first_.clear();  // the value is one of each type
        dtype_ = spec.dtype;
        elements_ += spec.count;
        if (first_.empty()) first_.assign(right.data(array), right.data(array) + size);
        std::vector<std::byte> guess(std::min(spec.count, kChunk) * size);
        if (zeros_) zeros_ = passes(right, array, [&](std::size_t) { return guess.data(); });
        if (before_ && unchanged_)
            unchanged_ = passes(right, array, [&](std::size_t offset) { return right.data(*before_) + offset * size; });
        for (std::size_t at = 0; at < guess.size(); at += size) std::memcpy(&guess[at], first_.data(), size);
        if (one_value_) one_value_ = passes(right, array, [&](std::size_t) { return guess.data(); });
    }

    /// What passes for it: "zeros pass for `y`"; empty where nothing does, or nothing was seen.
    std::string passing() const {
        if (elements_ == 0) return {};
        if (before_ && unchanged_) return fmt::format("what `{0}` held before passes for `{0}`", output_);
        if (zeros_) return fmt::format("zeros pass for `{}`", output_);
        return one_value_ && elements_ > 1 ? fmt::format("one value everywhere passes for `{}`", output_)
                                           : std::string();
    }
    bool settled() const { return !zeros_ && !one_value_ && !(before_ && unchanged_); }

private:
    template <class Guess>
    static bool passes(const Expected& right, std::size_t array, Guess guess) {
        const BufferSpec& spec = right.specs()[array];
        const std::size_t size = size_of(spec.dtype);
        Differences differences;
        for (std::size_t at = 0; at < spec.count && differences.count == 0; at += kChunk)
            compare(spec.dtype, right.data(array) + at * size, guess(at), at, std::min(kChunk, spec.count - at),
                    right.tolerance(array), right.magnitudes(array), differences);
        return differences.count == 0;
    }

    std::string output_;
    /// The input that holds what it was before; nothing for one that is written alone.
    std::optional<std::size_t> before_;
    std::optional<DType> dtype_;
    std::vector<std::byte> first_;
    std::size_t elements_ = 0;
    bool zeros_ = true, one_value_ = true, unchanged_ = true;
};

/// What compare() takes for right, in place of guesses for each output.
class Compared {
public:
    explicit Compared(const OwnOperation& operation) : operation_(operation) {}

    void look(const Expected& right) {
        std::vector<std::vector<std::byte>> arrays;
        std::vector<void*> addresses;
        std::size_t elements = 0;
        for (std::size_t i = 0; i < right.specs().size(); ++i) {
            const bool given = right.specs()[i].role == Role::input;
            arrays.emplace_back(given ? 0 : right.bytes(i));
            addresses.push_back(given ? const_cast<std::byte*>(right.data(i)) : arrays.back().data());
            if (!given) elements += right.specs()[i].count;
        }
        if (elements == 0) return;
        seen_ = true;
        if (zeros_) zeros_ = operation_.compare(right.problem(), Buffers{addresses}).empty();
    }
    bool settled() const { return !zeros_; }
    std::string passing() const { return seen_ && zeros_ ? "compare() takes zeros for right" : ""; }

private:
    const OwnOperation& operation_;
    bool seen_ = false, zeros_ = true;
};

class Search {
public:
    explicit Search(const OwnOperation& own) : own_(own), compared_(own) {
        const std::vector<OwnBuffer>& buffers = own.buffers();
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            if (buffers[i].role != Role::output) continue;
            std::optional<std::size_t> before;
            for (std::size_t j = 0; j < i; ++j)
                if (buffers[j].array == buffers[i].array) before = j;
            outputs_.emplace_back(i, Guesses(buffers[i].array->name, before));
        }
    }

    void run() {
        const Operation& operation = own_.operation();
        std::vector<Problem> problems;
        for (const DType dtype : own_.description().types)
            for (const Extents& extent : operation.verified) problems.push_back({.extent = extent, .dtype = dtype});
        std::ranges::stable_sort(problems, {}, effort());
        for (const Problem& problem : problems)
            for (const std::uint64_t seed : {1, 2})
                if (!settled()) look(problem, {seed, kRandomInput});
        for (const Problem& problem : problems)
            for (InputIndex input = 1; input <= operation.inputs.size(); ++input)
                if (!settled() && effort()(problem) <= kEveryInput) look(problem, {1, input});
    }

    /// Of each output, or of all of them where compare() says what is right.
    std::vector<std::string> passing() const {
        if (own_.has_comparison()) return {compared_.passing()};
        std::vector<std::string> all;
        for (const auto& [array, guesses] : outputs_) all.push_back(guesses.passing());
        return all;
    }

private:
    std::function<std::uint64_t(const Problem&)> effort() const {
        return [this](const Problem& problem) {
            const Work work = own_.operation().work(problem);
            return work.bytes() + work.flops;
        };
    }
    bool settled() const {
        return own_.has_comparison()
                   ? compared_.settled()
                   : std::ranges::all_of(outputs_, [](const auto& each) { return each.second.settled(); });
    }
    void look(const Problem& problem, const Filling& filling) {
        Expected right(own_.operation(), problem, filling);
        if (own_.has_comparison()) return compared_.look(right);
        right.compute();
        for (auto& [array, guesses] : outputs_) guesses.look(right, array);
    }

    const OwnOperation& own_;
    Compared compared_;
    std::vector<std::pair<std::size_t, Guesses>> outputs_;
};

}  // namespace

Vacuity find_vacuity(const OwnOperation& operation) {
    Search search(operation);
    search.run();
    std::vector<std::string> passing = search.passing();
    const bool all =
        !passing.empty() && std::ranges::none_of(passing, [](const std::string& each) { return each.empty(); });
    std::erase(passing, "");
    const std::string file = operation.description().reference.filename().string();
    Vacuity result;
    for (const std::string& each : passing) {
        const std::string said = fmt::format("{}: {} in every size of `verify`: nothing is shown by it", file, each);
        if (!all) result.outputs.push_back(said);
        if (all && result.everything.empty())
            result.everything = said + "; write what is right, or other sizes, `random` or `tolerance`";
    }
    return result;
}

std::vector<std::string> require_not_vacuous(const OwnOperation& operation) {
    Vacuity found = find_vacuity(operation);
    if (!found.everything.empty()) throw FileError(found.everything);
    return std::move(found.outputs);
}

}  // namespace lanework
