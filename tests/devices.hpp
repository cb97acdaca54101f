// The devices that a test may compute on.
#pragma once

#include <lanework/device.hpp>
#include <memory>
#include <vector>

namespace lanework::test {

/// One of each kind that this build and this machine have.
inline std::vector<std::unique_ptr<Device>> devices_here() {
    std::vector<std::unique_ptr<Device>> devices;
    for (const DeviceKind kind : kDeviceKinds)
        if (availability(kind).count > 0) devices.push_back(open_device(name_of(kind)));
    return devices;
}

}  // namespace lanework::test
