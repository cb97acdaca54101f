// Published figures of GPUs, for estimates on machines that have none.
#pragma once

#include <cstdint>
#include <lanework/dtype.hpp>
#include <span>
#include <string_view>

#include "src/gpu/capabilities.hpp"

namespace lanework {

struct Gpu {
    /// As --gpu takes it: "h200", "rtx4090".
    std::string_view name;
    /// "NVIDIA H200 SXM".
    std::string_view title;
    /// 90 for 9.0; capabilities() knows it.
    int capability;
    int sms;
    /// Boost clock, Hz.
    double clock_hz;
    /// Bytes per second.
    double memory_bandwidth;
    std::uint64_t l2_bytes;
    /// As the driver names it: "NVIDIA H200", "Tesla T4".
    std::string_view driver_name;
    /// Bytes per second in one direction between host and device; 0 where no source says.
    double link_bandwidth;
    std::uint64_t memory_bytes;
    int memory_bus_bits;
    /// Seconds that a kernel takes by itself which does nothing, from start to end, as Nsight Compute times it on a
    /// host with this GPU, but for starting blocks. One H100 host's for all but the H200: elsewhere nobody measured.
    double lone_launch = 2.05e-6;

    const Capability& limits() const { return *find_capability(capability); }
    /// Multiply-adds that an SM finishes in a clock; types narrower than 4 bytes compute as int32 or float32 do.
    int multiply_adds_per_clock(DType dtype) const;
    /// Operations per second of the whole GPU; a multiply-add counts two.
    double peak_flops(DType dtype) const;
    /// The same of dense products of matrices by tensor cores, floats summed in float, int8 in int32; 0 for types that
    /// they do not multiply and where no source says.
    double peak_matrix_flops(DType dtype) const;
    /// Bytes per second that all SMs together read from or write to shared memory: 32 banks, 4 bytes each, every clock.
    double peak_shared_bandwidth() const;
    /// At which the bus moves its width twice a clock, Hz.
    double memory_clock_hz() const;
};

std::span<const Gpu> gpus();
/// Reads "h200", "H200" or "rtx 4090". Throws UsageError that lists what is known.
const Gpu& parse_gpu(std::string_view text);
/// The GPU that a driver gives this name; null when there are no figures for it.
const Gpu* find_gpu(std::string_view driver_name);

}  // namespace lanework
