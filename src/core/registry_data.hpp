// The lists that the build generates: everything this binary knows how to compute, and on what.
#pragma once

#include <lanework/device.hpp>
#include <lanework/operation.hpp>

namespace lanework::generated {

extern const std::span<const Operation* const> operations;
extern const std::span<const Rung* const> rungs;
extern const std::span<const DeviceFactory* const> devices;
/// The operations that this build leaves out (the build option LANEWORK_LADDERS), and those that are built with the
/// rungs of processors alone.
extern const std::span<const std::string_view> left_out, without_kernels;

}  // namespace lanework::generated
