// A trial: one rung run on one problem in guarded memory, and everything it did looked at.
#pragma once

#include <lanework/device.hpp>
#include <optional>
#include <span>
#include <string>

#include "src/core/bound_rung.hpp"
#include "src/measure/guarded.hpp"
#include "src/measure/references.hpp"

namespace lanework {

class Trial {
public:
    /// The rung must have the problem's type. Throws MemoryError when there is not enough memory.
    Trial(Device& device, const Operation& operation, const Rung& rung, const Problem& problem);

    /// Uploads the inputs, poisons outputs and workspace, runs the rung once and compares. Returns what is wrong in
    /// one line, or nothing. `expected` holds computed outputs. Throws DeviceError when the run fails.
    std::string run(const Expected& expected);
    /// The largest error of the runs so far, as Differences::error has it.
    std::optional<double> error() const { return error_; }

private:
    void prepare(const Expected& expected);
    void launch();
    std::string breach() const;

    Device& device_;
    const Operation& operation_;
    const Rung& rung_;
    const Problem problem_;
    std::vector<BufferSpec> specs_;
    std::vector<GuardedArray> arrays_;
    std::vector<GuardedArray> workspace_;  ///< none or one
    BoundRung bound_;                      ///< to these arrays
    std::uint64_t runs_ = 0;               ///< makes guards and poison of every run different
    std::optional<double> error_;
};

/// Compares an input array on the device with what was uploaded: what is wrong in one line, or nothing.
std::string changed_input(Device& device, const Expected& expected, std::size_t array, const void* data);
/// What comparing an output array found.
struct OutputCheck {
    std::string wrong;            ///< in one line, or nothing
    std::optional<double> error;  ///< of floating-point elements that a tolerance allows to differ
};
/// Compares every output array with the computed one, up to the first that is wrong; or asks the operation, where it
/// compares itself. `arrays`: addresses on the device, in the order of Operation::buffers. `poison`: the seed with
/// which the outputs were poisoned; 0 when they were not.
OutputCheck check_outputs(Device& device, const Rung& rung, const Expected& expected, std::span<void* const> arrays,
                          std::uint64_t poison);

}  // namespace lanework
