// Facts about devices.
#include "src/cli/device_facts.hpp"

#include <fmt/format.h>

#include "src/core/text.hpp"
#include "src/trace/analyse/golden.hpp"

namespace lanework {

int number_of(const DeviceInfo& device, std::string_view name) {
    int number = 0;
    for (const Property& property : device.properties)
        for (const char c : property.name == name ? property.value : std::string())
            if (c >= '0' && c <= '9') number = 10 * number + (c - '0');
    return number;
}

const Gpu& gpu_of(const DeviceInfo& device) {
    if (!device.stands_for.empty()) return parse_gpu(device.stands_for);
    if (const Gpu* known = find_gpu(device.name)) return *known;
    return gpu_like(number_of(device, "compute capability"), number_of(device, "SMs"));
}

Section section_of(const DeviceInfo& device) {
    Section section{device.id, {}, {}};
    for (const Property& property : device.properties) section.facts.push_back({property.name, property.value});
    section.figures.push_back({"memory_bytes", static_cast<double>(device.memory_bytes)});
    section.figures.push_back({"last_level_cache_bytes", static_cast<double>(device.last_level_cache_bytes)});
    return section;
}

void add_ceilings(Section& section, const Ceilings& ceilings) {
    const auto bandwidth = [&](std::string_view name, double bytes_per_second) {
        if (!(bytes_per_second > 0)) return;
        section.facts.push_back({fmt::format("measured {}", name), format_bandwidth(bytes_per_second)});
        section.figures.push_back({fmt::format("{}_bytes_per_s", name), bytes_per_second});
    };
    bandwidth("copy", ceilings.copy_bandwidth());
    bandwidth("read", ceilings.read_bandwidth());
    bandwidth("write", ceilings.write_bandwidth());
    for (const Ceilings::Rate& rate : ceilings.fma) {
        section.facts.push_back(
            {fmt::format("measured FMA {}", name_of(rate.dtype)), format_flops(rate.flops_per_second)});
        section.figures.push_back({fmt::format("fma_{}_flops_per_s", name_of(rate.dtype)), rate.flops_per_second});
    }
    section.facts.push_back({"measured at", ceilings.measured_at});
}

void add_published(Section& section, const Gpu& gpu) {
    section.facts.push_back({"published memory", format_bandwidth(gpu.memory_bandwidth)});
    section.figures.push_back({"published_memory_bytes_per_s", gpu.memory_bandwidth});
    for (const DType dtype : {DType::int32, DType::float32, DType::float64}) {
        section.facts.push_back({fmt::format("published FMA {}", name_of(dtype)), format_flops(gpu.peak_flops(dtype))});
        section.figures.push_back({fmt::format("published_fma_{}_flops_per_s", name_of(dtype)), gpu.peak_flops(dtype)});
    }
}

}  // namespace lanework
