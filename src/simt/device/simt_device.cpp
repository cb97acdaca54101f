// The simt device for the harness: the runtime device on our own implementation of the CUDA runtime API, as one GPU.
#include <cuda_runtime.h>
#include <fmt/format.h>

#include <lanework_simt/error.hpp>
#include <lanework_simt/schedule.hpp>

#include "src/core/host.hpp"
#include "src/cuda/capture_mode.hpp"
#include "src/cuda/properties.hpp"
#include "src/cuda/runtime_device.hpp"
#include "src/simt/gpu.hpp"

namespace lanework::inline on_simt {

std::string failure_detail() { return lanework_simt::failure_detail(); }

int exchange_capture_mode(int mode) noexcept {
    auto exchanged = static_cast<cudaStreamCaptureMode>(mode);
    cudaThreadExchangeStreamCaptureMode(&exchanged);
    return exchanged;
}

namespace {

constexpr int kSchedules = 3;  // the natural order and two drawn ones: what verification runs

DeviceInfo describe(const Gpu& gpu) {
    lanework_simt::present(gpu);
    DeviceInfo info = describe_device(DeviceKind::simt, 0);
    if (&gpu != &gpus().front()) info.id += fmt::format(":{}", gpu.name);
    info.stands_for = gpu.name;
    info.threads = lanework_simt::worker_count();
    info.properties.push_back({"CPU threads", fmt::format("{}", info.threads)});
    info.fingerprint += fmt::format("|{}", info.threads);
    return info;
}

class SimtDevice final : public RuntimeDevice {
public:
    explicit SimtDevice(const Gpu& gpu) : RuntimeDevice(describe(gpu)), gpu_(gpu) {}

    void make_current() override {
        lanework_simt::present(gpu_);
        RuntimeDevice::make_current();
    }
    void evict(std::span<const std::pair<const void*, std::size_t>> ranges) override { evict_from_cpu_caches(ranges); }
    int schedules() const override { return kSchedules; }
    void set_schedule(std::uint64_t seed) override { lanework_simt::set_schedule(seed); }
    void recover() override { reset(); }

private:
    const Gpu& gpu_;
};

Availability always() { return {.compiled = true, .count = 1, .reason = {}}; }
std::unique_ptr<Device> open(std::string_view gpu) {
    const RelaxedCapture relaxed;
    return std::make_unique<SimtDevice>(gpu.empty() ? gpus().front() : parse_gpu(gpu));
}

}  // namespace
}  // namespace lanework::inline on_simt

extern const lanework::DeviceFactory lanework_device_simt;
constinit const lanework::DeviceFactory lanework_device_simt{lanework::DeviceKind::simt, lanework::on_simt::always,
                                                             nullptr, lanework::on_simt::open};
