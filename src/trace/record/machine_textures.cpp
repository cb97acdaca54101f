// What a fetch gives is asked of the device's texture unit, as the traced kernel's fetches are.
#include "src/trace/record/machine_textures.hpp"

#include <cstring>
#include <lanework_simt/texture.hpp>

namespace lanework {
namespace {

using lanework_simt::texture_unit::Texel;

/// The texture's elements, and whether it has more than one row.
std::pair<lanework_simt::cudaChannelFormatDesc, bool> elements_of(const lanework_simt::cudaResourceDesc& resource) {
    if (resource.resType == lanework_simt::cudaResourceTypeLinear) return {resource.res.linear.desc, false};
    if (resource.resType == lanework_simt::cudaResourceTypePitch2D) return {resource.res.pitch2D.desc, true};
    lanework_simt::cudaChannelFormatDesc format{};
    lanework_simt::cudaExtent extent{};
    unsigned flags = 0;
    if (lanework_simt::cudaArrayGetInfo(&format, &extent, &flags, resource.res.array.array) !=
        lanework_simt::cudaSuccess)
        return {};
    return {format, extent.height != 0};
}

}  // namespace

std::optional<MachineTextures::Texture> MachineTextures::find(std::uint32_t low_word) const {
    std::optional<Texture> found;
    for (const KeptArgument& argument : arguments_)
        for (std::size_t at = 0; at + sizeof(std::uint64_t) <= argument.bytes.size(); at += sizeof(std::uint64_t)) {
            unsigned long long object = 0;
            std::memcpy(&object, argument.bytes.data() + at, sizeof object);
            lanework_simt::cudaResourceDesc resource{};
            lanework_simt::cudaTextureDesc description{};
            if (static_cast<std::uint32_t>(object) != low_word || (found && found->object == object) ||
                lanework_simt::cudaGetTextureObjectResourceDesc(&resource, object) != lanework_simt::cudaSuccess ||
                lanework_simt::cudaGetTextureObjectTextureDesc(&description, object) != lanework_simt::cudaSuccess)
                continue;
            if (found) return std::nullopt;
            const auto [format, is_plane] = elements_of(resource);
            const bool blends = description.filterMode == lanework_simt::cudaFilterModeLinear;
            found = {.object = object,
                     .gives_floats = blends || description.readMode == lanework_simt::cudaReadModeNormalizedFloat,
                     .blends = blends,
                     .bits = static_cast<unsigned>(format.x),
                     .is_signed = format.f == lanework_simt::cudaChannelFormatKindSigned,
                     .is_plane = is_plane};
            // Halves become floats on the way, which is not done here.
            if (format.f == lanework_simt::cudaChannelFormatKindFloat && format.x != 32 && !found->gives_floats)
                return std::nullopt;
        }
    return found;
}

bool MachineTextures::fetch(const MachineFetch& fetch, MachineTexel& texel) {
    const auto known = found_.find(fetch.object);
    const std::optional<Texture>& texture =
        known != found_.end() ? known->second : found_.emplace(fetch.object, find(fetch.object)).first->second;
    if (!texture) return false;
    namespace unit = lanework_simt::texture_unit;
    const auto& [x, y, z] = fetch.at;
    Texel element{};
    switch (fetch.shape) {
        case MachineFetch::Shape::element: element = unit::element(texture->object, fetch.index); break;
        case MachineFetch::Shape::plane:
            element = unit::sample(texture->object, texture->is_plane ? 2 : 1, x, y, 0, fetch.index);
            break;
        case MachineFetch::Shape::solid: element = unit::sample(texture->object, 3, x, y, z, 0); break;
        case MachineFetch::Shape::cube: element = unit::sample_cube(texture->object, x, y, z, 0); break;
    }
    texel.blended = texture->blends && fetch.shape != MachineFetch::Shape::element;
    const unsigned bits = texture->gives_floats ? 32 : texture->bits;
    for (unsigned k = 0; k < texel.words.size() && (k + 1) * bits <= 128; ++k) {
        std::uint32_t word = 0;
        std::memcpy(&word, reinterpret_cast<const std::byte*>(&element) + k * bits / 8, bits / 8);
        if (bits < 32 && texture->is_signed)
            word = static_cast<std::uint32_t>(static_cast<std::int32_t>(word << (32 - bits)) >> (32 - bits));
        texel.words[k] = word;
    }
    return true;
}

}  // namespace lanework
