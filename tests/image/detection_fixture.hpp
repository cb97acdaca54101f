// Arrays of detections on any kind of device, for the tests of nms and decode.
#pragma once

#include <lanework/detection.hpp>
#include <lanework/device.hpp>
#include <memory>
#include <string>
#include <vector>

namespace lanework::test {

/// A copy of an array in the memory of a device.
template <class T>
class There {
public:
    There(Device& device, const std::vector<T>& values)
        : device_(device), count_(values.size()), memory_(device.allocate(values.size() * sizeof(T))) {
        device.upload(memory_.data(), values.data(), values.size() * sizeof(T));
    }
    T* get() const { return reinterpret_cast<T*>(memory_.data()); }
    std::vector<T> values() const {
        std::vector<T> result(count_);
        device_.download(result.data(), memory_.data(), count_ * sizeof(T));
        return result;
    }

private:
    Device& device_;
    std::size_t count_;
    DeviceMemory memory_;
};

/// Where a device's tests compute.
inline Target target_of(Device& device) {
    if (device.info().kind == DeviceKind::cpu) return Team{2};
    return device;
}

/// The devices of this build that need no hardware.
inline std::vector<std::string> device_names_here() {
    std::vector<std::string> names{"cpu"};
    if (availability(DeviceKind::simt).count > 0) names.emplace_back("simt");
    return names;
}

struct Scene {
    std::vector<float> boxes = {}, scores = {};
    std::vector<std::int32_t> classes = {};  ///< may be empty
    std::int64_t images = 1;
    std::vector<Affine> to_source = {};  ///< may be empty
    std::vector<ImageSize> sizes = {};   ///< may be empty

    std::int64_t count() const { return images == 0 ? 0 : static_cast<std::int64_t>(scores.size()) / images; }
};

struct Kept {
    std::vector<std::int32_t> indices, counts, dropped;
    std::vector<float> boxes;
};

/// nms of a scene, every array of which begins as something else.
inline Kept nms_on(const std::string& name, const Scene& scene, const NmsOptions& options, std::int64_t capacity) {
    const auto device = open_device(name);
    const auto images = static_cast<std::size_t>(scene.images), places = images * static_cast<std::size_t>(capacity);
    const There<float> boxes(*device, scene.boxes), scores(*device, scene.scores);
    const There<std::int32_t> classes(*device, scene.classes);
    const There<Affine> to_source(*device, scene.to_source);
    const There<ImageSize> sizes(*device, scene.sizes);
    const There<std::int32_t> indices(*device, std::vector<std::int32_t>(places, 77));
    const There<std::int32_t> counts(*device, std::vector<std::int32_t>(images, 77));
    const There<std::int32_t> dropped(*device, std::vector<std::int32_t>(images, 77));
    const There<float> kept(*device, std::vector<float>(4 * places, 77));
    const std::size_t bytes = nms_workspace(scene.count(), scene.images);
    const DeviceMemory workspace = device->allocate(bytes);
    nms({boxes.get(), scores.get(), scene.classes.empty() ? nullptr : classes.get(), scene.images, scene.count()},
        options, {scene.to_source.empty() ? nullptr : to_source.get(), scene.sizes.empty() ? nullptr : sizes.get()},
        {indices.get(), counts.get(), dropped.get(), kept.get(), capacity}, {workspace.data(), bytes},
        target_of(*device));
    device->synchronize();
    return {indices.values(), counts.values(), dropped.values(), kept.values()};
}

}  // namespace lanework::test
