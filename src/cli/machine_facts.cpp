// Facts about the machine.
#include "src/cli/machine_facts.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "src/machine/counter_permission.hpp"
#include "src/machine/driver_support.hpp"
#include "src/machine/missing_gpu.hpp"
#include "src/machine/native_code.hpp"
#include "src/profile/tools.hpp"

namespace lanework {
namespace {

#ifdef LANEWORK_CUDA_TOOLKIT
constexpr std::string_view kToolkit = LANEWORK_CUDA_TOOLKIT, kCode = LANEWORK_CUDA_CODE;
#else
constexpr std::string_view kToolkit, kCode;
#endif

// CUDA C++ Programming Guide, "CUDA Environment Variables".
bool compile_cache_is_off() {
    const char* value = std::getenv("CUDA_CACHE_DISABLE");
    return value && std::string_view(value) == "1";
}

std::string code_for(const GpuState& gpu) {
    if (kToolkit.empty()) return "none: this build has no CUDA";
    if (gpu.capability == 0) return "unknown: the driver does not say its compute capability";
    return describe_code(choose_code(parse_compiled_code(kCode), gpu.capability), gpu.capability,
                         compile_cache_is_off());
}

// The state's numbers for programs, with the unit in the name.
std::vector<Figure> figures_of(const GpuState& gpu) {
    std::vector<Figure> figures;
    const auto add = [&figures](const char* name, const auto& value) {
        if (value) figures.push_back({name, static_cast<double>(*value)});
    };
    add("temperature_c", gpu.temperature);
    add("power_w", gpu.power);
    add("power_limit_w", gpu.power_limit);
    add("sm_clock_mhz", gpu.sm_clock);
    add("most_sm_clock_mhz", gpu.most_sm_clock);
    add("memory_clock_mhz", gpu.memory_clock);
    add("most_memory_clock_mhz", gpu.most_memory_clock);
    add("clocks_event_reasons", gpu.held_back);
    add("link_generation", gpu.link_generation);
    add("link_width", gpu.link_width);
    return figures;
}

}  // namespace

std::string_view toolkit_of_build() { return kToolkit; }
std::string_view code_of_build() { return kCode; }

Section driver_section(const DriverState& driver, int cuda_devices) {
    Section section{"driver", {}, {}};
    if (!driver.reason.empty())
        section.facts.push_back({"NVIDIA driver", driver.reason});
    else
        section.facts.push_back(
            {"NVIDIA driver",
             fmt::format("{}, {}", driver.version, describe_driver(driver.cuda, parse_cuda_version(kToolkit)))});
    if (driver.gpus.empty() && cuda_devices == 0)
        section.facts.push_back({"no GPU", why_no_gpu(look_around("/"))});
    else if (driver.gpus.empty())
        section.facts.push_back({"GPU state", "unknown: CUDA works, its management library does not"});
    return section;
}

std::vector<Section> gpu_sections(const DriverState& driver) {
    std::vector<Section> sections;
    for (const GpuState& gpu : driver.gpus) {
        Section section{fmt::format("GPU {}: {}", sections.size(), gpu.name), {}, figures_of(gpu)};
        section.facts.push_back({"code it runs", code_for(gpu)});
        for (Fact& fact : state_facts(gpu)) section.facts.push_back(std::move(fact));
        section.facts.push_back({"counters", describe_counter_permission()});
        sections.push_back(std::move(section));
    }
    return sections;
}

Section tools_section() {
    Section section{"tools", {}, {}};
    for (const Tool tool : kTools) {
        const auto file = find_tool(tool);
        section.facts.push_back({std::string(name_of(tool)),
                                 file.empty() ? fmt::format("not here: install {}", package_of(tool)) : file.string()});
    }
    return section;
}

}  // namespace lanework
