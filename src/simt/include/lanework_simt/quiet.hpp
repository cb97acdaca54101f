// Reads and writes that the instrumentation of kernels does not see: the device's own bookkeeping is no access of the
// kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

// Instrumented code is watched, and has a fiber for each thread. It says so itself.
#if defined(__SANITIZE_THREAD__)
#define LANEWORK_SIMT_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LANEWORK_SIMT_WATCHED 1
#endif
#endif

#if defined(LANEWORK_SIMT_WATCHED) && defined(__clang__) && __clang_major__ < 16
// clang before 16 copies whole structs by functions of the C library, where nobody sees it. Newer ones call these.
asm("memcpy = __tsan_memcpy");
asm("memmove = __tsan_memmove");
asm("memset = __tsan_memset");
#endif

#if defined(LANEWORK_SIMT_WATCHED)
// Who watches a kernel knows that it prints: a launch that does is run each time.
asm("printf = __tsan_printf");
asm("__printf_chk = __tsan___printf_chk");
asm("vprintf = __tsan_vprintf");
asm("__vprintf_chk = __tsan___vprintf_chk");
asm("puts = __tsan_puts");
asm("putchar = __tsan_putchar");
#endif

// Of functions whose accesses are the device's own, such as those of what lanes exchange through.
#ifdef __clang__
#define LANEWORK_SIMT_UNSEEN __attribute__((noinline, no_sanitize("thread", "coverage")))
#else
#define LANEWORK_SIMT_UNSEEN __attribute__((noinline, no_sanitize("thread"), no_sanitize_coverage))
#endif

namespace lanework_simt {

#if !defined(LANEWORK_SIMT_WATCHED)

/// The value of a scalar: nobody sees how it is read.
template <class T>
[[gnu::always_inline]] inline T quiet_load(const T& source) {
    return source;
}
template <class T>
[[gnu::always_inline]] inline void quiet_store(T& target, T value) {
    target = value;
}

#elif defined(__x86_64__)

/// The value of a scalar of 1, 4 or 8 bytes.
template <class T>
[[gnu::always_inline]] inline T quiet_load(const T& source) {
    static_assert(sizeof(T) == 1 || sizeof(T) == 4 || sizeof(T) == 8);
    T value;
    if constexpr (sizeof(T) == 1) {
        asm("movb %1, %0" : "=q"(value) : "m"(source));
    } else if constexpr (sizeof(T) == 4) {
        asm("movl %1, %0" : "=r"(value) : "m"(source));
    } else {
        asm("movq %1, %0" : "=r"(value) : "m"(source));
    }
    return value;
}
/// Gives a scalar of 8 bytes its value.
template <class T>
[[gnu::always_inline]] inline void quiet_store(T& target, T value) {
    static_assert(sizeof(T) == 8);
    asm("movq %1, %0" : "=m"(target) : "r"(value));
}

#else

template <class T>
__attribute__((no_sanitize("thread"))) inline T quiet_load(const T& source) {
    return source;
}
template <class T>
__attribute__((no_sanitize("thread"))) inline void quiet_store(T& target, T value) {
    target = value;
}

#endif

template <class Word, class T, std::size_t... I>
[[gnu::always_inline]] inline T quiet_words(const T& source, std::index_sequence<I...>) {
    struct Words {
        Word word[sizeof...(I)];
    };
    const auto& from = reinterpret_cast<const Words&>(source);
    return __builtin_bit_cast(T, Words{{quiet_load(from.word[I])...}});
}

/// A copy of a kernel's argument. Types that are no plain words are copied by their own copy constructor.
template <class T>
[[gnu::always_inline]] inline T quiet_copy(const T& source) {
#if !defined(LANEWORK_SIMT_WATCHED)
    return source;
#else
    if constexpr (!std::is_trivially_copyable_v<T>) {
        return source;
#if defined(__x86_64__)
    } else if constexpr (sizeof(T) > 256) {
        struct Bytes {
            alignas(T) unsigned char bytes[sizeof(T)];
        } copy;
        void* to = &copy;
        const void* from = &source;
        std::size_t count = sizeof(T);
        asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
        return __builtin_bit_cast(T, copy);
#endif
    } else if constexpr (sizeof(T) % 4 != 0) {
        return quiet_words<std::uint8_t>(source, std::make_index_sequence<sizeof(T)>{});
    } else if constexpr (sizeof(T) % 8 == 0) {
        return quiet_words<std::uint64_t>(source, std::make_index_sequence<sizeof(T) / 8>{});
    } else {
        return quiet_words<std::uint32_t>(source, std::make_index_sequence<sizeof(T) / 4>{});
    }
#endif
}

}  // namespace lanework_simt
