// Fitting images: where they come to lie, the way back, and that what lies inside is what resize makes of them.
#include <gtest/gtest.h>

#include <cmath>
#include <lanework/image.hpp>
#include <lanework/registry.hpp>
#include <limits>
#include <vector>

#include "src/core/fill.hpp"

namespace lanework {
namespace {

using Bytes = std::vector<std::uint8_t>;
const Team kTeam{2};

Bytes noise(std::size_t count, std::uint64_t seed) {
    Bytes bytes(count);
    fill_uniform(bytes.data(), count, seed);
    return bytes;
}

template <class Call>
std::string complaint(Call call) {
    try {
        call();
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

TEST(Fit, KeepsTheAspectRatioAndRoundsHalfUp) {
    EXPECT_EQ(fit_image(1080, 1920, 640, 640, Fit::centred, true), (FittedImage{140, 0, 360, 640}));
    EXPECT_EQ(fit_image(1080, 1920, 640, 640, Fit::top_left, true), (FittedImage{0, 0, 360, 640}));
    EXPECT_EQ(fit_image(1080, 1920, 640, 640, Fit::stretch, true), (FittedImage{0, 0, 640, 640}));
    EXPECT_EQ(fit_image(1920, 1080, 640, 640, Fit::centred, true), (FittedImage{0, 140, 640, 360}));
    EXPECT_EQ(fit_image(5, 10, 7, 5, Fit::centred, true), (FittedImage{2, 0, 3, 5})) << "2.5 rows become 3";
    EXPECT_EQ(fit_image(4, 4, 4, 9, Fit::centred, true), (FittedImage{0, 2, 4, 4})) << "the odd pixel is on the right";
}

TEST(Fit, LeavesAtLeastOnePixel) {
    EXPECT_EQ(fit_image(1, 4000, 64, 64, Fit::centred, true), (FittedImage{31, 0, 1, 64}));
    EXPECT_EQ(fit_image(4000, 1, 64, 64, Fit::top_left, true), (FittedImage{0, 0, 64, 1}));
    EXPECT_EQ(fit_image(0, 7, 64, 64, Fit::centred, true), FittedImage{});
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    EXPECT_EQ(fit_image(kMost, kMost, kMost, kMost, Fit::centred, true), (FittedImage{0, 0, kMost, kMost}));
}

TEST(Fit, EnlargesOnlyWhereItMay) {
    EXPECT_EQ(fit_image(30, 40, 64, 64, Fit::centred, false), (FittedImage{17, 12, 30, 40}));
    EXPECT_EQ(fit_image(30, 40, 64, 64, Fit::centred, true), (FittedImage{8, 0, 48, 64}));
    EXPECT_EQ(fit_image(30, 128, 64, 64, Fit::top_left, false), (FittedImage{0, 0, 15, 64}));
}

TEST(Fit, LeadsBackToTheSource) {
    const Affine back = to_source(fit_image(1080, 1920, 640, 640, Fit::centred, true), 1080, 1920);
    EXPECT_EQ(back, (Affine{{{{3, 0, 0}, {0, 3, -420}}}}));
}

// The rounded places of corners in pixels of the source are what went in, whatever the sizes.
TEST(Fit, MapsBoxesThereAndBackExactly) {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        const auto draw = [&](std::uint64_t index, std::uint64_t most) {
            return static_cast<std::int64_t>(1 + random_bits(seed, index) % most);
        };
        const std::int64_t height = draw(0, 5000), width = draw(1, 5000);
        const FittedImage place =
            fit_image(height, width, draw(2, 1300), draw(3, 1300), static_cast<Fit>(random_bits(seed, 4) % 3), true);
        const Affine back = to_source(place, height, width);
        const std::int64_t x = draw(5, 5000) % width, y = draw(6, 5000) % height;
        const double there_x = static_cast<double>(x) * static_cast<double>(place.width) / static_cast<double>(width) +
                               static_cast<double>(place.left);
        const double there_y =
            static_cast<double>(y) * static_cast<double>(place.height) / static_cast<double>(height) +
            static_cast<double>(place.top);
        EXPECT_NEAR(back.m[0][0] * there_x + back.m[0][1] * there_y + back.m[0][2], static_cast<double>(x), 1e-7);
        EXPECT_NEAR(back.m[1][0] * there_x + back.m[1][1] * there_y + back.m[1][2], static_cast<double>(y), 1e-7);
    }
}

TEST(Letterbox, IsResizeInsideAndPaddingOutside) {
    const Bytes source = noise(61 * 83 * 3, 3);
    const auto in = ImageView<const std::uint8_t>::tight(source.data(), 61, 83, 3);
    for (const Convention convention : {Convention::opencv, Convention::floating, Convention::legacy}) {
        Bytes out(70 * 50 * 3), resized(37 * 50 * 3);
        Affine back;
        const auto view = ImageView<std::uint8_t>::tight(out.data(), 70, 50, 3);
        letterbox<std::uint8_t>(in, view, {.convention = convention, .pad = {1, 2, 3, 4}}, &back, kTeam);
        const FittedImage place = fit_image(61, 83, 70, 50, Fit::centred, true);
        ASSERT_EQ(place, (FittedImage{16, 0, 37, 50}));
        resize<std::uint8_t>(in, ImageView<std::uint8_t>::tight(resized.data(), 37, 50, 3), convention, kTeam);
        for (std::int64_t i = 0; i < 70 * 50 * 3; ++i) {
            const std::int64_t y = i / 150 - place.top;
            const int right = y < 0 || y >= place.height ? static_cast<int>(1 + i % 3)
                                                         : resized[static_cast<std::size_t>(y * 150 + i % 150)];
            ASSERT_EQ(out[static_cast<std::size_t>(i)], right) << name_of(convention) << " sample " << i;
        }
        EXPECT_EQ(back, to_source(place, 61, 83));
    }
}

TEST(Letterbox, FitsImagesOfDifferentSizesInOneLaunchOfEachDevice) {
    const Bytes source = noise(4096, 9);
    const std::vector<ImagePlace> from{{5, 41, 9, 13}, {901, 60, 20, 20}, {2200, 33, 30, 11}};
    const std::vector<ImagePlace> to{{0, 50, 16, 16}, {1000, 48, 16, 16}, {2000, 64, 16, 16}};
    std::vector<Bytes> outs;
    for (const std::string_view name : {"cpu", "simt"}) {
        if (name == "simt" && availability(DeviceKind::simt).count == 0) continue;
        const auto device = open_device(name);
        const auto upload = [&](const auto& values) {
            const std::size_t bytes = values.size() * sizeof(values[0]);
            DeviceMemory memory = device->allocate(bytes);
            device->upload(memory.data(), values.data(), bytes);
            return memory;
        };
        Bytes out(3100, 77);
        std::vector<Affine> back(3);
        const auto in = upload(source), in_places = upload(from), out_places = upload(to);
        auto pixels = upload(out), transforms = upload(back);
        const ImageBatch<const std::uint8_t> images(reinterpret_cast<const std::uint8_t*>(in.data()),
                                                    reinterpret_cast<const ImagePlace*>(in_places.data()), 3, 3, 30,
                                                    20);
        const ImageBatch<std::uint8_t> results(reinterpret_cast<std::uint8_t*>(pixels.data()),
                                               reinterpret_cast<const ImagePlace*>(out_places.data()), 3, 3, 16, 16);
        const Target target = name == "cpu" ? Target(kTeam) : Target(*device);
        letterbox(images, results, {}, reinterpret_cast<Affine*>(transforms.data()), target);
        device->synchronize();
        device->download(out.data(), pixels.data(), out.size());
        device->download(back.data(), transforms.data(), back.size() * sizeof(Affine));
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_EQ(back[k], to_source(fit_image(from[k].height, from[k].width, 16, 16, Fit::centred, true),
                                         from[k].height, from[k].width));
        EXPECT_EQ(out[48], 77) << "what lies between rows is left alone";
        EXPECT_EQ(out[2000], 114) << "30 × 11 pixels leave columns on the left";
        EXPECT_NE(out[1000], 114) << "20 × 20 pixels fill all";
        outs.push_back(out);
    }
    for (const Bytes& out : outs) EXPECT_EQ(out, outs.front());
}

TEST(Letterbox, ABatchNeedsWhatItsImagesNeedTogether) {
    for (const std::string_view name : {"letterbox", "tensor"}) {
        const Operation& operation = find_operation(name);
        const auto work = [&](std::string_view size) {
            return operation.work(parse_problem(operation, size, operation.types.front().dtype));
        };
        std::uint64_t read = 0, written = 0;
        for (const std::string_view one :
             {"9x4x5x6x3", "7x2x5x6x3", "5x1x5x6x3", "3x1x5x6x3", "1x1x5x6x3", "1x1x5x6x3"})
            read += work(one).bytes_read, written += work(one).bytes_written;
        EXPECT_EQ(work("9x4x5x6x3x6x2").bytes_read, read) << name;
        EXPECT_EQ(work("9x4x5x6x3x6x2").bytes_written, written) << name;
    }
}

// Image by image and row by row, each would take minutes or hours.
TEST(Letterbox, TellsTheWorkOfManyImagesAndRowsAtOnce) {
    for (const std::string_view name : {"letterbox", "tensor"}) {
        const Operation& operation = find_operation(name);
        const DType dtype = operation.types.front().dtype;
        const auto work = [&](std::string_view size) { return operation.work(parse_problem(operation, size, dtype)); };
        EXPECT_EQ(work("2x1x2x1x1x100000000000").bytes_read, 200'000'000'000U) << name;
        EXPECT_EQ(work("2x1x2x1x1x100000000000").bytes_written, 200'000'000'000U * size_of(dtype)) << name;
        const Work many_rows = work("600000x1x600000x1x1x600000x1");
        EXPECT_GE(many_rows.bytes_read, 600'000U) << name << ": of the first image";
        EXPECT_EQ(many_rows.bytes_written, 360'000'000'000U * size_of(dtype)) << name;
    }
}

TEST(Letterbox, SaysWhatIsWrong) {
    Bytes bytes(300);
    const auto in = ImageView<const std::uint8_t>::tight(bytes.data(), 5, 5, 3);
    const auto out = ImageView<std::uint8_t>::tight(bytes.data() + 100, 5, 5, 3);
    const auto gray = ImageView<std::uint8_t>::tight(bytes.data() + 100, 5, 5, 1);
    const auto said = [&](const ImageView<std::uint8_t>& to, const LetterboxOptions& options) {
        return complaint([&] { letterbox<std::uint8_t>(in, to, options, nullptr, kTeam); });
    };
    EXPECT_EQ(said(gray, {}), "letterbox: in has 3 channels and out 1; they must be equal");
    EXPECT_EQ(said(out, {.pad = {0, 256, 0, 0}}),
              "letterbox: pad[1] is 256; of 8-bit images it is a whole number from 0 to 255");
    EXPECT_EQ(said(out, {.fit = Fit::stretch, .scale_up = false}),
              "letterbox: scale_up is false, and stretch fills the output: use centred or top_left");
    EXPECT_EQ(complaint([] { fit_image(-1, 2, 3, 4, Fit::centred, true); }),
              "fit_image: -1×2 pixels into 3×4; a side is from 0 to 2³¹ − 1");
}

// Whoever has not cleared the memory would read what was there before.
TEST(Letterbox, OfNothingSaysThatNowhereIsItsSource) {
    constexpr Affine kNowhere{.m = {}}, kPoison{.m = {{{7, 7, 7}, {7, 7, 7}}}};
    const Bytes pixels = noise(15 * 13, 1);
    const ImageView<const std::uint8_t> in{pixels.data(), 15, 13, 1, 13};
    Affine way = kPoison;
    letterbox<std::uint8_t>(in, ImageView<std::uint8_t>{nullptr, 0, 19, 1, 19}, {.fit = Fit::top_left}, &way, kTeam);
    EXPECT_EQ(way, kNowhere);
    way = kPoison;
    tensor<std::uint8_t, float>(in, {nullptr, 1, 1, 19, 0}, {}, &way, kTeam);
    EXPECT_EQ(way, kNowhere);
}

}  // namespace
}  // namespace lanework
