// The lists that the build generates: everything this binary knows how to compute, and on what.
#pragma once

#include <lanework/device.hpp>
#include <lanework/operation.hpp>

namespace lanework::generated {

extern const std::span<const Operation* const> operations;
extern const std::span<const Rung* const> rungs;
extern const std::span<const DeviceFactory* const> devices;
/// The operations whose rungs this build leaves out (the build option LANEWORK_LADDERS); NAME:kernels of one that has
/// those of processors.
extern const std::span<const std::string_view> left_out;

}  // namespace lanework::generated
