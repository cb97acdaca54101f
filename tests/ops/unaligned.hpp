// Runs every rung of an operation on arrays that begin some elements past an allocation's boundary: what a caller may
// hand over and the harness never does.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <lanework/device.hpp>
#include <lanework/registry.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "src/core/bound_rung.hpp"

namespace lanework {

/// An array of integers and by how many of them it is shifted from a boundary on the device.
template <class T>
struct ShiftedArrayOf {
    std::vector<T> host;
    std::size_t shift = 0;

    /// The array between elements that must stay as they are. Without a shift it begins on a cache line.
    std::vector<T> with_guards() const {
        std::vector<T> all(2 * kGuards + host.size(), static_cast<T>(0x5A5A5A5A));
        std::copy(host.begin(), host.end(), all.begin() + static_cast<std::ptrdiff_t>(start()));
        return all;
    }
    std::size_t start() const { return kGuards + shift; }

    static constexpr std::size_t kGuards = 64;
};
using ShiftedArray = ShiftedArrayOf<std::int32_t>;

/// Launches the rung once and returns every array with its guards as the device left it.
template <class T = std::int32_t>
std::vector<std::vector<T>> run_shifted(Device& device, const Rung& rung, const Problem& problem,
                                        const std::type_identity_t<std::vector<ShiftedArrayOf<T>>>& arrays) {
    std::vector<DeviceMemory> memory;
    std::vector<void*> addresses;
    std::vector<std::vector<T>> contents;
    for (const ShiftedArrayOf<T>& array : arrays) {
        contents.push_back(array.with_guards());
        const std::size_t bytes = contents.back().size() * sizeof(T);
        memory.push_back(device.allocate(bytes));
        device.upload(memory.back().data(), contents.back().data(), bytes);
        addresses.push_back(memory.back().data() + array.start() * sizeof(T));
    }
    const BoundRung bound(rung, problem, std::move(addresses), nullptr, device.stream());
    bound.launch();
    device.check_launch();
    device.synchronize();
    for (std::size_t i = 0; i < arrays.size(); ++i)
        device.download(contents[i].data(), memory[i].data(), contents[i].size() * sizeof(T));
    return contents;
}

/// One device of each kind that is here.
inline std::vector<std::unique_ptr<Device>> devices_here() {
    std::vector<std::unique_ptr<Device>> devices;
    for (const DeviceKind kind : kDeviceKinds)
        if (availability(kind).count > 0) devices.push_back(open_device(name_of(kind)));
    return devices;
}

/// Every rung of the operation, except those that need something prepared for their arrays, gives what the reference
/// gives when the arrays begin where no vector access could.
inline void expect_right_when_shifted(const Operation& operation, const Problem& problem, ShiftedArray in,
                                      ShiftedArray out) {
    void* const arrays[] = {in.host.data(), out.host.data()};
    operation.reference(problem, {arrays});
    for (const auto& device : devices_here())
        for (const Rung* rung : ladder(operation, device->info().kind)) {
            if (rung->name == "graph") continue;  // prepared for its arrays: the generic verification runs it
            for (const std::size_t shift : {0, 1, 3}) {
                in.shift = shift;
                out.shift = 3 - shift;
                EXPECT_EQ(run_shifted(*device, *rung, problem, {in, out})[1], out.with_guards())
                    << device->info().id << " " << rung->name << " shift " << shift;
            }
        }
}

}  // namespace lanework
