// A program has no rungs and no record of what ptxas said of them: the lists that the registry reads are empty.
#include "src/core/registry_data.hpp"
#include "src/gpu/kernel_table.hpp"

namespace lanework::generated {

constinit const std::span<const Operation* const> operations;
constinit const std::span<const Rung* const> rungs;
constinit const std::span<const std::string_view> left_out;
constinit const std::span<const std::string_view> without_kernels;
constinit const std::span<const DeviceFactory* const> devices;
constinit const std::span<const CompiledKernel> kernels;

}  // namespace lanework::generated
