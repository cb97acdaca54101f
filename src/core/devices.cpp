// Opening a device by its id from the generated list of kinds.
#include <fmt/format.h>

#include <charconv>
#include <lanework/device.hpp>
#include <lanework/error.hpp>

#include "src/core/printable.hpp"
#include "src/core/registry_data.hpp"

namespace lanework {
namespace {

DeviceKind parse_kind(std::string_view id, std::string_view kind) {
    for (const DeviceKind candidate : kDeviceKinds)
        if (name_of(candidate) == kind) return candidate;
    throw UsageError(fmt::format("`{}` is not a device; there are: cuda, cuda:N, simt, simt:GPU, cpu", printable(id)));
}

int parse_index(std::string_view id, std::string_view digits) {
    int index = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (error != std::errc() || end != digits.data() + digits.size() || index < 0)
        throw UsageError(fmt::format("`{}`: the device's number must follow the colon, as in cuda:0", printable(id)));
    return index;
}

const DeviceFactory* factory(DeviceKind kind) {
    for (const DeviceFactory* candidate : generated::devices)
        if (candidate->kind == kind) return candidate;
    return nullptr;
}

}  // namespace

Availability availability(DeviceKind kind) {
    const DeviceFactory* found = factory(kind);
    return found ? found->availability()
                 : Availability{.compiled = false,
                                .count = 0,
                                .reason = fmt::format("this build has no {} device", name_of(kind))};
}

std::unique_ptr<Device> open_device(std::string_view id) {
    const auto colon = id.find(':');
    const DeviceKind kind = parse_kind(id, id.substr(0, colon));
    const std::string_view which = colon == std::string_view::npos ? std::string_view() : id.substr(colon + 1);
    // What follows simt's colon is the name of a GPU.
    const int index = colon == std::string_view::npos || kind == DeviceKind::simt ? 0 : parse_index(id, which);
    const Availability here = availability(kind);
    if (here.count == 0) throw UnavailableError(fmt::format("{}: {}", id, here.reason));
    const DeviceFactory& found = *factory(kind);
    if (found.open_as) return found.open_as(which);
    if (index >= here.count)
        throw UnavailableError(fmt::format("{}: there {} {} such device{}, numbered from 0", id,
                                           here.count == 1 ? "is" : "are", here.count, here.count == 1 ? "" : "s"));
    return found.open(index);
}

}  // namespace lanework
