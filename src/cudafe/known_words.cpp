// The lists of words.
#include "src/cudafe/known_words.hpp"

namespace lanework::cudafe {

bool is_known_type(std::string_view word) {
    constexpr std::array<std::string_view, 40> kTypes{
        "void",     "bool",     "char",     "short",     "int",       "long",    "unsigned", "signed",
        "float",    "double",   "size_t",   "int8_t",    "int16_t",   "int32_t", "int64_t",  "uint8_t",
        "uint16_t", "uint32_t", "uint64_t", "ptrdiff_t", "uintptr_t", "uint",    "uchar",    "ushort",
        "ulong",    "half",     "__half",   "__half2",   "half2",     "dim3",    "uint3",    "int2",
        "int3",     "int4",     "float2",   "float3",    "float4",    "double2", "uchar4",   "uint2"};
    return among(word, kTypes);
}

bool is_whole_number(std::string_view word) {
    constexpr std::array<std::string_view, 9> kTypes{"int",     "unsigned", "long",     "size_t", "int32_t",
                                                     "int64_t", "uint32_t", "uint64_t", "uint"};
    return among(word, kTypes);
}

bool is_number(std::string_view word) {
    constexpr std::array<std::string_view, 11> kOthers{"bool",   "char",    "short",   "signed",   "float",    "double",
                                                       "int8_t", "int16_t", "uint8_t", "uint16_t", "uintptr_t"};
    return is_whole_number(word) || among(word, kOthers);
}

bool is_keyword(std::string_view word) {
    constexpr std::array<std::string_view, 30> kKeywords{"if",
                                                         "for",
                                                         "while",
                                                         "switch",
                                                         "return",
                                                         "sizeof",
                                                         "alignof",
                                                         "decltype",
                                                         "noexcept",
                                                         "static_cast",
                                                         "const_cast",
                                                         "reinterpret_cast",
                                                         "static_assert",
                                                         "__attribute__",
                                                         "alignas",
                                                         "constexpr",
                                                         "else",
                                                         "do",
                                                         "case",
                                                         "typeid",
                                                         "template",
                                                         "typename",
                                                         "__launch_bounds__",
                                                         "__align__",
                                                         "defined",
                                                         "const",
                                                         "auto",
                                                         "and",
                                                         "or",
                                                         "not"};
    return among(word, kKeywords);
}

bool computes(std::string_view word) {
    constexpr std::array<std::string_view, 78> kNames{"abs",
                                                      "labs",
                                                      "llabs",
                                                      "fabs",
                                                      "min",
                                                      "max",
                                                      "fmin",
                                                      "fmax",
                                                      "sqrt",
                                                      "rsqrt",
                                                      "cbrt",
                                                      "rcbrt",
                                                      "hypot",
                                                      "rhypot",
                                                      "exp",
                                                      "exp2",
                                                      "exp10",
                                                      "expm1",
                                                      "log",
                                                      "log2",
                                                      "log10",
                                                      "log1p",
                                                      "sin",
                                                      "cos",
                                                      "tan",
                                                      "sinpi",
                                                      "cospi",
                                                      "asin",
                                                      "acos",
                                                      "atan",
                                                      "atan2",
                                                      "sinh",
                                                      "cosh",
                                                      "tanh",
                                                      "asinh",
                                                      "acosh",
                                                      "atanh",
                                                      "sincos",
                                                      "sincospi",
                                                      "pow",
                                                      "powi",
                                                      "floor",
                                                      "ceil",
                                                      "round",
                                                      "rint",
                                                      "nearbyint",
                                                      "trunc",
                                                      "fmod",
                                                      "remainder",
                                                      "fma",
                                                      "erf",
                                                      "erfc",
                                                      "erfinv",
                                                      "erfcinv",
                                                      "erfcx",
                                                      "normcdf",
                                                      "normcdfinv",
                                                      "tgamma",
                                                      "lgamma",
                                                      "j0",
                                                      "j1",
                                                      "y0",
                                                      "y1",
                                                      "ldexp",
                                                      "frexp",
                                                      "modf",
                                                      "copysign",
                                                      "isnan",
                                                      "isinf",
                                                      "isfinite",
                                                      "signbit",
                                                      "fdim",
                                                      "saturate",
                                                      "umin",
                                                      "umax",
                                                      "lrint",
                                                      "this_thread_block",
                                                      "tiled_partition"};
    constexpr std::array<std::string_view, 10> kPrefixes{"make_", "__f",   "__d",    "__int", "__uint",
                                                         "__ll",  "__ull", "__half", "__mul", "__umul"};
    constexpr std::array<std::string_view, 29> kIntrinsics{"__ldg",       "__ldca",
                                                           "__ldcs",      "__expf",
                                                           "__exp10f",    "__logf",
                                                           "__log2f",     "__log10f",
                                                           "__sinf",      "__cosf",
                                                           "__tanf",      "__powf",
                                                           "__sincosf",   "__popc",
                                                           "__popcll",    "__clz",
                                                           "__clzll",     "__brev",
                                                           "__brevll",    "__saturatef",
                                                           "__sad",       "__usad",
                                                           "__hadd",      "__rhadd",
                                                           "__byte_perm", "__longlong_as_double",
                                                           "__stcs",      "__stcg",
                                                           "__stwb"};
    if (among(word, kNames) || among(word, kIntrinsics)) return true;
    if (word.ends_with('f') && among(word.substr(0, word.size() - 1), kNames)) return true;
    return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                       [&](std::string_view prefix) { return word.starts_with(prefix); });
}

bool is_atomic(std::string_view word) {
    constexpr std::array<std::string_view, 11> kFunctions{"atomicAdd", "atomicSub",  "atomicMin", "atomicMax",
                                                          "atomicInc", "atomicDec",  "atomicAnd", "atomicOr",
                                                          "atomicXor", "atomicExch", "atomicCAS"};
    for (const std::string_view scope : {"_block", "_system"})
        if (word.ends_with(scope)) word.remove_suffix(scope.size());
    return among(word, kFunctions);
}

}  // namespace lanework::cudafe
