// Fetches from textures: where a lane's coordinates and its texel lie in registers.
//   TEX.LL RZ, R5, R8, R6, UR4, 0x0, 2D, 0x1     the first component of what is at (R8, R9), on the level in R6
//   TEX.LL R6, R4, R4, R8, UR4, 0x0, ARRAY_2D    all four, into R4, R5, R6 and R7; R4 is the layer, behind it (x, y)
//   TLD.LZ RZ, R4, R7, UR4, 0x0, 1D, 0x3         the first two components of element R7
// Without mipmaps the level does not matter.
#include <bit>
#include <iterator>

#include "src/gpu/sass/warp.hpp"

namespace lanework::machine {
namespace {

using Shape = MachineFetch::Shape;

struct Form {
    std::string_view name;
    Shape shape;
    unsigned coordinates;
    bool layered;
};
constexpr Form kForms[] = {{"2D", Shape::plane, 2, false},  {"3D", Shape::solid, 3, false},
                           {"CUBE", Shape::cube, 3, false}, {"ARRAY_2D", Shape::plane, 2, true},
                           {"1D", Shape::plane, 1, false},  {"ARRAY_1D", Shape::plane, 1, true}};

MachineFetch asked(const Warp& warp, const Step& step, unsigned lane) {
    const auto word = [&](unsigned behind) {
        return step.source[0].index == kZeroRegister ? 0 : warp.reg[step.source[0].index + behind][lane];
    };
    Words spare;
    MachineFetch fetch{integers(warp, step.source[1], spare)[lane], Shape::element, 0, {}};
    if (step.variant == std::size(kForms)) {
        fetch.index = static_cast<std::int32_t>(word(0));
        return fetch;
    }
    const Form& form = kForms[step.variant];
    fetch.shape = form.shape;
    unsigned next = 0;
    if (form.layered) fetch.index = static_cast<std::int32_t>(word(next++));
    for (unsigned i = 0; i < form.coordinates; ++i) fetch.at[i] = bits_as<float>(word(next++));
    return fetch;
}

/// The texture unit's fractions have 8 bits.
void vary_texel(Launch& launch, MachineTexel& texel) {
    constexpr float kPlace = 1.0f / 512;
    for (std::uint32_t& word : texel.words) {
        const float value = bits_as<float>(word), part = static_cast<float>(draw(launch, 3)) - 1;
        word = bits_as<std::uint32_t>(value + part * kPlace * value);
    }
}

/// `to` is the register of the third component, `flags` the mask of those that are wanted: two and two side by side.
void fetch(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<MachineTexel, kWarp> texels{};
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        if (!warp.block->launch->world.fetch(asked(warp, step, lane), texels[lane]))
            throw Unsupported("it fetches from a texture that is not known");
        if (warp.block->launch->lot != 0 && texels[lane].blended) vary_texel(*warp.block->launch, texels[lane]);
    }
    unsigned put_so_far = 0;
    for (unsigned k = 0; k < 4; ++k) {
        if (!(step.flags >> k & 1)) continue;
        const unsigned first = put_so_far < 2 ? step.target : step.to;
        if (first != kZeroRegister) {
            Words& reg = warp.reg[first + put_so_far % 2];
            for (unsigned i = 0; i < kWarp; ++i) reg[i] = lanes >> i & 1 ? texels[i].words[k] : reg[i];
        }
        ++put_so_far;
    }
}

void decode_texture(Decoding& d, Step& step, bool by_index) {
    step.action = fetch;
    if (!d.take("LL") && !d.take("LZ")) d.refuse("its level");
    d.ignore({"NODEP"});
    d.target(step);
    step.to = step.target;
    d.target(step);
    step.source[0] = d.source();
    if (!by_index && d.peek().is(MachineOperand::Kind::reg)) d.next();  // the level
    step.source[1] = d.source();
    if (step.source[1].from != Source::From::uniform || d.literal() != 0) d.refuse("its texture");
    const MachineOperand shape = d.next();
    for (step.variant = 0; step.variant < std::size(kForms); ++step.variant)
        if (shape.text == kForms[step.variant].name) break;
    if (step.variant == std::size(kForms) || (by_index && shape.text != "1D")) d.refuse("its shape");
    if (by_index) step.variant = std::size(kForms);
    constexpr std::uint32_t kWhole = 15;
    step.flags = d.more() ? static_cast<std::uint32_t>(d.literal()) & kWhole : kWhole;
}

}  // namespace

Decoder texture_decoder(std::string_view name) {
    if (name == "TEX") return [](Decoding& d, Step& step) { decode_texture(d, step, false); };
    if (name == "TLD") return [](Decoding& d, Step& step) { decode_texture(d, step, true); };
    return nullptr;
}

}  // namespace lanework::machine
