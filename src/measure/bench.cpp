// Timing launches: cold with evicted caches, hot back to back.
#include "src/measure/bench.hpp"

#include <algorithm>
#include <cmath>

#include "src/cuda/nvtx_range.hpp"
#include "src/measure/trial.hpp"

namespace lanework {
namespace {

// A hot sample lasts at least this long, so that neither the clock nor the start of the first run shows.
constexpr double kHotSample = 200e-6;
constexpr double kMostPerSample = 1000;

}  // namespace

Bench::Bench(Device& device, const Operation& operation, const Rung& rung, const Problem& problem,
             std::vector<std::shared_ptr<const Expected>> inputs)
    : device_(device), rung_(rung), range_(range_name(operation, rung, problem)), specs_(operation.buffers(problem)) {
    for (const BufferSpec& spec : specs_)
        outputs_.push_back(spec.role == Role::output
                               ? device.allocate_in(memory_of(spec, rung), spec.count * size_of(spec.dtype))
                               : DeviceMemory());
    for (auto& expected : inputs) sets_.push_back(make_set(std::move(expected)));
    const std::size_t scratch = BoundRung::workspace_bytes(rung, problem, sets_.front().addresses);
    if (scratch > 0) workspace_ = device.allocate(scratch);
    for (InputSet& set : sets_) set.bound = BoundRung(rung, problem, set.addresses, workspace_.data(), device.stream());
}

Bench::InputSet Bench::make_set(std::shared_ptr<const Expected> expected) {
    InputSet set{std::move(expected), {}, {}, {}};
    for (std::size_t array = 0; array < specs_.size(); ++array) {
        const bool input = specs_[array].role == Role::input;
        set.memory.push_back(input ? device_.allocate_in(memory_of(specs_[array], rung_), set.expected->bytes(array))
                                   : DeviceMemory());
        if (input) device_.upload(set.memory.back().data(), set.expected->data(array), set.expected->bytes(array));
        set.addresses.push_back(input ? set.memory.back().data() : outputs_[array].data());
    }
    return set;
}

void Bench::launch(std::size_t set) {
    const NvtxRange range(range_);
    sets_[set].bound.launch();
    last_ = set;
}

void Bench::evict(std::size_t set) {
    std::vector<std::pair<const void*, std::size_t>> ranges;
    for (std::size_t array = 0; array < specs_.size(); ++array)
        ranges.emplace_back(sets_[set].addresses[array], specs_[array].count * size_of(specs_[array].dtype));
    if (workspace_.bytes() > 0) ranges.emplace_back(workspace_.data(), workspace_.bytes());
    device_.evict(ranges);
}

void Bench::warm_up(double seconds) {
    const double start = steady_now();
    do {
        launch(0);
        device_.check_launch();
        device_.synchronize();
    } while (steady_now() - start < seconds);
}

std::vector<double> Bench::cold(const StoppingRule& rule) {
    std::size_t next = 0;
    const auto before = [&] { evict(next); };
    const auto body = [&] {
        launch(next);
        next = (next + 1) % sets_.size();
    };
    return collect(rule, steady_now, [&](int count) {
        auto seconds = device_.time(count, before, body);
        device_.check_launch();
        return seconds;
    });
}

std::vector<double> Bench::back_to_back(const StoppingRule& rule, const std::function<void()>& before) {
    const double once = device_.time(1, before, [&] { launch(0); }).front();
    const auto runs = static_cast<int>(std::clamp(std::ceil(kHotSample / std::max(once, 1e-9)), 1.0, kMostPerSample));
    const auto body = [&] {
        for (int run = 0; run < runs; ++run) launch(0);
    };
    return collect(rule, steady_now, [&](int count) {
        auto seconds = device_.time(count, before, body);
        device_.check_launch();
        for (double& each : seconds) each /= runs;
        return seconds;
    });
}

std::string Bench::check() {
    std::string wrong;
    for (const InputSet& set : sets_)
        for (std::size_t array = 0; wrong.empty() && array < specs_.size(); ++array)
            if (specs_[array].role == Role::input)
                wrong = changed_input(device_, *set.expected, array, set.memory[array].data());
    if (!wrong.empty()) return wrong;
    const OutputCheck check = check_outputs(device_, rung_, *sets_[last_].expected, sets_[last_].addresses, 0);
    error_ = std::max(error_, check.error);  // nothing is less than any error
    return check.wrong;
}

}  // namespace lanework
