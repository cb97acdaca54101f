// Filling problems and computing their references, at most once each.
#include "src/measure/references.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <future>

#include "src/core/fill.hpp"
#include "src/measure/compare.hpp"

namespace lanework {
namespace {

// Uninitialised: every byte is about to be written, and large arrays should not be touched twice.
std::unique_ptr<std::byte[]> uninitialised(std::size_t bytes) {
    return std::make_unique_for_overwrite<std::byte[]>(std::max<std::size_t>(bytes, 1));
}

}  // namespace

Expected::Expected(const Operation& operation, const Problem& problem, const Filling& filling)
    : operation_(&operation), problem_(problem), filling_(filling), specs_(operation.buffers(problem)) {
    for (std::size_t array = 0; array < specs_.size(); ++array) {
        storage_.push_back(specs_[array].role == Role::input ? uninitialised(bytes(array)) : nullptr);
        addresses_.push_back(storage_.back().get());
    }
    operation.fill_with(filling.input, problem, filling.seed, Buffers{addresses_});
}

std::string Expected::preamble() const {
    if (filling_.input == kRandomInput) return {};
    const Input& input = operation_->inputs[filling_.input - 1];
    return fmt::format("with {} input {}: ", input.name, input.values);
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
    const auto first = std::ranges::find(specs_, Role::output, &BufferSpec::role);
    first_output_ = static_cast<std::size_t>(first - specs_.begin());
    if (tolerance().of_magnitude > 0 && first != specs_.end()) {
        magnitudes_.resize(std::max<std::size_t>(first->count, 1));
        if (!operation_->magnitudes(problem_, Buffers{addresses_}, magnitudes_.data())) magnitudes_.clear();
    }
    computed_ = true;
}

double Expected::change_by_neighbours() const {
    Expected moved(*operation_, problem_, filling_);
    for (std::size_t array = 0; array < specs_.size(); ++array) {
        if (specs_[array].role != Role::input || !is_float(specs_[array].dtype)) continue;
        const std::size_t size = size_of(specs_[array].dtype);
        for (std::size_t i = 0; i < specs_[array].count; ++i) {
            // Bits of a number, counted as a whole number, are those of its neighbours in magnitude.
            std::uint64_t bits = 0;
            std::memcpy(&bits, moved.storage_[array].get() + i * size, size);
            const bool zero = bits << 1 << (64 - 8 * size) == 0;
            bits += zero ? 0 : random_bits(filling_.seed ^ array, i) & 1 ? 1 : -1;
            std::memcpy(moved.storage_[array].get() + i * size, &bits, size);
        }
    }
    moved.compute();
    double most = 0;
    for (std::size_t array = 0; array < specs_.size(); ++array) {
        if (specs_[array].role != Role::output || tolerance(array).exact()) continue;
        Differences differences;
        compare(specs_[array].dtype, data(array), moved.data(array), 0, specs_[array].count, tolerance(array),
                magnitudes(array), differences);
        most = std::max(most, differences.error().value_or(0));
    }
    return most;
}

std::shared_ptr<Expected> References::find_or_fill(const Operation& operation, const Problem& problem,
                                                   const Filling& filling) {
    if (!kept_.empty() && !kept_.front()->is_of(operation, problem)) kept_.clear();
    for (const auto& expected : kept_)
        if (expected->filling() == filling) return expected;
    kept_.push_back(std::make_shared<Expected>(operation, problem, filling));
    return kept_.back();
}

std::shared_ptr<const Expected> References::inputs(const Operation& operation, const Problem& problem,
                                                   const Filling& filling) {
    return find_or_fill(operation, problem, filling);
}

std::vector<std::shared_ptr<const Expected>> References::results(const Operation& operation, const Problem& problem,
                                                                 std::span<const Filling> fillings) {
    std::vector<std::shared_ptr<Expected>> found;
    for (const Filling& filling : fillings) found.push_back(find_or_fill(operation, problem, filling));
    std::vector<std::future<void>> running;
    for (std::size_t i = 1; i < found.size() && fillings[i].input == kRandomInput; ++i)
        running.push_back(std::async(std::launch::async, [expected = found[i]] { expected->compute(); }));
    for (const auto& expected : found)
        if (expected == found.front() || expected->filling().input != kRandomInput) expected->compute();
    for (auto& computation : running) computation.get();
    return {found.begin(), found.end()};
}

}  // namespace lanework
