// The part of Highway's compiled library that dynamic dispatch links to. Debian ships that library as a shared object
// only; with these few functions Highway is header-only, and a portable binary stays one file.
#include <hwy/highway.h>
#include <hwy/targets.h>

#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#if HWY_ARCH_X86
#include <cpuid.h>
#endif

namespace {

std::atomic<std::int64_t> disabled_targets{0};
std::atomic<std::int64_t> targets_for_test{0};

#if HWY_ARCH_X86

struct Registers {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// The processor's own description of itself; zeros for a leaf that it does not have.
Registers cpuid(unsigned leaf) {
    Registers r;
    __get_cpuid_count(leaf, 0, &r.eax, &r.ebx, &r.ecx, &r.edx);
    return r;
}

constexpr bool bit(unsigned word, int position) { return (word >> position & 1U) != 0; }

// Features whose names clang 14's __builtin_cpu_supports does not know. None of them has register state of its own:
// where avx (or avx512f) is usable, so are they.
bool has_lzcnt() { return bit(cpuid(0x80000001U).ecx, 5); }
bool has_f16c() { return bit(cpuid(1).ecx, 29); }
bool has_vaes() { return bit(cpuid(7).ecx, 9); }

bool has_ssse3() { return __builtin_cpu_supports("ssse3"); }
bool has_sse4() {
    return has_ssse3() && __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("sse4.2") &&
           __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("aes");
}
// The builtins for avx and avx512* hold only when the operating system saves their registers too (XCR0).
bool has_avx2() {
    return has_sse4() && __builtin_cpu_supports("avx") && __builtin_cpu_supports("avx2") &&
           __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           has_lzcnt() && has_f16c();
}
bool has_avx3() {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd");
}
// The additions of Ice Lake.
bool has_avx3_dl() {
    return has_avx3() && __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("vpclmulqdq") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") && has_vaes() &&
           __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512bitalg") &&
           __builtin_cpu_supports("gfni") && __builtin_cpu_supports("avx512ifma");
}
#ifdef HWY_AVX3_ZEN4
bool has_avx3_zen4() { return has_avx3_dl() && __builtin_cpu_supports("avx512bf16") && __builtin_cpu_is("amd"); }
#endif
#ifdef HWY_AVX3_SPR
bool has_avx512_fp16() { return bit(cpuid(7).edx, 23); }
bool has_avx3_spr() { return has_avx3_dl() && __builtin_cpu_supports("avx512bf16") && has_avx512_fp16(); }
#endif

#endif  // HWY_ARCH_X86

/// Every target of this architecture whose instructions the processor and the operating system support.
std::int64_t detect_targets() {
    std::int64_t targets = HWY_STATIC_TARGET | HWY_EMU128 | HWY_SCALAR;
#if HWY_ARCH_X86
    __builtin_cpu_init();
#ifdef HWY_SSE2
    targets |= HWY_SSE2;  // part of x86-64
#endif
    if (has_ssse3()) targets |= HWY_SSSE3;
    if (has_sse4()) targets |= HWY_SSE4;
    if (has_avx2()) targets |= HWY_AVX2;
    if (has_avx3()) targets |= HWY_AVX3;
    if (has_avx3_dl()) targets |= HWY_AVX3_DL;
#ifdef HWY_AVX3_ZEN4
    if (has_avx3_zen4()) targets |= HWY_AVX3_ZEN4;
#endif
#ifdef HWY_AVX3_SPR
    if (has_avx3_spr()) targets |= HWY_AVX3_SPR;
#endif
#endif
    return targets;
}

}  // namespace

namespace hwy {

int64_t SupportedTargets() {
    static const std::int64_t detected = detect_targets();
    const std::int64_t mock = targets_for_test.load();
    const std::int64_t targets = (mock ? mock : detected) & ~disabled_targets.load();
    return targets ? targets : HWY_STATIC_TARGET;
}

void DisableTargets(int64_t disabled) {
    disabled_targets.store(disabled);
    GetChosenTarget().DeInit();
}

void SetSupportedTargetsForTest(int64_t targets) {
    targets_for_test.store(targets);
    GetChosenTarget().DeInit();
}

ChosenTarget& GetChosenTarget() {
    static ChosenTarget chosen;
    return chosen;
}

// Highway's own assertions end here; they name a mistake in how it was called, never bad input.
void Abort(const char* file, int line, const char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    std::fprintf(stderr, "%s:%d: ", file, line);
    std::vfprintf(stderr, format, arguments);
    std::fputc('\n', stderr);
    va_end(arguments);
    std::abort();
}

}  // namespace hwy
