// The affine transform: figures of OpenCV 4.6, positions by hand, views of every kind and refusals, on cpu and simt.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cmath>
#include <cstring>
#include <lanework/image.hpp>
#include <limits>
#include <vector>

namespace lanework::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// An array with a view into it: `pitch` in samples, the first sample `begin` after the array's begin.
template <class T>
struct Picture {
    std::vector<T> samples;
    std::int64_t height, width;
    int channels;
    std::int64_t pitch, begin;

    Picture(std::vector<T> samples, std::int64_t height, std::int64_t width, int channels, std::int64_t pitch = 0,
            std::int64_t begin = 0)
        : samples(std::move(samples)),
          height(height),
          width(width),
          channels(channels),
          pitch(pitch == 0 ? width * channels : pitch),
          begin(begin) {}
    ImageView<T> view(void* array) {
        return {static_cast<T*>(array) + begin, height, width, channels, pitch * static_cast<std::int64_t>(sizeof(T))};
    }
    std::size_t bytes() const { return samples.size() * sizeof(T); }
};

template <class T>
void warp_on_simt(Picture<T>& in, Picture<T>& out, const WarpOptions& options) {
    const auto device = open_device("simt");
    DeviceMemory from = device->allocate(in.bytes()), to = device->allocate(out.bytes());
    device->upload(from.data(), in.samples.data(), in.bytes());
    device->upload(to.data(), out.samples.data(), out.bytes());
    warp<T>(in.view(from.data()), out.view(to.data()), options, *device);
    device->synchronize();
    device->download(out.samples.data(), to.data(), out.bytes());
}

/// The output's array after the call, equal on cpu and simt.
template <class T>
std::vector<T> warped(Picture<T> in, Picture<T> out, const WarpOptions& options) {
    Picture<T> on_simt = out;
    warp<T>(in.view(in.samples.data()), out.view(out.samples.data()), options, Team{2});
    warp_on_simt(in, on_simt, options);
    EXPECT_EQ(out.samples, on_simt.samples);
    return out.samples;
}

template <class T>
Picture<T> blank(std::int64_t height, std::int64_t width, int channels) {
    return {std::vector<T>(static_cast<std::size_t>(height * width * channels), T{99}), height, width, channels};
}

const Bytes kGray{0, 141, 26, 128, 13, 211, 57, 198, 83, 185, 127, 12, 114, 255, 140, 43, 184, 69, 171, 56};
const Bytes kColours{0,   36,  72,  108, 144, 180, 216, 252, 32,  68,  104, 63,  99, 135,
                     171, 207, 243, 23,  59,  95,  131, 167, 126, 162, 198, 234, 14};
const Affine kSheared{{{{1.1, 0.4, -0.7}, {-0.35, 0.9, 1.3}}}};

TEST(Warp, EqualsOpenCv) {
    EXPECT_EQ(
        warped<std::uint8_t>({kGray, 4, 5, 1}, blank<std::uint8_t>(5, 6, 1), {.affine = kSheared, .border = {77}}),
        (Bytes{77,  70,  84, 81,  52, 77, 92,  96,  114, 94, 167, 107, 152, 60, 142,
               197, 187, 96, 136, 61, 94, 115, 144, 69,  65, 97,  122, 75,  77, 77}));
    // cv::getRotationMatrix2D((1, 1), 30, 1.25)
    const Affine rotated{{{{0x1.1520cd1372febp+0, 0x1.3ffffffffffffp-1, -0x1.6a419a26e5fd5p-1},
                           {-0x1.3ffffffffffffp-1, 0x1.1520cd1372febp+0, 0x1.15be65d91a029p-1}}}};
    EXPECT_EQ(warped<std::uint8_t>({kColours, 3, 3, 3}, blank<std::uint8_t>(3, 3, 3),
                                   {.affine = rotated, .border = {10, 20, 30}}),
              (Bytes{71,  105, 138, 149, 185, 117, 191, 224, 26,  60,  96,  100, 99, 135,
                     171, 179, 206, 66,  60,  94,  77,  112, 116, 142, 160, 144, 112}));
}

TEST(Warp, EqualsOpenCvInFloats) {
    std::vector<float> eighths;
    for (const std::uint8_t value : kGray) eighths.push_back(static_cast<float>(value) / 8);
    EXPECT_EQ(warped<float>({eighths, 4, 5, 1}, blank<float>(3, 3, 1), {.affine = kSheared, .border = {-1.5F}}),
              (std::vector<float>{-1.5F, 0.361328125F, 5.654296875F, 10.749755859375F, 12.01171875F, 14.2568359375F,
                                  18.967041015625F, 7.4468994140625F, 17.7623291015625F}));
}

TEST(Warp, OfNothingButAShiftIsTheShiftedPicture) {
    for (const Convention convention : {Convention::opencv, Convention::floating})
        EXPECT_EQ(warped<std::uint8_t>({{1, 2, 3, 4, 5, 6}, 2, 3, 1}, blank<std::uint8_t>(3, 3, 1),
                                       {.affine = {{{{1, 0, 1}, {0, 1, 1}}}}, .convention = convention, .border = {9}}),
                  (Bytes{9, 9, 9, 9, 1, 2, 9, 4, 5}));
}

// Half a pixel lies between two: their mean is rounded up by OpenCV's integers and to the even one in floats. The
// border is a neighbour like any other.
TEST(Warp, HalfAPixelIsTheMeanOfTwo) {
    const Affine half{{{{1, 0, 0.5}, {0, 1, 0}}}};
    EXPECT_EQ(warped<std::uint8_t>({{10, 13, 18, 101}, 1, 4, 1}, blank<std::uint8_t>(1, 5, 1),
                                   {.affine = half, .border = {3}}),
              (Bytes{7, 12, 16, 60, 52}));
    EXPECT_EQ(warped<std::uint8_t>({{10, 13, 18, 101}, 1, 4, 1}, blank<std::uint8_t>(1, 5, 1),
                                   {.affine = half, .convention = Convention::floating, .border = {3}}),
              (Bytes{6, 12, 16, 60, 52}));
}

// Positions from −1 on touch the image, and those from its width on do not: an image of one pixel is seen from four.
TEST(Warp, APositionBelongsToThePixelThatItBeginsIn) {
    for (const Convention convention : {Convention::opencv, Convention::floating})
        EXPECT_EQ(warped<float>({{5}, 1, 1, 1}, blank<float>(1, 9, 1),
                                {.affine = {{{{4, 0, 4}, {0, 1, 0}}}}, .convention = convention, .border = {1}}),
                  (std::vector<float>{1, 2, 3, 4, 5, 4, 3, 2, 1}));
}

TEST(Warp, ReadsAndWritesRegionsOfAnyPitchAndNothingBetweenThem) {
    Picture<std::uint8_t> in(Bytes(3 * 17 + 2, 250), 3, 4, 3, 17, 1);
    for (int y = 0; y < 3; ++y)
        for (int i = 0; i < 12; ++i)
            in.samples[static_cast<std::size_t>(1 + 17 * y + i)] = static_cast<std::uint8_t>(20 * y + i);
    Picture<std::uint8_t> out(Bytes(3 * 23 + 3, 99), 3, 4, 3, 23, 3);
    const Bytes found = warped(in, out, {});
    for (std::int64_t at = 0; at < static_cast<std::int64_t>(found.size()); ++at) {
        const std::int64_t row = (at - 3) / 23, column = (at - 3) % 23;
        const bool inside = at >= 3 && row < 3 && column < 12;
        EXPECT_EQ(found[static_cast<std::size_t>(at)], inside ? 20 * row + column : 99) << at;
    }
}

TEST(Warp, OfAnImageWithoutPixelsIsBorder) {
    EXPECT_EQ(warped<std::uint8_t>({{}, 0, 7, 3}, blank<std::uint8_t>(1, 2, 3), {.border = {1, 2, 3}}),
              (Bytes{1, 2, 3, 1, 2, 3}));
    EXPECT_EQ(warped<std::uint8_t>({kGray, 4, 5, 1}, {{}, 3, 0, 1}, {}), Bytes{});
}

// 2⁻¹⁰ of such positions do not fit 32 bits.
TEST(Warp, OfARowOfMillionsOfPixelsIsRightToItsEnd) {
    constexpr std::int64_t kWidth = 2'500'000;
    Picture<std::uint8_t> in = blank<std::uint8_t>(1, kWidth, 1);
    for (std::size_t i = 0; i < in.samples.size(); ++i) in.samples[i] = static_cast<std::uint8_t>(i * i / 7);
    for (const Convention convention : {Convention::opencv, Convention::floating}) {
        Picture<std::uint8_t> out = blank<std::uint8_t>(1, kWidth, 1);
        warp<std::uint8_t>(in.view(in.samples.data()), out.view(out.samples.data()), {.convention = convention},
                           Team{1});
        EXPECT_TRUE(in.samples == out.samples) << name_of(convention);
    }
}

// A few rows of a picture that is larger than 4 GiB; memory that nobody touches costs nothing.
TEST(Warp, ReachesRowsBeyondFourGibibytes) {
    constexpr std::int64_t kPitch = std::int64_t{3} << 30;
    constexpr auto kBytes = static_cast<std::size_t>(2 * kPitch + 16);
    void* const memory =
        mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) GTEST_SKIP() << "this machine lends no 6 GiB of address space";
    auto* const first = static_cast<std::uint8_t*>(memory);
    const ImageView<std::uint8_t> tall{first, 3, 4, 1, kPitch};
    for (std::int64_t y = 0; y < 3; ++y)
        for (int x = 0; x < 4; ++x) first[y * kPitch + x] = static_cast<std::uint8_t>(10 * y + x);
    Bytes out(12);
    warp<std::uint8_t>(tall, ImageView<std::uint8_t>::tight(out.data(), 3, 4, 1), {}, Team{1});
    EXPECT_EQ(out, (Bytes{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}));
    const ImageView<const std::uint8_t> small = ImageView<const std::uint8_t>::tight(kGray.data(), 3, 4, 1);
    warp<std::uint8_t>(small, tall, {}, Team{1});
    EXPECT_EQ(first[2 * kPitch + 3], kGray[11]);
    munmap(memory, kBytes);
}

TEST(Inverse, IsOpenCvs) {
    const Affine found = inverse(kSheared);
    const Affine right{{{{0x1.97c9a0d97c9a0p-1, -0x1.6a7a5616a7a56p-2, 0x1.0487ede0487edp+0},
                         {0x1.3d2b0b53d2b0bp-2, 0x1.f268365f26836p-1, -0x1.0c75ce28c75cep+0}}}};
    for (std::size_t row = 0; row < 2; ++row)
        for (std::size_t column = 0; column < 3; ++column)
            EXPECT_DOUBLE_EQ(found.m[row][column], right.m[row][column]) << row << column;
}

template <class Call>
std::string refusal_of(const Call& call) {
    try {
        call();
    } catch (const UsageError& error) {
        return error.what();
    }
    return "nothing was refused";
}

TEST(Inverse, OfASingularTransformIsRefusedWithItsDeterminant) {
    EXPECT_EQ(refusal_of([] {
                  inverse({{{{1, 2, 3}, {2, 4, 5}}}});
              }),
              "the affine transform [1 2 3; 2 4 5] has the determinant 0 and no inverse in double");
    EXPECT_EQ(refusal_of([] {
                  inverse({{{{1e-160, 0, 0}, {0, 1e-160, 0}}}});
              }),
              "the affine transform [1e-160 0 0; 0 1e-160 0] has the determinant 1e-320 and no inverse in double");
}

TEST(Inverse, OfWhatIsNotFiniteIsRefused) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(refusal_of([&] {
                  inverse({{{{1, 0, infinity}, {0, 1, 0}}}});
              }),
              "the affine transform [1 0 inf; 0 1 0] is not finite");
}

std::string refusal_of_warp(const WarpOptions& options, int out_channels = 1) {
    Bytes out(80);
    const auto to = ImageView<std::uint8_t>::tight(out.data(), 4, 5, out_channels);
    return refusal_of(
        [&] { warp<std::uint8_t>(ImageView<const std::uint8_t>::tight(kGray.data(), 4, 5, 1), to, options, Team{1}); });
}

TEST(Warp, RefusesWhatItCannotCompute) {
    EXPECT_EQ(refusal_of_warp({.affine = {{{{0, 0, 3}, {0, 0, 5}}}}}),
              "the affine transform [0 0 3; 0 0 5] has the determinant 0 and no inverse in double");
    EXPECT_EQ(refusal_of_warp({.convention = Convention::legacy}),
              "warp: the convention legacy is of resizing; opencv and float are right");
    EXPECT_EQ(refusal_of_warp({.border = {0.5F}}),
              "warp: options.border[0] is 0.5; of 8-bit images it is a whole number from 0 to 255");
    EXPECT_EQ(refusal_of_warp({.border = {256}}),
              "warp: options.border[0] is 256; of 8-bit images it is a whole number from 0 to 255");
    EXPECT_EQ(refusal_of_warp({}, 3), "warp: in has 1 channels and out 3; they must be equal");
    EXPECT_EQ(refusal_of_warp({}, 2), "warp: out.channels is 2; 1, 3 and 4 are right");
    float sample = 0;
    EXPECT_EQ(refusal_of([&] {
                  warp<float>(ImageView<const float>::tight(&sample, 1, 1, 1),
                              ImageView<float>::tight(&sample, 1, 1, 1), {.border = {std::nanf("")}}, Team{1});
              }),
              "warp: options.border[0] is nan; it must be finite");
}

}  // namespace
}  // namespace lanework::test
