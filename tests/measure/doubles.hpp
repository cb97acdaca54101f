// Test doubles: a device in host memory whose clock is scripted, and an operation with rungs that are right and wrong.
#pragma once

#include <cstdlib>
#include <cstring>
#include <lanework/device.hpp>
#include <lanework/measurement.hpp>
#include <stdexcept>

namespace lanework::testing {

/// Runs everything at once on the calling thread; time() reports what the script says.
class ScriptedDevice final : public Device {
public:
    ScriptedDevice() {
        info_.id = info_.name = info_.fingerprint = "scripted";
        info_.memory_bytes = std::size_t{1} << 30;
        info_.last_level_cache_bytes = std::size_t{1} << 20;
        info_.threads = 1;
    }

    /// Seconds of the run that was just made; called once per run.
    std::function<double()> seconds = [] { return 1e-3; };
    /// As its driver would name it: some names have published figures.
    void set_name(std::string name) { info_.name = std::move(name); }
    /// What schedules() answers, and what set_schedule() was told.
    int schedule_count = 1;
    std::vector<std::uint64_t> schedules_set;
    /// Thrown by synchronize() when not empty.
    std::string error;
    int recoveries = 0;
    int evictions = 0;

    const DeviceInfo& info() const override { return info_; }
    DeviceMemory allocate(std::size_t bytes) override {
        return {*this, std::aligned_alloc(256, (bytes + 256) / 256 * 256), bytes};
    }
    void upload(void* device, const void* host, std::size_t bytes) override {
        if (bytes > 0) std::memcpy(device, host, bytes);
    }
    void download(void* host, const void* device, std::size_t bytes) override {
        if (bytes > 0) std::memcpy(host, device, bytes);
    }
    void fill(void* device, std::byte value, std::size_t bytes) override {
        std::memset(device, static_cast<int>(value), bytes);
    }
    std::unique_ptr<Queue> open_queue() override { throw std::logic_error("nothing that is measured opens a queue"); }
    void* stream() override { return &team_; }
    void check_launch() override {}
    void synchronize() override;
    std::vector<double> time(int count, const std::function<void()>& before,
                             const std::function<void()>& body) override {
        std::vector<double> result;
        for (int run = 0; run < count; ++run) {
            if (before) before();
            body();
            result.push_back(seconds());
        }
        return result;
    }
    void evict(std::span<const std::pair<const void*, std::size_t>>) override { ++evictions; }
    int schedules() const override { return schedule_count; }
    void set_schedule(std::uint64_t seed) override { schedules_set.push_back(seed); }
    void recover() override { ++recoveries; }

protected:
    void release(void* device) noexcept override { std::free(device); }

private:
    DeviceInfo info_;
    Team team_{1};
};

LANEWORK_AXES(IncrementAxes, count);

/// out[i] = in[i] + 1, of 32-bit integers.
struct IncrementArgs {
    using Element = std::int32_t;
    const Element* in;
    Element* out;
    std::int64_t count;
    std::byte* workspace;
    Prepared* prepared = nullptr;  ///< what the rung keeps from one launch to the next, if anything

    static IncrementArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [in, out] = buffers.arrays<const Element, Element>();
        const auto [count] = problem.lengths<IncrementAxes>();
        return {in, out, count, static_cast<std::byte*>(buffers.workspace), buffers.prepared};
    }
};
using increment_signature = Signature<IncrementArgs>;
using IncrementEntry = RungEntry<Team, increment_signature>;

extern const Operation increment;

/// Right, element by element.
void increment_all(const IncrementArgs& args);

/// A rung of `increment` on the cpu; the entry must outlive it.
inline Rung rung_of(const IncrementEntry& entry, std::string_view name = "tested") {
    return detail::erase(entry, "increment", name, DeviceKind::cpu, "tests/measure/doubles.hpp");
}

}  // namespace lanework::testing
