// Filling problems and computing their references, at most once each.
#include "src/measure/references.hpp"

#include <algorithm>
#include <future>

namespace lanework {
namespace {

constexpr std::size_t kKept = 2;  // the two seeds of a verification

// Uninitialised: every byte is about to be written, and large arrays should not be touched twice.
std::unique_ptr<std::byte[]> uninitialised(std::size_t bytes) {
    return std::make_unique_for_overwrite<std::byte[]>(std::max<std::size_t>(bytes, 1));
}

}  // namespace

Expected::Expected(const Operation& operation, const Problem& problem, std::uint64_t seed)
    : operation_(&operation), problem_(problem), seed_(seed), specs_(operation.buffers(problem)) {
    for (std::size_t array = 0; array < specs_.size(); ++array) {
        storage_.push_back(specs_[array].role == Role::input ? uninitialised(bytes(array)) : nullptr);
        addresses_.push_back(storage_.back().get());
    }
    operation.fill(problem, seed, Buffers{addresses_});
}

void Expected::compute() {
    if (computed_) return;
    for (std::size_t array = 0; array < specs_.size(); ++array) {
        if (specs_[array].role != Role::output) continue;
        storage_[array] = uninitialised(bytes(array));
        std::fill_n(storage_[array].get(), bytes(array), std::byte{0});
        addresses_[array] = storage_[array].get();
    }
    operation_->reference(problem_, Buffers{addresses_});
    computed_ = true;
}

std::shared_ptr<Expected> References::find_or_fill(const Operation& operation, const Problem& problem,
                                                   std::uint64_t seed) {
    for (const auto& expected : kept_)
        if (expected->is(operation, problem, seed)) return expected;
    if (kept_.size() == kKept) kept_.erase(kept_.begin());
    kept_.push_back(std::make_shared<Expected>(operation, problem, seed));
    return kept_.back();
}

std::shared_ptr<const Expected> References::inputs(const Operation& operation, const Problem& problem,
                                                   std::uint64_t seed) {
    return find_or_fill(operation, problem, seed);
}

std::vector<std::shared_ptr<const Expected>> References::results(const Operation& operation, const Problem& problem,
                                                                 std::span<const std::uint64_t> seeds) {
    std::vector<std::shared_ptr<Expected>> found;
    for (const std::uint64_t seed : seeds) found.push_back(find_or_fill(operation, problem, seed));
    std::vector<std::future<void>> running;
    for (std::size_t i = 1; i < found.size(); ++i)
        running.push_back(std::async(std::launch::async, [expected = found[i]] { expected->compute(); }));
    if (!found.empty()) found.front()->compute();
    for (auto& computation : running) computation.get();
    return {found.begin(), found.end()};
}

}  // namespace lanework
