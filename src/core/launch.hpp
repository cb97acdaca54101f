// What every public function does once its arguments are checked: launch the rung that is chosen.
#pragma once

#include <array>
#include <lanework/registry.hpp>
#include <lanework/target.hpp>
#include <string>
#include <vector>

namespace lanework::image {

/// The rungs of an operation on every kind of device, in the order in which they are asked: listed once, so that a call
/// neither compares names nor allocates.
class Choice {
public:
    explicit Choice(const Operation& operation);
    /// The first that has the type and fits the arguments. Throws UnavailableError where this build has none.
    const Rung& rung(DeviceKind kind, DType dtype, const void* args) const;
    /// The first that computes the problem and, unless they are null, fits the arguments. Throws UnavailableError where
    /// there is none.
    const Rung& rung(DeviceKind kind, const Problem& problem, const void* args) const;

private:
    /// What kernels for the type there take, or where there are some.
    std::string why_none(DeviceKind kind, DType dtype) const;

    struct Candidate {
        const Rung* rung;
        bool (*where)(const Problem&);  ///< the problems for which it is asked before the others; null for all
    };
    const Operation& operation_;
    std::array<std::vector<Candidate>, std::size(kDeviceKinds)> candidates_;  ///< by DeviceKind
};

/// The one of the operation that has these arguments. Args is its argument struct for an element type.
template <class Args>
const Choice& choice_of(const Operation& operation) {
    static const Choice choice(operation);
    return choice;
}

/// While it lives, what this thread uses of the device for the first time may be loaded although a stream is captured.
class FirstUses {
public:
    explicit FirstUses(const Target& target)
        : device_(target.device()), before_(device_ ? device_->exchange_capture_mode(kRelaxedCapture) : 0) {}
    FirstUses(const FirstUses&) = delete;
    FirstUses& operator=(const FirstUses&) = delete;
    ~FirstUses() {
        if (device_) device_->exchange_capture_mode(before_);
    }

private:
    Device* device_;
    int before_;
};

/// `args` is the rung's argument struct for the type.
void launch_rung(const Rung& rung, DType dtype, const void* args, Target target);

/// Launches the chosen rung with arguments that no problem describes.
template <class Args>
void launch(const Operation& operation, const Args& args, Target target) {
    constexpr DType dtype = dtype_of<typename Args::Element>;
    launch_rung(choice_of<Args>(operation).rung(target.kind(), dtype, &args), dtype, &args, target);
}
/// The same where a problem says how many there are, if not where they lie: a rung may refuse it.
template <class Args>
void launch(const Operation& operation, const Problem& problem, const Args& args, Target target) {
    launch_rung(choice_of<Args>(operation).rung(target.kind(), problem, &args), problem.dtype, &args, target);
}

/// Bytes of scratch memory that the rung needs for the problem.
std::size_t workspace_of(const Rung& rung, const Problem& problem);
/// The same of the rung that is chosen for the problem.
template <class Args>
std::size_t workspace_of(const Operation& operation, const Problem& problem, const Target& target) {
    return workspace_of(choice_of<Args>(operation).rung(target.kind(), problem, nullptr), problem);
}

}  // namespace lanework::image
