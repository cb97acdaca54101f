// A bench: the memory of one rung on one problem, set up for timing.
#pragma once

#include <functional>
#include <lanework/device.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/core/bound_rung.hpp"
#include "src/measure/references.hpp"
#include "src/measure/sampler.hpp"

namespace lanework {

class Bench {
public:
    /// Uploads one set of inputs for each of `inputs`; runs take turns between them.
    Bench(Device& device, const Operation& operation, const Rung& rung, const Problem& problem,
          std::vector<std::shared_ptr<const Expected>> inputs);

    /// Launches until code is loaded and clocks have risen: at least once, at most for about `seconds`.
    void warm_up(double seconds);
    /// Seconds per run, caches evicted before each, inputs in turn.
    std::vector<double> cold(const StoppingRule& rule);
    /// Seconds per run, back to back on the same inputs, by the device's own pace; runs too short for the clock are
    /// timed several at a time.
    std::vector<double> hot(const StoppingRule& rule) {
        return back_to_back(rule, [] {});
    }
    /// The same at the pace at which the host launches them, where that is the slower.
    std::vector<double> as_launched(const StoppingRule& rule) { return back_to_back(rule, {}); }
    /// One launch on the first inputs; returns without waiting for it.
    void issue() { launch(0); }
    /// What the runs so far did wrong, in one line, or nothing: all inputs are as uploaded, and the outputs are those
    /// of the last run. The inputs' outputs must be computed.
    std::string check();
    /// The largest error that check() saw, as Differences::error has it.
    std::optional<double> error() const { return error_; }

private:
    struct InputSet {
        std::shared_ptr<const Expected> expected;
        std::vector<DeviceMemory> memory;  ///< of the input arrays; empty for the others
        std::vector<void*> addresses;      ///< of every array
        BoundRung bound;
    };
    std::vector<double> back_to_back(const StoppingRule& rule, const std::function<void()>& before);
    InputSet make_set(std::shared_ptr<const Expected> expected);
    void launch(std::size_t set);
    void evict(std::size_t set);

    Device& device_;
    const Rung& rung_;
    const std::string range_;  ///< the name of each launch for profilers
    std::vector<BufferSpec> specs_;
    std::vector<DeviceMemory> outputs_;  ///< of the output arrays; empty for the others
    DeviceMemory workspace_;
    std::vector<InputSet> sets_;
    std::size_t last_ = 0;  ///< the set of the last launch
    std::optional<double> error_;
};

}  // namespace lanework
