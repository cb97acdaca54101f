// NPP's linear resize: the peer on a GPU. Its arithmetic is its own, of floats, and is held against ours within a
// stated deviation.
#include "ops/resize/operation.hpp"
#include "src/cuda/npp.hpp"

namespace {
template <class T>
using Resize = int(const T*, int, NppSize, NppRect, T*, int, NppSize, NppRect, int, NppStream);

template <class T>
constexpr const char* name_of_resize(int channels) {
    if constexpr (std::is_same_v<T, float>)
        return channels == 1   ? "nppiResize_32f_C1R_Ctx"
               : channels == 3 ? "nppiResize_32f_C3R_Ctx"
                               : "nppiResize_32f_C4R_Ctx";
    else
        return channels == 1   ? "nppiResize_8u_C1R_Ctx"
               : channels == 3 ? "nppiResize_8u_C3R_Ctx"
                               : "nppiResize_8u_C4R_Ctx";
}

template <class T>
void launch(const ResizeArgs<T>& a, cudaStream_t stream) {
    if (a.empty()) return;
    const char* const name = name_of_resize<T>(a.out.channels);
    static Resize<T>* const functions[] = {npp_function<Resize<T>>(NppPart::geometry, name_of_resize<T>(1)),
                                           npp_function<Resize<T>>(NppPart::geometry, name_of_resize<T>(3)),
                                           npp_function<Resize<T>>(NppPart::geometry, name_of_resize<T>(4))};
    const ImageView<const T> in = image_of(a.in, 0);
    const ImageView<T> out = image_of(a.out, 0);
    const NppSize from{static_cast<int>(in.width), static_cast<int>(in.height)};
    const NppSize to{static_cast<int>(out.width), static_cast<int>(out.height)};
    check_npp(functions[a.out.channels / 2](in.pixels, static_cast<int>(in.pitch), from,
                                            {0, 0, from.width, from.height}, out.pixels, static_cast<int>(out.pitch),
                                            to, {0, 0, to.width, to.height}, kNppLinear, npp_stream(stream)),
              name);
}

std::string_view refuses(const Problem& problem) {
    if (const std::string_view missing = npp_refusal(NppPart::geometry, "nppiResize_8u_C3R_Ctx"); !missing.empty())
        return missing;
    if (static_cast<Convention>(problem.variant) != Convention::opencv) return "NPP is measured on `opencv` only.";
    if (problem.extent[5] != 1) return "NPP's batches take arrays of descriptors, and one size of all outputs.";
    return {};
}
}  // namespace

LANEWORK_RUNG(resize, npp,
              {
                  .lesson = "nppiResize with linear interpolation.",
                  .launch = {launch<std::uint8_t>, launch<float>},
                  .refuses = refuses,
                  .about = npp_version,
              });
