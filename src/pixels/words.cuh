// Rows of samples as words: loads and stores of N neighbouring words at any address. Where an address allows it they
// are 16-byte accesses, elsewhere aligned words, shifted; no byte outside the row is ever touched.
#pragma once

#include <lanework/image_view.hpp>

#include "src/pixels/rows.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kWordBytes = 4, kVectorBytes = 16;

template <int count>
struct Words {
    std::uint32_t word[count];
};

/// The bytes of a row, and nothing else, may be read.
struct RowBytes {
    const std::uint8_t *begin, *end;
};
template <class T>
__device__ inline RowBytes bytes_of_row(const ImageView<const T>& image, std::int64_t y) {
    const auto* begin = reinterpret_cast<const std::uint8_t*>(row_of(image, y));
    return {begin, begin + image.width * image.channels * static_cast<std::int64_t>(sizeof(T))};
}

template <class T>
__device__ inline bool is_aligned(const T* address, int bytes) {
    return reinterpret_cast<std::uintptr_t>(address) % static_cast<unsigned>(bytes) == 0;
}

/// The aligned word at an address; bytes outside the row come out as 0.
__device__ inline std::uint32_t word_within(const RowBytes& row, const std::uint8_t* at) {
    if (at >= row.begin && row.end - at >= kWordBytes) return *reinterpret_cast<const std::uint32_t*>(at);
    std::uint32_t word = 0;
    for (int i = 0; i < kWordBytes; ++i)
        if (at + i >= row.begin && at + i < row.end) word |= std::uint32_t{at[i]} << (8 * i);
    return word;
}

/// Words from any address on; bytes outside the row come out as 0.
template <int count>
__device__ inline Words<count> load_words(const RowBytes& row, const std::uint8_t* from) {
    const auto ahead = static_cast<int>(reinterpret_cast<std::uintptr_t>(from) % kWordBytes);
    const std::uint8_t* first = from - ahead;
    std::uint32_t aligned[count + 1];
    if (first >= row.begin && row.end - first >= (count + 1) * kWordBytes) {
        for (int i = 0; i < count; ++i) aligned[i] = reinterpret_cast<const std::uint32_t*>(first)[i];
        aligned[count] = ahead != 0 ? reinterpret_cast<const std::uint32_t*>(first)[count] : 0;
    } else {
        for (int i = 0; i <= count; ++i) aligned[i] = word_within(row, first + kWordBytes * i);
    }
    Words<count> words;
    for (int i = 0; i < count; ++i)
        words.word[i] = __funnelshift_r(aligned[i], aligned[i + 1], static_cast<unsigned>(8 * ahead));
    return words;
}

/// Words into registers from an address that is a multiple of all their bytes, or of 16: one load for each four.
template <int count>
__device__ inline void copy_words(std::uint32_t* to, const void* from) {
    static_assert(count == 1 || count == 2 || count % 4 == 0);
    if constexpr (count == 1) {
        to[0] = *static_cast<const std::uint32_t*>(from);
    } else if constexpr (count == 2) {
        const uint2 pair = *static_cast<const uint2*>(from);
        to[0] = pair.x;
        to[1] = pair.y;
    } else {
        for (int i = 0; i < count / 4; ++i) {
            const uint4 vector = static_cast<const uint4*>(from)[i];
            to[4 * i] = vector.x;
            to[4 * i + 1] = vector.y;
            to[4 * i + 2] = vector.z;
            to[4 * i + 3] = vector.w;
        }
    }
}

/// The same where a condition holds; elsewhere zeros.
template <int count>
__device__ inline void copy_words_if(bool condition, std::uint32_t* to, const void* from) {
    for (int i = 0; i < count; ++i) to[i] = 0;
    if (condition) copy_words<count>(to, from);
}

/// `count` words from byte `ahead` < 16 on of the vectors that hold them, the words of which are lost. Where samples
/// are words, so is `ahead`.
template <bool by_words, int count, int vector_words>
__device__ inline void shift_into_place(std::uint32_t (&to)[count], std::uint32_t (&word)[vector_words],
                                        unsigned ahead) {
    for (int i = 0; i + 2 < vector_words; ++i) word[i] = (ahead & 8) != 0 ? word[i + 2] : word[i];
    for (int i = 0; i + 3 < vector_words; ++i) word[i] = (ahead & 4) != 0 ? word[i + 1] : word[i];
    for (int i = 0; i < count; ++i) to[i] = by_words ? word[i] : __funnelshift_r(word[i], word[i + 1], 8 * (ahead & 3));
}

/// Words from registers to an address that is a multiple of all their bytes, or of 16: one store for each four.
template <int count>
__device__ inline void copy_words(void* to, const Words<count>& words) {
    static_assert(count == 1 || count == 2 || count % 4 == 0);
    const std::uint32_t* const word = words.word;
    if constexpr (count == 1)
        *static_cast<std::uint32_t*>(to) = word[0];
    else if constexpr (count == 2)
        *static_cast<uint2*>(to) = make_uint2(word[0], word[1]);
    else
        for (int i = 0; i < count; i += 4)
            static_cast<uint4*>(to)[i / 4] = make_uint4(word[i], word[i + 1], word[i + 2], word[i + 3]);
}

/// Words with 16-byte loads, from an address that is a multiple of 16; where the row ends before, as load_words.
template <int count>
__device__ inline Words<count> load_vectors(const RowBytes& row, const std::uint8_t* from) {
    static_assert(count % 4 == 0);
    if (row.end - from < count * kWordBytes) return load_words<count>(row, from);
    Words<count> words;
    copy_words<count>(words.word, from);
    return words;
}

/// Stores words to any address at which a T may lie; `left` bytes of the row are left from there on.
template <class T, int count>
__device__ inline void store_words(T* to, const Words<count>& words, std::int64_t left) {
    auto* bytes = reinterpret_cast<std::uint8_t*>(to);
    if (is_aligned(bytes, kWordBytes)) {
        for (int i = 0; i < count; ++i)
            if (left >= kWordBytes * (i + 1)) reinterpret_cast<std::uint32_t*>(bytes)[i] = words.word[i];
        if constexpr (sizeof(T) == kWordBytes) return;
    }
    const bool by_words = is_aligned(bytes, kWordBytes);
    constexpr int kPerWord = kWordBytes / static_cast<int>(sizeof(T));
    for (int i = 0; i < count * kPerWord; ++i) {
        if (by_words && left >= kWordBytes * (i / kPerWord + 1)) continue;
        if (left >= static_cast<std::int64_t>(sizeof(T)) * (i + 1))
            to[i] = static_cast<T>(words.word[i / kPerWord] >> (8 * static_cast<int>(sizeof(T)) * (i % kPerWord)));
    }
}

/// The same with 16-byte stores, to an address that is a multiple of 16.
template <class T, int count>
__device__ inline void store_vectors(T* to, const Words<count>& words, std::int64_t left) {
    static_assert(count % 4 == 0);
    if (left < count * kWordBytes) return store_words(to, words, left);
    copy_words(to, words);
}

/// Whether every row of an image begins at a multiple of 16 bytes.
template <class T>
bool has_vector_rows(const ImageView<T>& image) {
    return reinterpret_cast<std::uintptr_t>(image.pixels) % kVectorBytes == 0 &&
           (image.height <= 1 || image.pitch % kVectorBytes == 0);
}

/// Whether every row begins and ends at a word: no word that holds a sample of a row holds anything else.
inline bool has_word_rows(const ImageView<const std::uint8_t>& image) {
    return (reinterpret_cast<std::uintptr_t>(image.pixels) | static_cast<std::uintptr_t>(image.pitch) |
            static_cast<std::uintptr_t>(image.width * image.channels)) %
               kWordBytes ==
           0;
}

/// A grid of blocks over parts × rows: at most as many blocks downwards as CUDA allows, so that kernels step on by the
/// grid's height.
inline dim3 grid_over(std::int64_t parts, std::int64_t rows, const dim3& block) {
    constexpr std::int64_t kMostBlocksDown = 65535;
    const std::int64_t down = ceil_div(rows, std::int64_t{block.y});
    return dim3(static_cast<unsigned>(ceil_div(parts, std::int64_t{block.x})),
                static_cast<unsigned>(down < kMostBlocksDown ? down : kMostBlocksDown));
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
