// Asking NVML. Every answer may be missing: older drivers and smaller GPUs know less.
#include "src/machine/management.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "src/core/shared_library.hpp"

namespace lanework {
namespace {

// nvml.h: the values that are passed and compared here.
constexpr int kSuccess = 0, kInsufficientSize = 7;
constexpr int kSmClock = 1, kMemoryClock = 2;
constexpr int kGpuTemperature = 0, kSlowdownThreshold = 1;
constexpr int kUncorrected = 1, kSinceLoaded = 0;
constexpr double kMilli = 1e-3;

using Device = Management::Device;

template <class Result, class Value>
std::optional<Result> ask(int (*function)(Device*, Value*), Device* device) {
    Value value{};
    if (!function || function(device, &value) != kSuccess) return std::nullopt;
    return static_cast<Result>(value);
}

// Of one of several sensors, thresholds or clocks.
std::optional<int> ask_about(int which, int (*function)(Device*, int, unsigned*), Device* device) {
    unsigned value = 0;
    if (!function || function(device, which, &value) != kSuccess) return std::nullopt;
    return static_cast<int>(value);
}

std::optional<std::uint64_t> uncorrected_errors(const Management& nvml, Device* device) {
    unsigned long long count = 0;
    if (!nvml.ecc_errors || nvml.ecc_errors(device, kUncorrected, kSinceLoaded, &count) != kSuccess)
        return std::nullopt;
    return count;
}

// The current one of a pair of current and pending.
template <class Value>
std::optional<bool> current(int (*function)(Device*, Value*, Value*), Device* device) {
    Value now{}, later{};
    if (!function || function(device, &now, &later) != kSuccess) return std::nullopt;
    return now != 0;
}

std::optional<double> watts(int (*function)(Device*, unsigned*), Device* device) {
    const auto milliwatts = ask<double>(function, device);
    return milliwatts ? std::optional(*milliwatts * kMilli) : std::nullopt;
}

std::optional<std::vector<unsigned>> processes(const Management& nvml, Device* device, unsigned self) {
    if (!nvml.processes) return std::nullopt;
    unsigned count = 0;
    int result = nvml.processes(device, &count, nullptr);
    std::vector<Management::Process> all;
    for (int attempt = 0; attempt < 3 && result == kInsufficientSize; ++attempt) {
        all.resize(count + 8);  // some may start in between
        count = static_cast<unsigned>(all.size());
        result = nvml.processes(device, &count, all.data());
    }
    if (result != kSuccess) return std::nullopt;
    std::vector<unsigned> others;
    for (unsigned i = 0; i < count && i < all.size(); ++i)
        if (all[i].id != self) others.push_back(all[i].id);
    return others;
}

GpuState read_gpu(const Management& nvml, Device* device, unsigned self) {
    GpuState state;
    char name[96] = "";
    if (nvml.name && nvml.name(device, name, sizeof name) == kSuccess) state.name = name;
    int major = 0, minor = 0;
    if (nvml.capability && nvml.capability(device, &major, &minor) == kSuccess) state.capability = 10 * major + minor;
    state.ecc = current(nvml.ecc, device);
    state.uncorrected_errors = uncorrected_errors(nvml, device);
    state.multi_instance = current(nvml.multi_instance, device);
    state.persistent = ask<bool>(nvml.persistence, device);
    state.compute_mode = ask<int>(nvml.compute_mode, device);
    state.temperature = ask_about(kGpuTemperature, nvml.temperature, device);
    state.slowdown_temperature = ask_about(kSlowdownThreshold, nvml.temperature_threshold, device);
    state.power = watts(nvml.power, device);
    state.power_limit = watts(nvml.power_limit, device);
    state.sm_clock = ask_about(kSmClock, nvml.clock, device);
    state.most_sm_clock = ask_about(kSmClock, nvml.most_clock, device);
    state.memory_clock = ask_about(kMemoryClock, nvml.clock, device);
    state.most_memory_clock = ask_about(kMemoryClock, nvml.most_clock, device);
    state.held_back = ask<std::uint64_t>(nvml.held_back, device);
    state.link_generation = ask<int>(nvml.link_generation, device);
    state.most_link_generation = ask<int>(nvml.most_link_generation, device);
    state.link_width = ask<int>(nvml.link_width, device);
    state.most_link_width = ask<int>(nvml.most_link_width, device);
    state.others = processes(nvml, device, self);
    return state;
}

void read_versions(const Management& nvml, DriverState& state) {
    char version[96] = "";
    if (nvml.driver_version && nvml.driver_version(version, sizeof version) == kSuccess) state.version = version;
    if (nvml.cuda_version && nvml.cuda_version(&state.cuda) != kSuccess) state.cuda = 0;
}

}  // namespace

Management functions_of(const SharedLibrary& library) {
    Management nvml;
    const auto find = [&library]<class Function>(Function& function, std::initializer_list<const char*> symbols) {
        for (const char* symbol : symbols)
            if (!function) function = library.function<Function>(symbol);
    };
    find(nvml.init, {"nvmlInit_v2"});
    find(nvml.shutdown, {"nvmlShutdown"});
    find(nvml.error_text, {"nvmlErrorString"});
    find(nvml.driver_version, {"nvmlSystemGetDriverVersion"});
    find(nvml.cuda_version, {"nvmlSystemGetCudaDriverVersion_v2"});
    find(nvml.count, {"nvmlDeviceGetCount_v2"});
    find(nvml.handle, {"nvmlDeviceGetHandleByIndex_v2"});
    find(nvml.name, {"nvmlDeviceGetName"});
    find(nvml.capability, {"nvmlDeviceGetCudaComputeCapability"});
    find(nvml.ecc, {"nvmlDeviceGetEccMode"});
    find(nvml.ecc_errors, {"nvmlDeviceGetTotalEccErrors"});
    find(nvml.multi_instance, {"nvmlDeviceGetMigMode"});
    find(nvml.persistence, {"nvmlDeviceGetPersistenceMode"});
    find(nvml.compute_mode, {"nvmlDeviceGetComputeMode"});
    find(nvml.temperature, {"nvmlDeviceGetTemperature"});
    find(nvml.temperature_threshold, {"nvmlDeviceGetTemperatureThreshold"});
    find(nvml.power, {"nvmlDeviceGetPowerUsage"});
    find(nvml.power_limit, {"nvmlDeviceGetEnforcedPowerLimit"});
    find(nvml.clock, {"nvmlDeviceGetClockInfo"});
    find(nvml.most_clock, {"nvmlDeviceGetMaxClockInfo"});
    find(nvml.held_back, {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
    find(nvml.link_generation, {"nvmlDeviceGetCurrPcieLinkGeneration"});
    find(nvml.most_link_generation, {"nvmlDeviceGetMaxPcieLinkGeneration"});
    find(nvml.link_width, {"nvmlDeviceGetCurrPcieLinkWidth"});
    find(nvml.most_link_width, {"nvmlDeviceGetMaxPcieLinkWidth"});
    find(nvml.processes, {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"});
    return nvml;
}

DriverState read_driver(const Management& nvml, unsigned self) {
    DriverState state;
    const int begun = nvml.init ? nvml.init() : -1;
    if (begun != kSuccess) {
        const char* text = nvml.error_text && nvml.init ? nvml.error_text(begun) : "it lacks nvmlInit_v2";
        state.reason = fmt::format("the management library does not start: {}", text);
        return state;
    }
    read_versions(nvml, state);
    unsigned count = 0;
    if (!nvml.count || nvml.count(&count) != kSuccess) count = 0;
    for (unsigned index = 0; index < count; ++index)
        if (Device* device = nullptr; nvml.handle && nvml.handle(index, &device) == kSuccess)
            state.gpus.push_back(read_gpu(nvml, device, self));
    if (nvml.shutdown) nvml.shutdown();
    return state;
}

DriverState read_driver() {
    constexpr const char* kNames[] = {"libnvidia-ml.so.1"};
    const SharedLibrary library(kNames);
    if (!library) return {.reason = "no NVIDIA driver: libnvidia-ml.so.1 is not there", .version = {}, .gpus = {}};
    return read_driver(functions_of(library), static_cast<unsigned>(getpid()));
}

}  // namespace lanework
