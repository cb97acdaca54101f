// The tables of PTX.
#include "src/cudafe/ptx_instructions.hpp"

#include <algorithm>
#include <array>

namespace lanework::cudafe {
namespace {

struct TypeName {
    std::string_view ptx, cpp;
};
constexpr std::array<TypeName, 19> kTypes{{{"pred", "bool"},
                                           {"b8", "unsigned char"},
                                           {"u8", "unsigned char"},
                                           {"s8", "signed char"},
                                           {"b16", "unsigned short"},
                                           {"u16", "unsigned short"},
                                           {"s16", "short"},
                                           {"f16", "::lanework_simt::ptx::Half"},
                                           {"bf16", "::lanework_simt::ptx::Brain"},
                                           {"f16x2", "::lanework_simt::ptx::Halves"},
                                           {"bf16x2", "::lanework_simt::ptx::Brains"},
                                           {"b32", "unsigned int"},
                                           {"u32", "unsigned int"},
                                           {"s32", "int"},
                                           {"f32", "float"},
                                           {"b64", "unsigned long long"},
                                           {"u64", "unsigned long long"},
                                           {"s64", "long long"},
                                           {"f64", "double"}}};

constexpr std::string_view kIntegers = "u16 s16 u32 s32 u64 s64", kWords = "u32 s32 u64 s64";
constexpr std::string_view kNumbers = "u16 s16 u32 s32 u64 s64 f32 f64", kBits = "b16 b32 b64";

using Plain = PlainInstruction;
constexpr Plain kPlain[] = {
    {"add", 2, kNumbers, ""},
    {"sub", 2, kNumbers, ""},
    {"mul", 2, kFloats, ""},
    {"mul.lo", 2, kIntegers, ""},
    {"mul.hi", 2, kIntegers, ""},
    {"mul.wide", 2, "u16 s16 u32 s32", ""},
    {"mul24.lo", 2, "u32 s32", ""},
    {"mad", 3, kFloats, "::lanework_simt::ptx::op_fma"},
    {"mad.lo", 3, kIntegers, ""},
    {"mad.hi", 3, kIntegers, ""},
    {"mad.wide", 3, "u16 s16 u32 s32", ""},
    {"mad24.lo", 3, "u32 s32", ""},
    {"fma", 3, kFloats, ""},
    {"div", 2, "u16 s16 u32 s32 u64 s64 f32 f64", ""},
    {"rem", 2, kIntegers, ""},
    {"abs", 1, "s16 s32 s64 f32 f64", ""},
    {"neg", 1, "s16 s32 s64 f32 f64", ""},
    {"min", 2, kNumbers, ""},
    {"max", 2, kNumbers, ""},
    {"sad", 3, "u32 s32", ""},
    {"copysign", 2, kFloats, ""},
    {"rcp", 1, kFloats, ""},
    {"sqrt", 1, kFloats, ""},
    {"rsqrt", 1, kFloats, ""},
    {"sin", 1, "f32", ""},
    {"cos", 1, "f32", ""},
    {"lg2", 1, "f32", ""},
    {"ex2", 1, "f32", ""},
    {"tanh", 1, "f32", ""},
    {"and", 2, "pred b16 b32 b64", ""},
    {"or", 2, "pred b16 b32 b64", ""},
    {"xor", 2, "pred b16 b32 b64", ""},
    {"not", 1, "pred b16 b32 b64", ""},
    {"cnot", 1, kBits, ""},
    {"shl", 2, kBits, ""},
    {"shr", 2, "b16 b32 b64 u16 s16 u32 s32 u64 s64", ""},
    {"shf.l.wrap", 3, "b32", "::lanework_simt::__funnelshift_l"},
    {"shf.r.wrap", 3, "b32", "::lanework_simt::__funnelshift_r"},
    {"shf.l.clamp", 3, "b32", "::lanework_simt::__funnelshift_lc"},
    {"shf.r.clamp", 3, "b32", "::lanework_simt::__funnelshift_rc"},
    {"lop3", 4, "b32", ""},
    {"prmt", 3, "b32", ""},
    {"prmt.f4e", 3, "b32", ""},
    {"prmt.b4e", 3, "b32", ""},
    {"prmt.rc8", 3, "b32", ""},
    {"prmt.ecl", 3, "b32", ""},
    {"prmt.ecr", 3, "b32", ""},
    {"prmt.rc16", 3, "b32", ""},
    {"bfe", 3, kWords, ""},
    {"bfi", 4, "b32 b64", ""},
    {"bfind", 1, kWords, ""},
    {"bfind.shiftamt", 1, kWords, ""},
    {"bmsk.clamp", 2, "b32", ""},
    {"bmsk.wrap", 2, "b32", ""},
    {"szext.clamp", 2, "u32 s32", ""},
    {"szext.wrap", 2, "u32 s32", ""},
    {"popc", 1, "b32 b64", ""},
    {"clz", 1, "b32 b64", ""},
    {"brev", 1, "b32 b64", ""},
    {"fns", 3, "b32", "::lanework_simt::__fns"},
    {"selp", 3, "b16 b32 b64 u16 s16 u32 s32 u64 s64 f32 f64", ""},
    {"add.cc", 2, kWords, ""},
    {"addc", 2, kWords, ""},
    {"addc.cc", 2, kWords, ""},
    {"sub.cc", 2, kWords, ""},
    {"subc", 2, kWords, ""},
    {"subc.cc", 2, kWords, ""},
    {"mad.lo.cc", 3, kWords, ""},
    {"mad.hi.cc", 3, kWords, ""},
    {"madc.lo", 3, kWords, ""},
    {"madc.hi", 3, kWords, ""},
    {"madc.lo.cc", 3, kWords, ""},
    {"madc.hi.cc", 3, kWords, ""},
};

struct Special {
    std::string_view name, value;
};
constexpr Special kSpecial[] = {
    {"tid.x", "::lanework_simt::thread_index().x"},
    {"tid.y", "::lanework_simt::thread_index().y"},
    {"tid.z", "::lanework_simt::thread_index().z"},
    {"ntid.x", "::lanework_simt::block_dim().x"},
    {"ntid.y", "::lanework_simt::block_dim().y"},
    {"ntid.z", "::lanework_simt::block_dim().z"},
    {"ctaid.x", "::lanework_simt::block_index().x"},
    {"ctaid.y", "::lanework_simt::block_index().y"},
    {"ctaid.z", "::lanework_simt::block_index().z"},
    {"nctaid.x", "::lanework_simt::grid_dim().x"},
    {"nctaid.y", "::lanework_simt::grid_dim().y"},
    {"nctaid.z", "::lanework_simt::grid_dim().z"},
    {"laneid", "::lanework_simt::ptx::lane()"},
    {"warpid", "::lanework_simt::ptx::warp()"},
    {"nwarpid", "::lanework_simt::ptx::warps()"},
    {"smid", "::lanework_simt::ptx::multiprocessor()"},
    {"nsmid", "::lanework_simt::ptx::multiprocessors()"},
    {"gridid", "::lanework_simt::ptx::grid_number()"},
    {"lanemask_eq", "(1u << ::lanework_simt::ptx::lane())"},
    {"lanemask_lt", "((1u << ::lanework_simt::ptx::lane()) - 1u)"},
    {"lanemask_le", "((2u << ::lanework_simt::ptx::lane()) - 1u)"},
    {"lanemask_ge", "(~0u << ::lanework_simt::ptx::lane())"},
    {"lanemask_gt", "(~1u << ::lanework_simt::ptx::lane())"},
    {"clock", "static_cast<unsigned int>(::lanework_simt::clock64())"},
    {"clock_hi", "static_cast<unsigned int>(::lanework_simt::clock64() >> 32)"},
    {"clock64", "static_cast<unsigned long long>(::lanework_simt::clock64())"},
    {"globaltimer", "::lanework_simt::ptx::nanoseconds()"},
    {"globaltimer_lo", "static_cast<unsigned int>(::lanework_simt::ptx::nanoseconds())"},
    {"globaltimer_hi", "static_cast<unsigned int>(::lanework_simt::ptx::nanoseconds() >> 32)"},
    {"clusterid.x", "::lanework_simt::block_index().x"},
    {"clusterid.y", "::lanework_simt::block_index().y"},
    {"clusterid.z", "::lanework_simt::block_index().z"},
    {"cluster_ctaid.x", "0u"},
    {"cluster_ctaid.y", "0u"},
    {"cluster_ctaid.z", "0u"},
    {"cluster_nctaid.x", "1u"},
    {"cluster_nctaid.y", "1u"},
    {"cluster_nctaid.z", "1u"},
    {"cluster_ctarank", "0u"},
    {"cluster_nctarank", "1u"},
    {"WARP_SZ", "32u"},
};

constexpr MatrixProduct kMatrixProducts[] = {
    {"m16n8k8", "f16", "f16", 16, 8, 16, "f16 f32"},  {"m16n8k16", "f16", "f16", 16, 16, 16, "f16 f32"},
    {"m16n8k8", "bf16", "bf16", 16, 8, 16, "f32"},    {"m16n8k16", "bf16", "bf16", 16, 16, 16, "f32"},
    {"m16n8k4", "tf32", "tf32", 16, 4, 32, "f32"},    {"m16n8k8", "tf32", "tf32", 16, 8, 32, "f32"},
    {"m8n8k4", "f64", "f64", 8, 4, 64, "f64"},        {"m16n8k4", "f64", "f64", 16, 4, 64, "f64"},
    {"m16n8k8", "f64", "f64", 16, 8, 64, "f64"},      {"m16n8k16", "f64", "f64", 16, 16, 64, "f64"},
    {"m8n8k16", "s8 u8", "s8 u8", 8, 16, 8, "s32"},   {"m16n8k16", "s8 u8", "s8 u8", 16, 16, 8, "s32"},
    {"m16n8k32", "s8 u8", "s8 u8", 16, 32, 8, "s32"}, {"m8n8k32", "s4 u4", "s4 u4", 8, 32, 4, "s32"},
    {"m16n8k32", "s4 u4", "s4 u4", 16, 32, 4, "s32"}, {"m16n8k64", "s4 u4", "s4 u4", 16, 64, 4, "s32"},
};

}  // namespace

const MatrixProduct* matrix_product(std::string_view shape, std::string_view a, std::string_view b) {
    const auto* const found = std::ranges::find_if(kMatrixProducts, [&](const MatrixProduct& each) {
        return each.shape == shape && among(each.a, a) && among(each.b, b);
    });
    return found != std::ranges::end(kMatrixProducts) ? found : nullptr;
}

std::string matrix_element(std::string_view type) {
    const std::string scope = "::lanework_simt::ptx::matrices::";
    if (type == "tf32") return scope + "Tf32";
    if (type == "s4") return scope + "Nibble";
    if (type == "u4") return scope + "UnsignedNibble";
    return cpp_type(type);
}

std::string cpp_type(std::string_view ptx) {
    const auto* const found = std::ranges::find(kTypes, ptx, &TypeName::ptx);
    return found != kTypes.end() ? std::string(found->cpp) : std::string();
}

bool among(std::string_view words, std::string_view word) {
    for (std::size_t at = 0; at <= words.size();) {
        const std::size_t end = std::min(words.find(' ', at), words.size());
        if (words.substr(at, end - at) == word) return true;
        at = end + 1;
    }
    return false;
}

const PlainInstruction* plain_instruction(std::string_view name) {
    const auto* const found = std::ranges::find(kPlain, name, &Plain::name);
    return found != std::ranges::end(kPlain) ? found : nullptr;
}

std::string_view special_register(std::string_view name) {
    const auto* const found = std::ranges::find(kSpecial, name, &Special::name);
    return found != std::ranges::end(kSpecial) ? found->value : std::string_view();
}

}  // namespace lanework::cudafe
