// Finding rungs for every public function, and checking views of images.
#include "src/library/launch.hpp"

#include <limits>

namespace lanework {
namespace image {
namespace {

constexpr std::int64_t kMostSide = std::numeric_limits<std::int32_t>::max();

void require_shape(std::string_view operation, std::string_view name, std::int64_t height, std::int64_t width,
                   int channels) {
    if (channels != 1 && channels != 3 && channels != 4)
        throw UsageError(fmt::format("{}: {}.channels is {}; 1, 3 and 4 are right", operation, name, channels));
    if (height < 0 || width < 0 || height > kMostSide || width > kMostSide / channels)
        throw UsageError(
            fmt::format("{}: {} is {}×{} pixels; a side is from 0 to 2³¹ − 1 samples", operation, name, height, width));
}

void require_pitch(std::string_view operation, std::string_view name, std::int64_t pitch, std::int64_t height,
                   std::int64_t row, std::int64_t sample) {
    constexpr std::int64_t kMostBytes = std::int64_t{1} << 47;
    if (pitch > kMostBytes / height)
        throw UsageError(fmt::format("{}: {}.pitch is {} bytes, and {} rows of them are more than any memory has",
                                     operation, name, pitch, height));
    if (pitch < row)
        throw UsageError(fmt::format("{}: {}.pitch is {} bytes, and a row has {}", operation, name, pitch, row));
    if (pitch % sample != 0)
        throw UsageError(
            fmt::format("{}: {}.pitch is {} bytes, not a multiple of a sample's {}", operation, name, pitch, sample));
}

void require_address(std::string_view operation, std::string_view name, const void* address, std::int64_t sample) {
    if (!address) throw UsageError(fmt::format("{}: {} has no address", operation, name));
    if (reinterpret_cast<std::uintptr_t>(address) % static_cast<std::uintptr_t>(sample) != 0)
        throw UsageError(fmt::format("{}: {} does not begin at a multiple of {} bytes", operation, name, sample));
}

}  // namespace

Choice::Choice(const Operation& operation) : operation_(operation) {
    require_ladder(operation);
    for (const DeviceKind kind : kDeviceKinds)
        for (const Rung* rung : rungs_by_choice(operation, kind, nullptr)) {
            const Preference* const named = preference(operation, *rung);
            candidates_[static_cast<std::size_t>(kind)].push_back({rung, named ? named->where : nullptr});
        }
}

const Rung& Choice::rung(DeviceKind kind, DType dtype, const void* args) const {
    for (const Candidate& each : candidates_[static_cast<std::size_t>(kind)])
        if (const Rung::Typed* typed = each.rung->typed(dtype); typed && typed->fits_args(each.rung->entry, args))
            return *each.rung;
    throw UnavailableError(fmt::format("{}: this build has no rung for {}", operation_.name, name_of(kind)));
}

const Rung& Choice::rung(DeviceKind kind, const Problem& problem, const void* args) const {
    std::string_view reason;
    for (const bool preferred : {true, false}) {
        for (const auto& [rung, where] : candidates_[static_cast<std::size_t>(kind)]) {
            const Rung::Typed* const typed = rung->typed(problem.dtype);
            if (!typed || (!where || where(problem)) != preferred) continue;
            const std::string_view refused = rung->refuses ? rung->refuses(problem) : std::string_view();
            if (refused.empty() && (!args || typed->fits_args(rung->entry, args))) return *rung;
            if (reason.empty()) reason = refused;
        }
    }
    if (reason.empty()) reason = "this build has no rung for it";
    throw UnavailableError(fmt::format("{} on {}: {}", operation_.name, name_of(kind), reason));
}

void launch_rung(const Rung& rung, DType dtype, const void* args, Target target) {
    rung.typed(dtype)->launch_args(rung.entry, args, target.stream());
    if (Device* device = target.device()) device->check_launch();
}

std::size_t workspace_of(const Rung& rung, const Problem& problem) {
    constexpr std::size_t kMostBuffers = 16;  // more arrays than any operation has
    void* nowhere[kMostBuffers] = {};
    return rung.typed(problem.dtype)->workspace(rung.entry, problem, {nowhere});
}

template <class T>
void require_view(std::string_view operation, std::string_view name, const ImageView<T>& image) {
    require_shape(operation, name, image.height, image.width, image.channels);
    if (image.height == 0 || image.width == 0) return;
    require_address(operation, name, image.pixels, sizeof(T));
    require_pitch(operation, name, image.pitch, image.height,
                  image.width * image.channels * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
}

template <class T>
void require_batch(std::string_view operation, std::string_view name, const ImageBatch<T>& batch) {
    require_shape(operation, name, batch.most_height, batch.most_width, batch.channels);
    if (batch.count < 0)
        throw UsageError(fmt::format("{}: {}.count is {}; 0 or more is right", operation, name, batch.count));
    if (batch.count == 0 || batch.most_height == 0 || batch.most_width == 0) return;
    if (batch.places) return require_address(operation, name, batch.base, sizeof(T));
    if (batch.count != 1)
        throw UsageError(fmt::format("{}: {} has {} images and no places", operation, name, batch.count));
    require_view(operation, name,
                 ImageView<T>{batch.base, batch.only.height, batch.only.width, batch.channels, batch.only.pitch});
}

#define LANEWORK_VIEWS_OF(T)                                                             \
    template void require_view(std::string_view, std::string_view, const ImageView<T>&); \
    template void require_batch(std::string_view, std::string_view, const ImageBatch<T>&);
LANEWORK_VIEWS_OF(std::uint8_t)
LANEWORK_VIEWS_OF(const std::uint8_t)
LANEWORK_VIEWS_OF(std::int16_t)
LANEWORK_VIEWS_OF(float)
LANEWORK_VIEWS_OF(const float)
#undef LANEWORK_VIEWS_OF

}  // namespace image

template <class T>
ImageView<T> region(const ImageView<T>& image, std::int64_t top, std::int64_t left, std::int64_t height,
                    std::int64_t width) {
    image::require_view("region", "image", image);
    const auto is_inside = [](std::int64_t begin, std::int64_t length, std::int64_t all) {
        return begin >= 0 && length >= 0 && length <= all && begin <= all - length;
    };
    if (!is_inside(top, height, image.height) || !is_inside(left, width, image.width))
        throw UsageError(fmt::format("region: rows {}+{} and columns {}+{} are not inside {}×{} pixels", top, height,
                                     left, width, image.height, image.width));
    // No address is computed in an image without pixels: its pitch says nothing, and it may have none.
    if (image.height == 0 || image.width == 0) return {image.pixels, height, width, image.channels, image.pitch};
    using Byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
    auto* const row = reinterpret_cast<T*>(reinterpret_cast<Byte*>(image.pixels) + top * image.pitch);
    return {row + left * image.channels, height, width, image.channels, image.pitch};
}

template ImageView<std::uint8_t> region(const ImageView<std::uint8_t>&, std::int64_t, std::int64_t, std::int64_t,
                                        std::int64_t);
template ImageView<const std::uint8_t> region(const ImageView<const std::uint8_t>&, std::int64_t, std::int64_t,
                                              std::int64_t, std::int64_t);
template ImageView<float> region(const ImageView<float>&, std::int64_t, std::int64_t, std::int64_t, std::int64_t);
template ImageView<const float> region(const ImageView<const float>&, std::int64_t, std::int64_t, std::int64_t,
                                       std::int64_t);

}  // namespace lanework
