// Images that end where their memory ends: whoever loads whole registers must not load, nor store, what lies behind.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <lanework/image.hpp>
#include <lanework/registry.hpp>
#include <new>

#include "src/core/fill.hpp"

namespace lanework::test {
namespace {

/// Memory between two pages that nobody may touch: it ends where the last of them begins, or begins where the first
/// ends.
class PagesWithAnEnd {
public:
    explicit PagesWithAnEnd(std::size_t bytes, bool at_begin = false) : bytes_(bytes), at_begin_(at_begin) {
        pages_ = mmap(nullptr, mapped(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages_ == MAP_FAILED || mprotect(pages_, page(), PROT_NONE) != 0 || mprotect(end(), page(), PROT_NONE) != 0)
            throw std::bad_alloc();
    }
    PagesWithAnEnd(const PagesWithAnEnd&) = delete;
    PagesWithAnEnd& operator=(const PagesWithAnEnd&) = delete;
    ~PagesWithAnEnd() { munmap(pages_, mapped()); }

    std::uint8_t* data() const { return at_begin_ ? static_cast<std::uint8_t*>(pages_) + page() : end() - bytes_; }

private:
    static std::size_t page() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }
    std::size_t mapped() const { return (bytes_ + page() - 1) / page() * page() + 2 * page(); }
    std::uint8_t* end() const { return static_cast<std::uint8_t*>(pages_) + mapped() - page(); }

    std::size_t bytes_;
    bool at_begin_;
    void* pages_;
};

struct Shape {
    std::int64_t height, width;
};

/// Calls function(in, out) with an image of random samples and another one, each of which ends with its memory.
template <class T, class Function>
void at_the_end(Shape in, Shape out, int channels, int out_channels, const Function& function) {
    const auto samples = static_cast<std::size_t>(in.height * in.width * channels);
    const auto out_samples = static_cast<std::size_t>(out.height * out.width * out_channels);
    const PagesWithAnEnd from(samples * sizeof(T)), to(out_samples * sizeof(T));
    fill_uniform(reinterpret_cast<T*>(from.data()), samples, static_cast<std::uint64_t>(in.width));
    function(ImageView<const T>::tight(reinterpret_cast<T*>(from.data()), in.height, in.width, channels),
             ImageView<T>::tight(reinterpret_cast<T*>(to.data()), out.height, out.width, out_channels));
}

/// Calls check(width, channels) for widths from 1 to some of the widest register.
template <class Check>
void for_widths(const Check& check) {
    for (const int channels : {1, 3, 4})
        for (std::int64_t width = 1; width <= 75; ++width) check(width, channels);
}

template <class T>
void resize_at_the_end() {
    for_widths([](std::int64_t width, int channels) {
        const auto resized = [&](Shape in, Shape out) {
            at_the_end<T>(in, out, channels, channels,
                          [](const auto& from, const auto& to) { resize<T>(from, to, Convention::opencv, Team{1}); });
        };
        resized({4, 2 * width}, {2, width});
        resized({3, width}, {2, std::max<std::int64_t>(width * 2 / 3, 1)});
        resized({4, width}, {1, std::max<std::int64_t>(width / 4, 1)});
        resized({2, width}, {5, 3 * width});
    });
}
TEST(ResizeAtTheEndOfMemory, TouchesNothingBehind) { resize_at_the_end<std::uint8_t>(); }
TEST(ResizeAtTheEndOfMemory, TouchesNothingBehindFloats) { resize_at_the_end<float>(); }

template <class T>
void warp_at_the_end() {
    constexpr std::int64_t kHeight = 3;
    for_widths([](std::int64_t width, int channels) {
        const Shape shape{kHeight, width};
        const Affine turned{{{{-1, 0, static_cast<double>(width - 1)}, {0, -1, kHeight - 1}}}};
        at_the_end<T>(shape, shape, channels, channels, [&](const auto& from, const auto& to) {
            warp<T>(from, to, {.affine = turned}, Team{1});
            const std::int64_t last = kHeight * width - 1;
            for (std::int64_t i = 0; i < (last + 1) * channels; ++i) {
                const std::int64_t pixel = i / channels, channel = i % channels;
                ASSERT_EQ(to.pixels[i], from.pixels[(last - pixel) * channels + channel]) << width << ", " << channels;
            }
        });
        const Affine by_half_a_pixel{{{{1, 0, -0.5}, {0, 1, -0.5}}}};  // which makes every neighbour count
        at_the_end<T>(shape, shape, channels, channels, [&](const auto& from, const auto& to) {
            warp<T>(from, to, {.affine = by_half_a_pixel}, Team{1});
        });
    });
}
TEST(WarpAtTheEndOfMemory, TouchesNothingBehind) { warp_at_the_end<std::uint8_t>(); }
TEST(WarpAtTheEndOfMemory, TouchesNothingBehindFloats) { warp_at_the_end<float>(); }

TEST(FiltersAtTheEndOfMemory, TouchNothingBehind) {
    for_widths([](std::int64_t width, int channels) {
        const Shape shape{3, width};
        const auto blurred = [](const auto& from, const auto& to) { blur<std::uint8_t>(from, to, Team{1}); };
        at_the_end<std::uint8_t>(shape, shape, channels, channels, blurred);
        if (channels == 1)
            at_the_end<std::uint8_t>(shape, shape, 1, 1, [](const auto& from, const auto& to) {
                sobel<std::uint8_t>(from, to, SobelForm{}, Team{1});
            });
        else
            at_the_end<std::uint8_t>(shape, shape, channels, 1, [](const auto& from, const auto& to) {
                gray<std::uint8_t>(from, to, {}, Team{1});
            });
    });
}

/// An image whose memory begins and ends with its samples, with `pitch` bytes from row to row.
template <class T>
class CutOut {
public:
    CutOut(Shape shape, int channels, std::int64_t pitch, bool at_begin)
        : pages_(static_cast<std::size_t>((shape.height - 1) * pitch + row_bytes(shape, channels)), at_begin),
          view_{reinterpret_cast<T*>(pages_.data()), shape.height, shape.width, channels, pitch} {
        for (std::int64_t y = 0; y < shape.height; ++y)
            fill_uniform(pages_.data() + y * pitch, static_cast<std::size_t>(row_bytes(shape, channels)),
                         static_cast<std::uint64_t>(y));
    }
    const ImageView<T>& view() const { return view_; }

    static std::int64_t row_bytes(Shape shape, int channels) {
        return shape.width * channels * static_cast<std::int64_t>(sizeof(T));
    }

private:
    PagesWithAnEnd pages_;
    ImageView<T> view_;
};

/// A GPU's kernels on threads of the processor, at both ends of memory: rows that begin anywhere, and at the same place
/// of a vector each.
template <class T>
void filter_cut_outs_by_kernels() {
    using Derivative = std::conditional_t<std::is_same_v<T, float>, float, std::int16_t>;
    constexpr auto kPerSample = static_cast<std::int64_t>(sizeof(Derivative) / sizeof(T));
    const auto device = open_device("simt");
    const Target target(*device);
    for_widths([&](std::int64_t width, int channels) {
        const Shape shape{3, width};
        const std::int64_t tight = CutOut<T>::row_bytes(shape, channels), vectors = (tight + 15) / 16 * 16;
        for (const std::int64_t pitch : {tight, vectors})
            for (const bool at_begin : {false, true}) {
                const CutOut<T> from(shape, channels, pitch, at_begin), to(shape, channels, pitch, at_begin);
                const CutOut<Derivative> derivative(shape, channels, pitch * kPerSample, at_begin);
                blur<T>(from.view(), to.view(), target);
                sobel<T>(from.view(), to.view(), SobelForm::half_sum, target);
                sobel_derivative(from.view(), derivative.view(), SobelAxis::x, target);
                if (channels > 1) gray<T>(from.view(), CutOut<T>(shape, 1, pitch, at_begin).view(), {}, target);
                device->synchronize();
            }
    });
}
TEST(KernelsAtTheEndsOfMemory, TouchNothingAround) { filter_cut_outs_by_kernels<std::uint8_t>(); }
TEST(KernelsAtTheEndsOfMemory, TouchNothingAroundFloats) { filter_cut_outs_by_kernels<float>(); }

}  // namespace
}  // namespace lanework::test
