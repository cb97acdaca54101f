// The simt device for the harness: the runtime device on our own implementation of the CUDA runtime API.
#include <cuda_runtime.h>

#include <lanework_simt/schedule.hpp>

#include "src/core/host.hpp"
#include "src/cuda/properties.hpp"
#include "src/cuda/runtime_device.hpp"

namespace lanework::inline on_simt {

std::string failure_detail() { return lanework_simt::failure_detail(); }

namespace {

constexpr int kSchedules = 3;  // the natural order and two drawn ones: what verification runs

DeviceInfo describe() {
    DeviceInfo info = describe_device(DeviceKind::simt, 0);
    info.threads = lanework_simt::worker_count();
    return info;
}

class SimtDevice final : public RuntimeDevice {
public:
    SimtDevice() : RuntimeDevice(describe()) {}

    void evict(std::span<const std::pair<const void*, std::size_t>> ranges) override { evict_from_cpu_caches(ranges); }
    int schedules() const override { return kSchedules; }
    void set_schedule(std::uint64_t seed) override { lanework_simt::set_schedule(seed); }
    void recover() override { reset(); }
};

Availability always() { return {.compiled = true, .count = 1, .reason = {}}; }
std::unique_ptr<Device> open(int) { return std::make_unique<SimtDevice>(); }

}  // namespace
}  // namespace lanework::inline on_simt

extern const lanework::DeviceFactory lanework_device_simt;
constinit const lanework::DeviceFactory lanework_device_simt{lanework::DeviceKind::simt, lanework::on_simt::always,
                                                             lanework::on_simt::open};
