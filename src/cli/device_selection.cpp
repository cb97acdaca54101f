// Which devices --device means.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <lanework/error.hpp>

#include "src/cli/selection.hpp"
#include "src/gpu/gpus.hpp"

namespace lanework {
namespace {

DeviceKind kind_of(std::string_view id) {
    for (const DeviceKind kind : kDeviceKinds)
        if (id.substr(0, id.find(':')) == name_of(kind)) return kind;
    throw UsageError(fmt::format("there is no device `{}`; there are: cuda, cuda:N, simt, simt:GPU, cpu and all", id));
}

// simt:t4 for simt and t4; other devices are what they are.
std::string standing_for(std::string_view id, std::string_view gpu) {
    if (gpu.empty() || kind_of(id) != DeviceKind::simt) return std::string(id);
    if (id.find(':') != id.npos) throw UsageError(fmt::format("--gpu {} and --device {} both name a GPU", gpu, id));
    return fmt::format("{}:{}", id, gpu);
}

ChosenDevice choose(std::string_view word, std::string_view gpu) {
    const std::string id = standing_for(word, gpu);
    ChosenDevice chosen{.id = id, .kind = kind_of(id), .device = nullptr, .reason = {}};
    try {
        chosen.device = open_device(id);
        chosen.id = chosen.device->info().id;
    } catch (const UnavailableError& error) {
        chosen.reason = error.what();
    }
    return chosen;
}

// Every device of every kind that this build knows; a kind without a device here is chosen with its reason.
std::vector<ChosenDevice> choose_all(std::string_view gpu) {
    std::vector<ChosenDevice> chosen;
    for (const DeviceKind kind : kDeviceKinds) {
        const Availability here = availability(kind);
        if (here.compiled && here.count == 0) chosen.push_back(choose(name_of(kind), gpu));
        for (int index = 0; index < here.count; ++index)
            chosen.push_back(choose(kind == DeviceKind::cuda ? fmt::format("cuda:{}", index) : name_of(kind), gpu));
    }
    return chosen;
}

std::vector<ChosenDevice> choose_default() {
    std::vector<ChosenDevice> chosen;
    if (availability(DeviceKind::cuda).count > 0) {
        chosen.push_back(choose("cuda:0", {}));
        return chosen;
    }
    if (availability(DeviceKind::simt).count > 0) chosen.push_back(choose("simt", {}));
    chosen.push_back(choose("cpu", {}));
    return chosen;
}

std::vector<ChosenDevice> choose_listed(std::string_view text, std::string_view gpu) {
    std::vector<ChosenDevice> chosen;
    while (true) {
        const auto comma = text.find(',');
        ChosenDevice next = choose(text.substr(0, comma), gpu);
        for (const ChosenDevice& earlier : chosen)
            if (earlier.id == next.id) throw UsageError(fmt::format("the device `{}` is named twice", next.id));
        chosen.push_back(std::move(next));
        if (comma == text.npos) return chosen;
        text.remove_prefix(comma + 1);
    }
}

}  // namespace

std::string gpu_help(std::string_view meaning) {
    std::vector<std::string_view> names;
    for (const Gpu& gpu : gpus()) names.push_back(gpu.name);
    return fmt::format("{}: {} ({})", meaning, fmt::join(names, ", "), names.front());
}

std::vector<ChosenDevice> choose_devices(std::string_view text, std::string_view gpu) {
    if (!gpu.empty()) gpu = parse_gpu(gpu).name;
    if (text.empty()) return gpu.empty() ? choose_default() : choose_listed(name_of(DeviceKind::simt), gpu);
    if (text == "all") return choose_all(gpu);
    auto chosen = choose_listed(text, gpu);
    if (!gpu.empty() && std::ranges::find(chosen, DeviceKind::simt, &ChosenDevice::kind) == chosen.end())
        throw UsageError(fmt::format("--gpu {}: {} stands for no other GPU; --device simt does", gpu, text));
    return chosen;
}

std::unique_ptr<Device> choose_device(std::string_view text, std::string_view gpu) {
    if (text == "all" || text.find(',') != text.npos)
        throw UsageError(fmt::format("`{}` names several devices; this command runs on one", text));
    ChosenDevice chosen = std::move(choose_devices(text, gpu).front());
    if (!chosen.device) throw UnavailableError(chosen.reason);
    return std::move(chosen.device);
}

std::unique_ptr<Device> choose_fastest_device(std::string_view text) {
    if (!text.empty()) return choose_device(text);
    return open_device(availability(DeviceKind::cuda).count > 0 ? "cuda" : "cpu");
}

}  // namespace lanework
