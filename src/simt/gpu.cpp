// One GPU at a time.
#include "src/simt/gpu.hpp"

#include <atomic>
#include <chrono>
#include <lanework_simt/access.hpp>
#include <lanework_simt/error.hpp>

#include "src/simt/observing.hpp"
#include "src/simt/standstill.hpp"

namespace lanework_simt {
namespace {

constinit std::atomic<const lanework::Gpu*> presented{nullptr};
constinit std::atomic<int> fewer_sms{0};

}  // namespace

const lanework::Gpu& presented_gpu() {
    const lanework::Gpu* const chosen = presented.load(std::memory_order_relaxed);
    return chosen ? *chosen : lanework::gpus().front();
}
void present(const lanework::Gpu& gpu) {
    static lanework::Gpu smaller;
    const int sms = fewer_sms.load(std::memory_order_relaxed);
    if (sms != 0) {
        smaller = gpu;
        smaller.sms = sms;
    }
    presented.store(sms == 0 ? &gpu : &smaller, std::memory_order_relaxed);
}

FewerSms::FewerSms(int sms) { fewer_sms = sms; }
FewerSms::~FewerSms() {
    fewer_sms = 0;
    present(lanework::parse_gpu(presented_gpu().name));
}

long long api::clock64() {
    const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
    const auto clocks = static_cast<long long>(now.count() * presented_gpu().clock_hz);
    if (in_kernel()) {
        engine::count_clock_read();
        engine::note_clock_read(clocks, __builtin_return_address(0));
    }
    return clocks;
}

}  // namespace lanework_simt
