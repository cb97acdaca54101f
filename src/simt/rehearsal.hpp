// Calling what launches kernels without running them: whether a size can be launched is known without its arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace lanework_simt {

/// More launches, or copies from the device, than a rehearsal follows: a loop that waits for what no kernel computes.
class EndlessRehearsal : public std::runtime_error {
public:
    EndlessRehearsal() : std::runtime_error("it asks without end for what no kernel computes") {}
};

/// While it lives, launches are checked as ever and not run. Its arrays are addresses without memory: copies and fills
/// that touch them are left out, except that what is copied from the device are zeros: no kernel computed it. One at a
/// time; not while a kernel runs. Throws EndlessRehearsal out of a launch or a copy.
class Rehearsal {
public:
    Rehearsal();
    Rehearsal(const Rehearsal&) = delete;
    Rehearsal& operator=(const Rehearsal&) = delete;
    ~Rehearsal();

    /// The address of an array of so many bytes.
    void* array(std::size_t bytes);
    /// The first launch that the GPU cannot run, and why; empty for none.
    const std::string& refused() const { return refused_; }

    // For the device.
    /// Null where nothing is rehearsed.
    static Rehearsal* current();
    static bool holds(const void* pointer);
    /// A launch, or a copy of what a kernel would have computed.
    void followed();
    void refuse(const std::string& launch_and_reason);

private:
    std::uint64_t end_, followed_ = 0;
    std::string refused_;
};

}  // namespace lanework_simt
