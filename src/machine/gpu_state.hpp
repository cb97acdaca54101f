// What a driver says of its GPUs at this moment: clocks, heat, power, what holds them back, who uses them. As data, and
// in words.
#pragma once

#include <cstdint>
#include <lanework/measurement.hpp>
#include <optional>
#include <string>
#include <vector>

namespace lanework {

/// What the driver did not answer is missing.
struct GpuState {
    std::string name;
    /// 90 for 9.0; 0 when unknown.
    int capability = 0;
    std::optional<bool> ecc, multi_instance, persistent;
    std::optional<std::uint64_t> uncorrected_errors;                              ///< since the driver was loaded
    std::optional<int> temperature, slowdown_temperature;                         ///< °C
    std::optional<double> power, power_limit;                                     ///< W
    std::optional<int> sm_clock, most_sm_clock, memory_clock, most_memory_clock;  ///< MHz
    std::optional<std::uint64_t> held_back;  ///< NVML's clocks event reasons, bit by bit
    std::optional<int> compute_mode;         ///< NVML's; 0 is for everybody
    std::optional<int> link_generation, most_link_generation, link_width, most_link_width;
    /// Processes that compute on it, this one left out.
    std::optional<std::vector<unsigned>> others;
};

/// "its power limit, heat (by the driver)"; "nothing" for no bit. Source: nvml.h, nvmlClocksEventReasons.
std::string words_of_held_back(std::uint64_t reasons);

/// What is worth knowing before measuring, with the remedy where something is in the way.
std::vector<Fact> state_facts(const GpuState& state);

}  // namespace lanework
