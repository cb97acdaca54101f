// NPP's linear resize of 8-bit images: the peer on a GPU. Its arithmetic is its own, and is held against ours within a
// stated deviation.
#include <algorithm>

#include "ops/resize/operation.hpp"
#include "src/peers/npp.hpp"

namespace {
using Resize = int(const std::uint8_t*, int, NppSize, NppRect, std::uint8_t*, int, NppSize, NppRect, int, NppStream);

constexpr const char* name_of_resize(int channels) {
    return channels == 1 ? "nppiResize_8u_C1R_Ctx" : channels == 3 ? "nppiResize_8u_C3R_Ctx" : "nppiResize_8u_C4R_Ctx";
}

Resize* resize_of(int channels) {
    static Resize* const functions[] = {npp_function<Resize>(NppPart::geometry, name_of_resize(1)),
                                        npp_function<Resize>(NppPart::geometry, name_of_resize(3)),
                                        npp_function<Resize>(NppPart::geometry, name_of_resize(4))};
    return functions[channels / 2];
}

void launch(const ResizeArgs<std::uint8_t>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const ImageView<const std::uint8_t> in = image_of(a.in, 0);
    const ImageView<std::uint8_t> out = image_of(a.out, 0);
    const NppSize from{static_cast<int>(in.width), static_cast<int>(in.height)};
    const NppSize to{static_cast<int>(out.width), static_cast<int>(out.height)};
    const int status = resize_of(a.out.channels)(
        in.pixels, static_cast<int>(in.pitch), from, {0, 0, from.width, from.height}, out.pixels,
        static_cast<int>(out.pitch), to, {0, 0, to.width, to.height}, kNppLinear, npp_stream(stream));
    check_npp(status, name_of_resize(a.out.channels));
}

/// NPP samples at half-pixel centres where an image grows, and at i·scale where it shrinks: its answers are those of
/// different variants, each within a few levels (measured with NPP 13.0).
std::string_view refuses_mapping(const Problem& problem) {
    const auto convention = static_cast<Convention>(problem.variant);
    if (convention == Convention::floating) return "NPP is measured on `opencv` and `legacy` only.";
    const auto of = problem.lengths<ResizeAxes>();
    const bool grows = of.out_height > of.height && of.out_width > of.width;
    const bool shrinks = of.out_height < of.height && of.out_width < of.width;
    if (grows && convention == Convention::legacy)
        return "NPP samples at half-pixel centres where an image grows, which is variant `opencv`.";
    if (shrinks && convention != Convention::legacy)
        return "NPP samples at i·scale where an image shrinks, which is variant `legacy`.";
    if (grows && (of.out_height < 1.1 * of.height || of.out_width < 1.1 * of.width))
        return "NPP is measured where a side grows by a tenth at least; 33 columns to 34 it maps in another way.";
    if (!grows && !shrinks) return "NPP is measured where both sides grow or both shrink; it maps the two differently.";
    return {};
}

std::string_view refuses(const Problem& problem) {
    if (problem.dtype != DType::uint8) return "NPP is measured on 8-bit samples only.";
    const auto of = problem.lengths<ResizeAxes>();
    if (of.margin != 0)
        return "NPP is measured on whole images: it takes four channels at multiples of four bytes only.";
    if (std::min({of.height, of.width, of.out_height, of.out_width}) < 64)
        return "NPP is measured on images of 64 pixels and more a side: smaller ones differ by more levels.";
    if (of.images != 1) return "NPP's batches take arrays of descriptors, and one size of all outputs.";
    const std::string_view missing = npp_refusal(NppPart::geometry, name_of_resize(static_cast<int>(of.channels)));
    return missing.empty() ? refuses_mapping(problem) : missing;
}
}  // namespace

LANEWORK_RUNG(
    resize, npp,
    {
        .lesson = "nppiResize with linear interpolation.",
        .launch = launch,
        .refuses = refuses,
        .about = npp_version,
        .deviation = 3,  // levels: 1 at the sizes that are timed, up to 3 where a few pixels become many (NPP 13.0)
    });
