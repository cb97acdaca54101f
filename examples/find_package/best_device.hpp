// The device to compute on: a GPU where there is one, else the processor's cores.
#pragma once

#include <lanework/device.hpp>

inline std::unique_ptr<lanework::Device> best_device() {
    const bool has_gpu = lanework::availability(lanework::DeviceKind::cuda).count > 0;
    return lanework::open_device(has_gpu ? "cuda" : "cpu");
}
