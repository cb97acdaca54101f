// What is known only when the program runs becomes a template's argument: the number of channels, the convention.
#pragma once

#include <lanework/image_view.hpp>
#include <lanework/on_device.hpp>

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Calls body.operator()<channels>() for 1, 3 or 4 channels.
template <class Body>
void with_channels(int channels, const Body& body) {
    if (channels == 1) return body.template operator()<1>();
    if (channels == 3) return body.template operator()<3>();
    return body.template operator()<4>();
}

/// Calls body.operator()<convention>().
template <class Body>
void with_convention(Convention convention, const Body& body) {
    switch (convention) {
        case Convention::opencv: return body.template operator()<Convention::opencv>();
        case Convention::floating: return body.template operator()<Convention::floating>();
        case Convention::legacy: return body.template operator()<Convention::legacy>();
    }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
