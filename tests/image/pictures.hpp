// Images in arrays, with margins, computed by a public function on any device: what the tests of operations share.
#pragma once

#include <gtest/gtest.h>

#include <lanework/device.hpp>
#include <lanework/error.hpp>
#include <lanework/execute.hpp>
#include <lanework/image.hpp>
#include <lanework/registry.hpp>
#include <vector>

#include "src/pixels/problem_views.hpp"
#include "tests/devices.hpp"

namespace lanework::test {

/// An image and what lies around its rows.
template <class T>
struct Picture {
    ImageShape shape;
    std::vector<T> array;

    explicit Picture(const ImageShape& of) : shape(of), array(of.array()) {}
    Picture(const ImageShape& of, std::vector<T> samples) : shape(of), array(std::move(samples)) {}
    std::size_t bytes() const { return array.size() * sizeof(T); }
};

/// Everything random, so that what must stay as it was is known.
template <class T>
Picture<T> random_picture(const ImageShape& shape, std::uint64_t seed) {
    Picture<T> picture(shape);
    for (std::size_t i = 0; i < picture.array.size(); ++i)
        if constexpr (std::is_same_v<T, float>)
            picture.array[i] = static_cast<float>(random_bits(seed, i) >> 40) / 0x1p20F;
        else
            picture.array[i] = static_cast<T>(random_bits(seed, i));
    return picture;
}

/// `out` after function(in, out, target) on a device.
template <class In, class Out, class Function>
Picture<Out> computed(Device& device, const Picture<In>& in, Picture<Out> out, const Function& function) {
    const DeviceMemory from = device.allocate(in.bytes()), to = device.allocate(out.bytes());
    device.upload(from.data(), in.array.data(), in.bytes());
    device.upload(to.data(), out.array.data(), out.bytes());
    function(image_view<const In>(from.data(), in.shape), image_view<Out>(to.data(), out.shape), Target(device));
    device.synchronize();
    device.download(out.array.data(), to.data(), out.bytes());
    return out;
}

/// `out` as an operation's reference makes it; problems and pictures have the same axes.
template <class In, class Out>
Picture<Out> referred(std::string_view operation, std::string_view variant, Picture<In> in, Picture<Out> out) {
    const Operation& found = find_operation(operation);
    const ImageShape& shape = in.shape;
    const Problem problem{extents(shape.height, shape.width, shape.channels, shape.margin), dtype_of<In>,
                          variant.empty() ? std::uint8_t{0} : parse_variant(found, variant)};
    void* const arrays[] = {in.array.data(), out.array.data()};
    found.reference(problem, {arrays});
    return out;
}

/// What a function that throws UsageError says.
template <class Function>
std::string complaint(const Function& function) {
    try {
        function();
    } catch (const UsageError& error) {
        return error.what();
    }
    return "nothing";
}

/// Shapes of images: single pixels, ragged rows, regions that begin at any address; the last one's rows do at the same
/// place of a vector each.
inline std::vector<ImageShape> shapes_with(std::int64_t channels) {
    const std::int64_t margin = channels == 1 ? 5 : channels == 3 ? 7 : 4;
    return {{1, 1, channels, 0},   {5, 3, channels, 1},  {17, 41, channels, 0},
            {9, 64, channels, 16}, {6, 50, channels, 7}, {7, 150, channels, margin}};
}

}  // namespace lanework::test
