// Small files that would take much memory or time: refused by what they claim, or read without what they carry.
#include <sys/resource.h>
#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <lanework/memory_error.hpp>
// libjpeg's header needs <cstdio> before it.
#include <jpeglib.h>

#include "src/codecs/codecs.hpp"
#include "tests/codecs/pictures.hpp"

namespace lanework::test {
namespace {

using codec::Bytes;

constexpr std::int64_t kMiB = 1 << 20;

std::string error_of(const Bytes& bytes) {
    try {
        parse_image(bytes, "a");
        return "";
    } catch (const FileError& error) {
        return error.what();
    } catch (const MemoryError& error) {
        return error.what();
    }
}

/// The largest address space that this process has had, in bytes: memory counts that is taken and never touched.
std::int64_t peak_memory() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmPeak:")) return std::stoll(line.substr(7)) * 1024;
    return 0;
}
constexpr std::int64_t kLittle = 256 * kMiB;

Bytes big_endian(std::uint32_t value) {
    return {static_cast<std::uint8_t>(value >> 24), static_cast<std::uint8_t>(value >> 16),
            static_cast<std::uint8_t>(value >> 8), static_cast<std::uint8_t>(value)};
}
void append(Bytes& bytes, const Bytes& more) { bytes.insert(bytes.end(), more.begin(), more.end()); }

Bytes chunk(const std::string& name, const Bytes& data) {
    Bytes checked(name.begin(), name.end());
    append(checked, data);
    Bytes bytes = big_endian(static_cast<std::uint32_t>(data.size()));
    append(bytes, checked);
    append(bytes, big_endian(static_cast<std::uint32_t>(crc32(0, checked.data(), static_cast<uInt>(checked.size())))));
    return bytes;
}

constexpr std::size_t kPngHeader = 8 + 12 + 13;  // the signature and the whole first chunk

/// A gray PNG of this size whose pixels are those of a smaller one.
Bytes png_that_claims(std::uint32_t height, std::uint32_t width) {
    const Bytes small = codec::kPng.encode(random_image(8, 8, 1));
    Bytes header = big_endian(width);
    append(header, big_endian(height));
    append(header, {8, 0, 0, 0, 0});
    Bytes bytes(small.begin(), small.begin() + 8);
    append(bytes, chunk("IHDR", header));
    append(bytes, {small.begin() + kPngHeader, small.end()});
    return bytes;
}

/// A JPEG whose frame header, with this marker, states a size that it has not.
Bytes jpeg_that_claims(std::uint8_t frame, unsigned height, unsigned width) {
    Bytes bytes = codec::kJpeg.encode(random_image(8, 8, 3));
    constexpr std::uint8_t baseline[] = {0xFF, 0xC0};
    const auto at = std::search(bytes.begin(), bytes.end(), std::begin(baseline), std::end(baseline));
    at[1] = frame;
    at[5] = static_cast<std::uint8_t>(height >> 8), at[6] = static_cast<std::uint8_t>(height);
    at[7] = static_cast<std::uint8_t>(width >> 8), at[8] = static_cast<std::uint8_t>(width);
    return bytes;
}
constexpr std::uint8_t kHuffman = 0xC0, kArithmetic = 0xC9;

TEST(ImageBombs, ThatClaimMorePixelsThanTheirBytesCanHoldTakeNoMemory) {
    const std::int64_t before = peak_memory();
    EXPECT_EQ(error_of(jpeg_that_claims(kHuffman, 4000, 65500)), "a: a JPEG that is cut off; get the whole file");
    EXPECT_EQ(error_of(png_that_claims(16384, 16384)), "a: a PNG that is cut off; get the whole file");
    const std::string pnm = "P6 16384 16384 255\n1234";
    EXPECT_EQ(error_of({pnm.begin(), pnm.end()}), "a: a PNM that is cut off; get the whole file");
    EXPECT_LT(peak_memory() - before, kLittle);
}

/// A chunk of EXIF that states a gigabyte; libpng takes memory for it before it looks for its bytes.
TEST(ImageBombs, WithAChunkLongerThanTheFileTakeNoMemory) {
    const Bytes small = codec::kPng.encode(random_image(8, 8, 1));
    Bytes bytes(small.begin(), small.begin() + kPngHeader);
    append(bytes, {0x45, 0, 0x1A, 0x65, 'e', 'X', 'I', 'f', 'M', 'M', 0, '*'});
    append(bytes, {small.begin() + kPngHeader, small.end()});
    const std::int64_t before = peak_memory();
    EXPECT_EQ(error_of(bytes), "a: a PNG that is cut off; get the whole file");
    EXPECT_LT(peak_memory() - before, kLittle);
}

TEST(ImageBombs, OfMorePixelsThanTheLimitNameIt) {
    EXPECT_EQ(error_of(jpeg_that_claims(kHuffman, 65500, 65500)),
              "a: a picture of 65500×65500: more than 268435456 pixels, the most that is read; scale it down");
    EXPECT_EQ(error_of(png_that_claims(16384, 16385)),
              "a: a picture of 16384×16385: more than 268435456 pixels, the most that is read; scale it down");
}

TEST(ImageBombs, OfEvenContentAreReadWhereTheirBytesCanHoldThem) {
    const Image even{1000, 1000, 3, Bytes(3'000'000, 7)};
    for (const auto& encode : {codec::kPng.encode, codec::kWebp.encode, codec::kJpeg.encode}) {
        const Bytes bytes = encode(even);
        EXPECT_EQ(error_of(bytes), "") << bytes.size() << " bytes";
    }
}

TEST(ImageBombs, OfTextAndProfilesInPngAreNotUnpacked) {
    Bytes packed(1 << 20);
    uLongf size = packed.size();
    const Bytes letters(7 * kMiB, 'x');
    ASSERT_EQ(compress(packed.data(), &size, letters.data(), letters.size()), Z_OK);
    packed.resize(size);
    Bytes text = {'a', 0, 0};  // keyword, its end, the method of compression
    append(text, packed);
    const Image image = random_image(8, 8, 3);
    const Bytes small = codec::kPng.encode(image);
    Bytes bytes(small.begin(), small.begin() + kPngHeader);
    append(bytes, chunk("iCCP", text));
    for (int i = 0; i < 100; ++i) append(bytes, chunk("zTXt", text));
    append(bytes, {small.begin() + kPngHeader, small.end()});
    const std::int64_t before = peak_memory();
    EXPECT_EQ(parse_image(bytes, "a"), image);
    EXPECT_LT(peak_memory() - before, kLittle);
}

/// A gray progressive JPEG of so many scans, 64 … 127: the first of all 64 coefficients, and the last bits of some.
Bytes jpeg_of_scans(int scans) {
    std::vector<jpeg_scan_info> script = {{1, {0}, 0, 0, 0, 0}};
    const int refined = scans - 64;
    for (int k = 1; k < 64; ++k) script.push_back({1, {0}, k, k, 0, k <= refined ? 1 : 0});
    for (int k = 1; k <= refined; ++k) script.push_back({1, {0}, k, k, 1, 0});
    jpeg_compress_struct codec{};
    jpeg_error_mgr errors{};
    codec.err = jpeg_std_error(&errors);
    jpeg_create_compress(&codec);
    std::uint8_t* made = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&codec, &made, &size);
    codec.image_width = codec.image_height = 8;
    codec.input_components = 1;
    codec.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&codec);
    codec.scan_info = script.data();
    codec.num_scans = static_cast<int>(script.size());
    jpeg_start_compress(&codec, TRUE);
    Image image = random_image(8, 8, 1);
    for (std::size_t y = 0; y < 8; ++y) {
        JSAMPROW row = image.pixels.data() + 8 * y;
        jpeg_write_scanlines(&codec, &row, 1);
    }
    jpeg_finish_compress(&codec);
    jpeg_destroy_compress(&codec);
    const Bytes bytes(made, made + size);
    std::free(made);
    return bytes;
}

TEST(ImageBombs, OfManyScansOfAJpegAreRefused) {
    EXPECT_EQ(error_of(jpeg_of_scans(kMostScans)), "");
    EXPECT_EQ(error_of(jpeg_of_scans(kMostScans + 1)),
              "a: a JPEG of more than 100 scans, the most that are read; save it anew");
}

/// A WebP of 3 × 2 pixels in the extended container, which states a size of its own.
Bytes webp_with_canvas(std::uint8_t width, std::uint8_t height) {
    const Bytes simple = codec::kWebp.encode(random_image(2, 3, 3));
    Bytes bytes(simple.begin(), simple.begin() + 12);
    append(bytes, {'V', 'P', '8', 'X', 10, 0, 0, 0, 0, 0, 0, 0});
    append(bytes, {static_cast<std::uint8_t>(width - 1), 0, 0, static_cast<std::uint8_t>(height - 1), 0, 0});
    append(bytes, {simple.begin() + 12, simple.end()});
    bytes[4] = static_cast<std::uint8_t>(bytes.size() - 8);
    return bytes;
}

TEST(ImageBombs, OfWebpWhoseCanvasIsNotItsPictureAreRefused) {
    EXPECT_EQ(parse_image(webp_with_canvas(3, 2), "a"), random_image(2, 3, 3));
    for (const auto& [width, height] : {std::pair{200, 200}, {2, 2}, {3, 1}, {1, 1}})
        EXPECT_EQ(error_of(webp_with_canvas(static_cast<std::uint8_t>(width), static_cast<std::uint8_t>(height))),
                  "a: a damaged WebP");
}

#ifndef __SANITIZE_ADDRESS__  // whose shadow does not fit under the limit
TEST(ImageBombs, ThatDoNotFitInMemorySaySo) {
    const Bytes bytes = jpeg_that_claims(kArithmetic, 4000, 65500);
    const auto read_with_little_memory = [&bytes] {
        const rlimit limit = {512 * kMiB, 512 * kMiB};
        setrlimit(RLIMIT_AS, &limit);
        std::exit(error_of(bytes) == "a: a picture that does not fit in memory" ? 0 : 1);
    };
    EXPECT_EXIT(read_with_little_memory(), ::testing::ExitedWithCode(0), "");
}
#endif

}  // namespace
}  // namespace lanework::test
