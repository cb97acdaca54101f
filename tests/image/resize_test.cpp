// Resize: figures of OpenCV 4.6, regions and batches through the public function on every device, bad arguments.
#include <gtest/gtest.h>

#include <algorithm>
#include <lanework/image.hpp>
#include <lanework/registry.hpp>
#include <numeric>

#include "ops/resize/cpu/tile.hpp"
#include "ops/resize/operation.hpp"
#include "src/core/fill.hpp"

namespace lanework::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// On two threads of the host, or on a device's memory and back.
template <class T>
std::vector<T> resized(std::string_view device_id, const std::vector<T>& in, const ImageBatch<const T>& in_batch,
                       std::vector<T> out, const ImageBatch<T>& out_batch, Convention convention) {
    if (device_id == "cpu") {
        ImageBatch<const T> from = in_batch;
        ImageBatch<T> to = out_batch;
        from.base = in.data(), to.base = out.data();
        resize(from, to, convention, Team{2});
        return out;
    }
    const auto device = open_device(device_id);
    const auto memory_of = [&](const void* host, std::size_t bytes) {
        DeviceMemory memory = device->allocate(bytes);
        if (bytes > 0) device->upload(memory.data(), host, bytes);
        return memory;
    };
    const DeviceMemory from_memory = memory_of(in.data(), in.size() * sizeof(T));
    const DeviceMemory to_memory = memory_of(out.data(), out.size() * sizeof(T));
    const auto bytes_of_places = static_cast<std::size_t>(in_batch.count) * sizeof(ImagePlace);
    const DeviceMemory from_places = memory_of(in_batch.places, in_batch.places ? bytes_of_places : 0);
    const DeviceMemory to_places = memory_of(out_batch.places, out_batch.places ? bytes_of_places : 0);
    ImageBatch<const T> from = in_batch;
    ImageBatch<T> to = out_batch;
    from.base = reinterpret_cast<const T*>(from_memory.data()), to.base = reinterpret_cast<T*>(to_memory.data());
    if (from.places) from.places = reinterpret_cast<const ImagePlace*>(from_places.data());
    if (to.places) to.places = reinterpret_cast<const ImagePlace*>(to_places.data());
    resize(from, to, convention, Target(*device));
    device->synchronize();
    if (!out.empty()) device->download(out.data(), to_memory.data(), out.size() * sizeof(T));
    return out;
}

template <class T>
std::vector<T> resized(std::string_view device, const std::vector<T>& in, std::int64_t height, std::int64_t width,
                       int channels, std::int64_t out_height, std::int64_t out_width, Convention convention) {
    const std::vector<T> out(static_cast<std::size_t>(out_height * out_width * channels));
    return resized<T>(device, in, ImageView<const T>::tight(in.data(), height, width, channels), out,
                      ImageView<T>::tight(const_cast<T*>(out.data()), out_height, out_width, channels), convention);
}

std::vector<std::string_view> devices() {
    std::vector<std::string_view> result{"cpu"};
    if (availability(DeviceKind::simt).count > 0) result.push_back("simt");
    return result;
}

const Bytes kGray{10, 200, 30, 250, 0, 90};
const Bytes kColours{1, 2, 3, 40, 50, 60, 255, 0, 128, 9, 8, 7, 100, 110, 120, 7, 77, 177, 0, 255, 3, 66, 6, 60};

TEST(Resize, EqualsOpenCv) {
    for (const std::string_view device : devices()) {
        EXPECT_EQ(resized(device, kGray, 2, 3, 1, 3, 5, Convention::opencv),
                  (Bytes{10, 86, 200, 98, 30, 130, 118, 100, 76, 60, 250, 150, 0, 54, 90}))
            << device;
        EXPECT_EQ(resized(device, kColours, 2, 4, 3, 3, 3, Convention::opencv),
                  (Bytes{7,  10, 12, 147, 25, 94,  50,  7, 27,  46, 57, 71, 76, 96,
                         92, 52, 27, 39,  84, 104, 129, 3, 166, 90, 55, 47, 50}))
            << device;
    }
}

TEST(Resize, TakesTheMeanOfFourForAnExactHalfAsOpenCvDoes) {
    for (const std::string_view device : devices())
        EXPECT_EQ(resized(device, kColours, 2, 4, 3, 1, 2, Convention::opencv), (Bytes{37, 60, 90, 83, 67, 50}))
            << device;
}

TEST(Resize, MapsHalfPixelsInFloatAndTheFirstPixelToTheFirstInLegacy) {
    const std::vector<float> ramp{0, 1, 2, 3};
    for (const std::string_view device : devices()) {
        EXPECT_EQ(resized(device, ramp, 1, 4, 1, 1, 2, Convention::floating), (std::vector<float>{0.5F, 2.5F}));
        EXPECT_EQ(resized(device, ramp, 1, 4, 1, 1, 2, Convention::legacy), (std::vector<float>{0, 2}));
        EXPECT_EQ(resized(device, ramp, 1, 4, 1, 1, 8, Convention::floating),
                  (std::vector<float>{0, 0.25F, 0.75F, 1.25F, 1.75F, 2.25F, 2.75F, 3}));
        EXPECT_EQ(resized(device, ramp, 1, 4, 1, 1, 8, Convention::legacy),
                  (std::vector<float>{0, 0.5F, 1, 1.5F, 2, 2.5F, 3, 3}));
    }
}

TEST(Resize, RoundsTiesToEvenInFloat) {
    for (const std::string_view device : devices())
        EXPECT_EQ(resized(device, Bytes{0, 1, 2, 3, 4, 5}, 1, 6, 1, 1, 3, Convention::floating), (Bytes{0, 2, 4}))
            << device;
}

/// The input becomes a region of a larger image, `left` pixels from its side: what lies around it keeps its bytes.
void expect_region(std::string_view device, std::int64_t height, std::int64_t width, std::int64_t out_height,
                   std::int64_t out_width, std::int64_t left, Convention convention) {
    const std::int64_t canvas_width = out_width + 7, row = canvas_width * 3;
    Bytes in(static_cast<std::size_t>(height * width * 3));
    fill_uniform(in.data(), in.size(), 5);
    const Bytes alone = resized("cpu", in, height, width, 3, out_height, out_width, convention);
    const Bytes canvas(static_cast<std::size_t>((out_height + 5) * row), 0xA5);
    ImageBatch<std::uint8_t> place(region(
        ImageView<std::uint8_t>::tight(const_cast<std::uint8_t*>(canvas.data()), out_height + 5, canvas_width, 3), 3,
        left, out_height, out_width));
    place.only.offset = 3 * row + left * 3;  // the base becomes the canvas's own
    const Bytes found = resized<std::uint8_t>(
        device, in, ImageView<const std::uint8_t>::tight(in.data(), height, width, 3), canvas, place, convention);
    Bytes expected = canvas;
    for (std::int64_t y = 0; y < out_height; ++y)
        std::copy_n(alone.begin() + y * out_width * 3, out_width * 3, expected.begin() + (3 + y) * row + left * 3);
    EXPECT_EQ(found, expected) << device << ' ' << height << "x" << width << " " << name_of(convention);
}

TEST(Resize, WritesNothingAroundARegionOfALargerImage) {
    constexpr Convention kConventions[] = {Convention::opencv, Convention::floating, Convention::legacy};
    for (const std::string_view device : devices())
        for (const Convention convention : kConventions)
            for (const std::int64_t left : {1, 5}) {
                expect_region(device, 7, 11, 4, 6, left, convention);
                expect_region(device, 12, 48, 8, 32, left, convention);   // two thirds
                expect_region(device, 12, 48, 4, 16, left, convention);   // a third
                expect_region(device, 12, 48, 6, 24, left, convention);   // a half
                expect_region(device, 12, 48, 24, 96, left, convention);  // a double
                expect_region(device, 12, 48, 7, 31, left, convention);
                expect_region(device, 12, 48, 19, 70, left, convention);
            }
}

TEST(Resize, ComputesImagesOfDifferentSizesInOneCall) {
    const std::vector<ImagePlace> in_places{{0, 12, 2, 4}, {24, 3, 1, 1}}, out_places{{0, 6, 1, 2}, {6, 9, 2, 3}};
    Bytes in = kColours;
    in.insert(in.end(), {5, 6, 7});
    for (const std::string_view device : devices()) {
        const Bytes found = resized<std::uint8_t>(
            device, in, ImageBatch<const std::uint8_t>(nullptr, in_places.data(), 2, 3, 2, 4), Bytes(24),
            ImageBatch<std::uint8_t>(nullptr, out_places.data(), 2, 3, 2, 3), Convention::opencv);
        EXPECT_EQ(found, (Bytes{37, 60, 90, 83, 67, 50, 5, 6, 7, 5, 6, 7, 5, 6, 7, 5, 6, 7, 5, 6, 7, 5, 6, 7}))
            << device;
    }
}

template <class Call>
std::string complaint_of(const Call& call) {
    try {
        call();
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

// Output by output, the last would take ten seconds.
TEST(Resize, NeedsEachPixelThatAnOutputIsMadeOf) {
    const Operation& resize = find_operation("resize");
    const auto bytes_read = [&](std::string_view size) {
        return resize.work(parse_problem(resize, size, DType::uint8)).bytes_read;
    };
    EXPECT_EQ(bytes_read("7x10x7x10x3"), 7U * 30);
    EXPECT_EQ(bytes_read("7x10x8x31x3"), 7U * 30);
    EXPECT_EQ(bytes_read("4x64x2x32x1"), 4U * 64);
    EXPECT_EQ(bytes_read("1x100x1x2147483647x1"), 100U);
}

TEST(Resize, ABatchNeedsWhatItsImagesNeedTogether) {
    const Operation& resize = find_operation("resize");
    const auto work = [&](std::string_view size) { return resize.work(parse_problem(resize, size, DType::uint8)); };
    std::uint64_t read = 0, written = 0;
    for (const std::string_view one : {"9x4x5x6x3", "7x2x3x4x3", "5x1x1x2x3", "3x1x1x1x3", "1x1x1x1x3", "1x1x1x1x3"})
        read += work(one).bytes_read, written += work(one).bytes_written;
    EXPECT_EQ(work("9x4x5x6x3x6x2").bytes_read, read);
    EXPECT_EQ(work("9x4x5x6x3x6x2").bytes_written, written);
}

// Image by image and row by row, each would take minutes or hours.
TEST(Resize, TellsTheWorkOfManyImagesAndRowsAtOnce) {
    const Operation& resize = find_operation("resize");
    const auto work = [&](std::string_view size) { return resize.work(parse_problem(resize, size, DType::uint8)); };
    constexpr std::uint64_t kImages = 1'000'000'000'000;
    EXPECT_EQ(work("3x1x2x1x1x1000000000000x1").bytes_read, 3 + 2 + (kImages - 2));
    EXPECT_EQ(work("3x1x2x1x1x1000000000000x1").bytes_written, 2 + 1 + (kImages - 2));
    const Work many_rows = work("600001x1x600000x1x1x600000x1");
    EXPECT_GE(many_rows.bytes_read, 600'000U) << "of the first image";
    EXPECT_EQ(many_rows.bytes_written, 600'000ULL * 600'001 / 2);
}

TEST(Resize, AsksForTheRowsThatItReadsNext) {
    const auto rows_ahead = [](std::int64_t in, std::int64_t out, std::int64_t y, Convention convention) {
        ResizePair<std::uint8_t> pair{};
        pair.in.height = in, pair.in.pitch = 100, pair.out.height = out;
        pair.rows = AxisMap::of(in, out);
        return bytes_to_next_rows(pair, convention, y) / 100;
    };
    for (const Convention convention : {Convention::opencv, Convention::floating}) {
        EXPECT_EQ(rows_ahead(1000, 1500, 7, convention), 2);
        EXPECT_EQ(rows_ahead(1000, 700, 7, convention), 2);
        EXPECT_EQ(rows_ahead(1000, 250, 7, convention), 4) << "two rows on lies one that is never read";
        EXPECT_EQ(rows_ahead(1000, 100, 7, convention), 10);
        EXPECT_EQ(rows_ahead(1000, 250, 249, convention), 0);
        EXPECT_EQ(rows_ahead(1000, 1500, 1498, convention), 0);
    }
}

TEST(Resize, SaysWhichArgumentIsWrong) {
    Bytes in(12), out(12);
    const auto call = [&](std::int64_t height, std::int64_t width, int channels, std::int64_t pitch) {
        return complaint_of([&] {
            resize<std::uint8_t>(ImageView<const std::uint8_t>{in.data(), height, width, channels, pitch},
                                 ImageView<std::uint8_t>::tight(out.data(), 2, 2, 3), Convention::opencv, Team{1});
        });
    };
    EXPECT_EQ(call(2, 2, 3, 6), "");
    EXPECT_EQ(call(2, 2, 2, 6), "resize: in.channels is 2; 1, 3 and 4 are right");
    EXPECT_EQ(call(2, 2, 3, 5), "resize: in.pitch is 5 bytes, and a row has 6");
    EXPECT_EQ(call(2, 2, 1, 2), "resize: in has 1 channels and out 3; they must be equal");
    EXPECT_EQ(call(0, 2, 3, 6), "resize: in is 0×2 pixels and out 2×2; nothing can only become nothing");
    const ImagePlace ins[] = {{0, 6, 2, 2}, {0, 6, 0, 2}}, outs[] = {{0, 6, 1, 2}, {6, 6, 1, 2}};
    EXPECT_EQ(complaint_of([&] {
                  resize<std::uint8_t>({in.data(), ins, 2, 3, 2, 2}, {out.data(), outs, 2, 3, 1, 2}, Convention::opencv,
                                       Team{1});
              }),
              "resize: image 1 is 0×2 pixels and its output 1×2; nothing can only become nothing");
}

}  // namespace
}  // namespace lanework::test
