// Figures and bits of a driver as sentences.
#include "src/machine/gpu_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanework {
namespace {

constexpr std::uint64_t kIdle = 1;
struct Reason {
    std::uint64_t bit;
    const char* words;
};
constexpr Reason kReasons[] = {{kIdle, "it is idle"},
                               {0x2, "clocks set by a user"},
                               {0x4, "its power limit"},
                               {0x8, "a hardware slowdown"},
                               {0x10, "the clocks of a group it belongs to"},
                               {0x20, "heat (the driver slows it down)"},
                               {0x40, "heat (the hardware slows it down)"},
                               {0x80, "the power supply (external brake)"},
                               {0x100, "the clock of its display"},
                               {0x200, "a limit of its board"},
                               {0x400, "a limit for reliability"}};

std::string clocks(const std::optional<int>& now, const std::optional<int>& most) {
    return most ? fmt::format("{} of at most {} MHz", *now, *most) : fmt::format("{} MHz", *now);
}

std::string ecc_words(const GpuState& state) {
    if (!*state.ecc) return "off";
    if (!state.uncorrected_errors || *state.uncorrected_errors == 0) return "on";
    return fmt::format("on; {} errors could not be corrected: results are not to be trusted",
                       *state.uncorrected_errors);
}

std::string link_words(const GpuState& state) {
    std::string text = fmt::format("PCIe {}.0 x{}", *state.link_generation, *state.link_width);
    const bool fewer_lanes = state.most_link_width && *state.link_width < *state.most_link_width;
    const bool slower = state.most_link_generation && *state.link_generation < *state.most_link_generation;
    if (fewer_lanes)
        text += fmt::format(" of x{}: is it in the right slot?", *state.most_link_width);
    else if (slower)
        text += fmt::format(", {}.0 under load", *state.most_link_generation);
    return text;
}

std::string compute_mode_words(int mode) {
    switch (mode) {
        case 0: return "any number of processes";
        case 2: return "none: computing is prohibited (`nvidia-smi -c 0` allows it)";
        default: return "one process at a time";
    }
}

std::string others_words(const std::vector<unsigned>& others) {
    if (others.empty()) return "none";
    return fmt::format("process{} {}: figures suffer", others.size() == 1 ? "" : "es", fmt::join(others, ", "));
}

std::string temperature_words(const GpuState& state) {
    return fmt::format(
        "{} °C{}", *state.temperature,
        state.slowdown_temperature ? fmt::format(", slows down at {} °C", *state.slowdown_temperature) : "");
}

std::string power_words(const GpuState& state) {
    return fmt::format("{:.0f} W{}", *state.power,
                       state.power_limit ? fmt::format(" of {:.0f} W", *state.power_limit) : "");
}

}  // namespace

std::string words_of_held_back(std::uint64_t reasons) {
    std::vector<std::string> words;
    for (const Reason& reason : kReasons) {
        if (reasons & reason.bit) words.emplace_back(reason.words);
        reasons &= ~reason.bit;
    }
    if (reasons != 0) words.push_back(fmt::format("something newer than this program (bits {:#x})", reasons));
    return words.empty() ? "nothing" : fmt::format("{}", fmt::join(words, ", "));
}

std::vector<Fact> state_facts(const GpuState& state) {
    std::vector<Fact> facts;
    const auto add = [&facts](const char* name, bool known, auto words) {
        if (known) facts.push_back({name, words()});
    };
    add("ECC", state.ecc.has_value(), [&] { return ecc_words(state); });
    add("MIG", state.multi_instance.has_value(), [&] {
        return std::string(*state.multi_instance ? "on: a program sees one instance, a part of the GPU" : "off");
    });
    add("persistence", state.persistent.has_value(), [&] {
        return std::string(*state.persistent ? "on" : "off: the first start is slower (`nvidia-smi -pm 1` as root)");
    });
    add("processes allowed", state.compute_mode.has_value(), [&] { return compute_mode_words(*state.compute_mode); });
    add("other processes", state.others.has_value(), [&] { return others_words(*state.others); });
    add("temperature", state.temperature.has_value(), [&] { return temperature_words(state); });
    add("power", state.power.has_value(), [&] { return power_words(state); });
    add("SM clock", state.sm_clock.has_value(), [&] { return clocks(state.sm_clock, state.most_sm_clock); });
    add("memory clock", state.memory_clock.has_value(),
        [&] { return clocks(state.memory_clock, state.most_memory_clock); });
    add("clocks held back by", state.held_back.has_value(), [&] { return words_of_held_back(*state.held_back); });
    add("link", state.link_generation && state.link_width, [&] { return link_words(state); });
    return facts;
}

}  // namespace lanework
