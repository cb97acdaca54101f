// Weights are of sm_80 and newer: a 64-bit operation is two instructions of 32 bits; divisions are short subroutines
// there.
#include "src/trace/record/host_code.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "src/trace/record/host_instruction.hpp"

namespace lanework {
namespace {

#if defined(__x86_64__)
constexpr bool kReadable = true;
#else
constexpr bool kReadable = false;
#endif

// What a GPU executes for them.
constexpr double kWideDivision = 40, kDivision = 18, kFloatDivision = 9, kDoubleDivision = 20, kFunction = 20;

bool moves(const HostInstruction& in) {
    const unsigned op = in.op;
    if (in.map == 0)
        return (op >= 0x50 && op < 0x60) || op == 0x68 || op == 0x6a || (op >= 0x86 && op < 0x8d) || op == 0x8f ||
               op == 0x90 || op == 0x98 || op == 0x99 || (op >= 0xb0 && op < 0xc0) || op == 0xc3 || op == 0xc6 ||
               op == 0xc7 || op == 0xc9 || op == 0xcc || op == 0xe9 || op == 0xeb;
    if (in.map == 1)
        return (op >= 0x0b && op < 0x20) || op == 0x28 || op == 0x29 || op == 0x2b || op == 0x57 || op == 0xef ||
               op == 0x6e || op == 0x6f || op == 0x7e || op == 0x7f || op == 0xb6 || op == 0xb7 || op == 0xd6 ||
               op == 0xe7;
    return false;
}

double of_sse(const HostInstruction& in) {
    const bool of_double = in.prefix == 0xf2 || in.prefix == 0x66;
    if (in.op == 0x51 || in.op == 0x5e) return of_double ? kDoubleDivision : kFloatDivision;
    return 1;
}

double weight(const HostInstruction& in) {
    if (moves(in)) return 0;
    const double simple = in.wide ? 2 : 1;
    if (in.map == 1 && in.op >= 0x10 && in.op < 0x80 && !(in.op >= 0x40 && in.op < 0x50)) return of_sse(in);
    if (in.map != 0) return in.map == 1 && in.op == 0xaf && in.wide ? 3 : 1;
    if (in.op == 0x8d) return in.stack ? 0 : simple;
    if (in.op == 0xf6 || in.op == 0xf7) return in.reg < 6 ? simple : in.wide ? kWideDivision : kDivision;
    if (in.op == 0x69 || in.op == 0x6b) return in.wide ? 3 : 1;
    return in.op == 0x63 || (in.op >= 0x70 && in.op < 0x80) ? 1 : simple;
}

/// Of integers, of any width.
bool multiplies(const HostInstruction& in) {
    if (in.map == 1) return in.op == 0xaf;
    return in.map == 0 &&
           (in.op == 0x69 || in.op == 0x6b || ((in.op == 0xf6 || in.op == 0xf7) && (in.reg == 4 || in.reg == 5)));
}

/// Reads or writes there, rather than computing the address.
bool indexes_the_stack(const HostInstruction& in) {
    return in.has_operand && in.mode != 3 && in.stack && in.indexed && !(in.map == 0 && in.op == 0x8d);
}

}  // namespace

CodeOnGpu code_on_gpu(std::span<const std::uint8_t> code, const std::function<bool(std::size_t)>& emulates,
                      const std::function<double(std::int64_t)>& called) {
    CodeOnGpu sum;
    if (!kReadable) return sum;
    constexpr unsigned kCall = 0xe8;
    for (std::size_t at = 0; at < code.size();) {
        const HostInstruction in = decode_host_instruction(code.subspan(at));
        if (in.length == 0) break;
        const std::size_t next = at + in.length;
        if (in.map == 0 && in.op == kCall) {
            sum.instructions += called(static_cast<std::int64_t>(next) + in.constant);
        } else if (!emulates(at)) {
            sum.instructions += weight(in);
            sum.multiplications += multiplies(in) ? weight(in) : 0;
            sum.indexed_on_stack += indexes_the_stack(in) ? 1 : 0;
        }
        at = next;
    }
    return sum;
}

double gpu_instructions_of_function(std::uint64_t code) {
    // Functions that a GPU has an instruction for.
    static const std::vector<const void*> single = [] {
        std::vector<const void*> found;
        for (const char* name : {"fma", "fmin", "fmax", "floor", "ceil", "trunc", "rint", "nearbyint", "round", "lrint",
                                 "lround", "fabs", "copysign"})
            for (const char* type : {"", "f"}) found.push_back(dlsym(RTLD_DEFAULT, (std::string(name) + type).c_str()));
        return found;
    }();
    const auto* const address = reinterpret_cast<const void*>(code);
    Dl_info where{};
    if (dladdr(address, &where) == 0 || !where.dli_fname) return 0;
    if (std::string_view(where.dli_fname).find("/libm.so") == std::string_view::npos) return 0;
    return std::ranges::find(single, address) != single.end() ? 1 : kFunction;
}

}  // namespace lanework
