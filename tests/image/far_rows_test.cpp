// Images whose rows lie gibibytes apart: every operation reaches them, on cpu and simt. Memory that nobody touches
// costs nothing.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <lanework/device.hpp>
#include <lanework/image.hpp>
#include <vector>

#include "src/core/fill.hpp"
#include "src/pixels/rows.hpp"

namespace lanework::test {
namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30;
constexpr std::int64_t kWidth = 75;  // more than a vector, and a rest

struct Shape {
    std::int64_t height, width;
    int channels;
    std::int64_t row() const { return width * channels; }
    std::size_t samples() const { return static_cast<std::size_t>(height * row()); }
};

/// Address space of its own.
class Space {
public:
    explicit Space(std::int64_t bytes) : bytes_(static_cast<std::size_t>(bytes)) {
        memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    Space(const Space&) = delete;
    Space& operator=(const Space&) = delete;
    ~Space() {
        if (*this) munmap(memory_, bytes_);
    }
    explicit operator bool() const { return memory_ != MAP_FAILED; }
    void* data() const { return memory_; }

private:
    std::size_t bytes_;
    void* memory_;
};

/// An image with `pitch` bytes from row to row.
template <class T>
class Spread {
public:
    Spread(const Shape& shape, std::int64_t pitch)
        : space_((shape.height - 1) * pitch + shape.row() * static_cast<std::int64_t>(sizeof(T))),
          view_{static_cast<T*>(space_.data()), shape.height, shape.width, shape.channels, pitch} {}

    explicit operator bool() const { return static_cast<bool>(space_); }
    const ImageView<T>& view() const { return view_; }
    void put(const std::vector<T>& samples) const {
        const auto row = static_cast<std::size_t>(view_.width * view_.channels);
        for (std::int64_t y = 0; y < view_.height; ++y)
            std::copy_n(&samples[static_cast<std::size_t>(y) * row], row, row_of(view_, y));
    }
    std::vector<T> taken() const {
        std::vector<T> samples;
        for (std::int64_t y = 0; y < view_.height; ++y)
            samples.insert(samples.end(), row_of(view_, y), row_of(view_, y) + view_.width * view_.channels);
        return samples;
    }

private:
    Space space_;
    ImageView<T> view_;
};

template <class T>
std::vector<T> random_samples(const Shape& shape) {
    std::vector<T> samples(shape.samples());
    fill_uniform(samples.data(), samples.size(), 7);
    return samples;
}

template <class T>
ImageView<const T> tight(const std::vector<T>& samples, const Shape& shape) {
    return ImageView<const T>::tight(samples.data(), shape.height, shape.width, shape.channels);
}
template <class T>
ImageView<T> tight(std::vector<T>& samples, const Shape& shape) {
    return ImageView<T>::tight(samples.data(), shape.height, shape.width, shape.channels);
}

/// Calls check(target) for the devices that take memory of this process.
template <class Check>
void on_host_devices(const Check& check) {
    check(Target(Team{2}));
    if (availability(DeviceKind::simt).count == 0) return;
    const auto simt = open_device("simt");
    check(Target(*simt));
    simt->synchronize();
}

/// function(in, out, target) makes the same of images whose rows lie far apart as of others, on boundaries of vectors
/// and beside them.
template <class T, class Out = T, class Function>
void reaches_far_rows(const Shape& in, const Shape& out, const Function& function) {
    const std::vector<T> samples = random_samples<T>(in);
    std::vector<Out> expected(out.samples());
    function(tight(samples, in), tight(expected, out), Target(Team{1}));
    for (const std::int64_t pitch : {3 * kGiB, 3 * kGiB + static_cast<std::int64_t>(sizeof(T) * sizeof(Out))}) {
        const Spread<T> from(in, pitch);
        const Spread<Out> to(out, pitch);
        if (!from || !to) GTEST_SKIP() << "this machine lends no address space of " << in.height * 3 << " GiB";
        from.put(samples);
        on_host_devices([&](Target target) {
            to.put(std::vector<Out>(out.samples(), Out{99}));
            function(ImageView<const T>(from.view()), to.view(), target);
            if (target.device()) target.device()->synchronize();
            EXPECT_TRUE(to.taken() == expected) << name_of(target.kind()) << ", pitch " << pitch;
        });
    }
}

template <class T>
void filters_reach_far_rows() {
    for (const int channels : {1, 3}) {
        const Shape shape{4, kWidth, channels};
        reaches_far_rows<T>(shape, shape, [](const auto& in, const auto& out, auto to) { blur<T>(in, out, to); });
        reaches_far_rows<T>(shape, shape,
                            [](const auto& in, const auto& out, auto to) { sobel<T>(in, out, SobelForm{}, to); });
    }
    reaches_far_rows<T>({3, kWidth, 3}, {3, kWidth, 1},
                        [](const auto& in, const auto& out, auto to) { gray<T>(in, out, {}, to); });
    reaches_far_rows<T>({3, kWidth, 3}, {4, kWidth / 2, 3}, [](const auto& in, const auto& out, auto to) {
        warp<T>(in, out, {.affine = {{{{0.5, 0.1, 0}, {0.1, 1.2, 0}}}}}, to);
    });
}
TEST(RowsBeyondFourGibibytes, AreReachedByFilters) { filters_reach_far_rows<std::uint8_t>(); }
TEST(RowsBeyondFourGibibytes, AreReachedByFiltersOfFloats) { filters_reach_far_rows<float>(); }

TEST(RowsBeyondFourGibibytes, AreReachedByDerivatives) {
    const Shape shape{4, kWidth, 1};
    for (const SobelAxis axis : {SobelAxis::x, SobelAxis::y})
        reaches_far_rows<std::uint8_t, std::int16_t>(
            shape, shape, [&](const auto& in, const auto& out, auto to) { sobel_derivative(in, out, axis, to); });
}

template <class T>
void resizing_reaches_far_rows() {
    const Shape in{4, 2 * kWidth, 3};
    for (const Convention convention : {Convention::opencv, Convention::floating})
        for (const Shape& out :
             {Shape{2, kWidth, 3}, Shape{3, kWidth, 3}, Shape{1, kWidth / 2, 3}, Shape{7, 3 * kWidth, 3}})
            reaches_far_rows<T>(in, out, [&](const auto& from, const auto& to, auto target) {
                resize<T>(from, to, convention, target);
            });
    reaches_far_rows<T>(in, {9, kWidth, 3}, [](const auto& from, const auto& to, auto target) {
        letterbox<T>(from, to, {}, nullptr, target);
    });
}
TEST(RowsBeyondFourGibibytes, AreReachedByResizing) { resizing_reaches_far_rows<std::uint8_t>(); }
TEST(RowsBeyondFourGibibytes, AreReachedByResizingOfFloats) { resizing_reaches_far_rows<float>(); }

TEST(RowsBeyondFourGibibytes, AreReachedByTensors) {
    const Shape in{5, 2 * kWidth, 3}, out{6, kWidth, 3};
    const auto samples = random_samples<std::uint8_t>(in);
    const auto made = [&](const ImageView<const std::uint8_t>& from, Target target) {
        std::vector<float> values(out.samples(), -1);
        tensor<std::uint8_t, float>(from, {values.data(), 1, 3, out.height, out.width}, {}, nullptr, target);
        if (target.device()) target.device()->synchronize();
        return values;
    };
    const std::vector<float> expected = made(tight(samples, in), Team{1});
    const Spread<std::uint8_t> from(in, 3 * kGiB);
    if (!from) GTEST_SKIP() << "this machine lends no address space of 15 GiB";
    from.put(samples);
    on_host_devices(
        [&](Target target) { EXPECT_TRUE(made(from.view(), target) == expected) << name_of(target.kind()); });
}

// Whose offsets do not fit 32 bits either.
TEST(ImagesBeyondFourGibibytes, AreReachedInBatches) {
    const Shape in{2, kWidth, 3}, out{3, 2 * kWidth, 3};
    const auto samples = random_samples<std::uint8_t>(in);
    std::vector<std::uint8_t> expected(out.samples());
    resize<std::uint8_t>(tight(samples, in), tight(expected, out), Convention::opencv, Team{1});
    const Shape two_in{2 * in.height, in.width, in.channels}, two_out{2 * out.height, out.width, out.channels};
    const Spread<std::uint8_t> from(two_in, 3 * kGiB), to(two_out, 3 * kGiB);
    if (!from || !to) GTEST_SKIP() << "this machine lends no address space of 18 GiB";
    const auto places = [](const Shape& shape) {
        const auto h = static_cast<std::int32_t>(shape.height), w = static_cast<std::int32_t>(shape.width);
        return std::vector<ImagePlace>{{0, 3 * kGiB, h, w}, {shape.height * 3 * kGiB, 3 * kGiB, h, w}};
    };
    const std::vector<ImagePlace> sources = places(in), results = places(out);
    std::vector<std::uint8_t> twice = samples, both = expected;
    twice.insert(twice.end(), samples.begin(), samples.end());
    both.insert(both.end(), expected.begin(), expected.end());
    from.put(twice);
    on_host_devices([&](Target target) {
        to.put(std::vector<std::uint8_t>(two_out.samples(), 99));
        resize<std::uint8_t>({from.view().pixels, sources.data(), 2, 3, in.height, in.width},
                             {to.view().pixels, results.data(), 2, 3, out.height, out.width}, Convention::opencv,
                             target);
        if (target.device()) target.device()->synchronize();
        EXPECT_TRUE(to.taken() == both) << name_of(target.kind());
    });
}

}  // namespace
}  // namespace lanework::test
