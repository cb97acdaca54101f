// What resizing is, which shapes it is verified and timed on, and what it must cost at least.
#include "ops/resize/operation.hpp"

#include <algorithm>
#include <lanework/operation.hpp>

#include "ops/resize/pixel.hpp"
#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"
#include "src/pixels/problem_checks.hpp"

namespace {

constexpr std::int64_t kUsual[] = {3, 1, 0, 0};
constexpr std::string_view kVariants[] = {"opencv", "float", "legacy"};

/// A problem's extents, with the axes that are usually left out.
constexpr Extents sizes(std::int64_t height, std::int64_t width, std::int64_t out_height, std::int64_t out_width,
                        std::int64_t channels = 3, std::int64_t images = 1, std::int64_t shrink = 0,
                        std::int64_t margin = 0) {
    return extents(height, width, out_height, out_width, channels, images, shrink, margin);
}

constexpr Extents kVerified[] = {sizes(0, 0, 0, 0),
                                 sizes(4, 0, 4, 4),
                                 sizes(5, 7, 0, 3),
                                 sizes(1, 1, 1, 1),
                                 sizes(1, 1, 9, 70),
                                 sizes(64, 70, 1, 1),
                                 sizes(1, 33, 40, 3, 4),
                                 sizes(37, 1, 5, 66, 1),
                                 sizes(2, 2, 1, 1),
                                 sizes(66, 90, 33, 45),
                                 sizes(64, 258, 32, 129, 1),
                                 sizes(18, 74, 9, 37, 4),
                                 sizes(30, 48, 15, 24),
                                 sizes(6, 16, 3, 8, 1),
                                 sizes(64, 272, 32, 136, 1),
                                 sizes(18, 84, 9, 42, 4),
                                 sizes(34, 32, 17, 16, 3, 1, 0, 16),
                                 sizes(45, 33, 90, 66),
                                 sizes(31, 47, 31, 47),
                                 sizes(100, 64, 33, 41, 3),
                                 sizes(23, 150, 61, 149, 1),
                                 sizes(57, 35, 40, 129, 4),
                                 sizes(30, 43, 17, 30, 3, 1, 0, 1),
                                 sizes(34, 42, 17, 21, 3, 1, 0, 3),
                                 sizes(19, 21, 38, 40, 1, 1, 0, 2),
                                 sizes(20, 20, 9, 50, 4, 3, 0, 5),
                                 sizes(48, 40, 24, 20, 3, 5, 3),
                                 sizes(40, 31, 77, 90, 4, 4, 9),
                                 sizes(8, 8, 300, 5, 1, 3, 5),
                                 sizes(5, 700, 3, 331, 3, 0),
                                 sizes(270, 481, 180, 320),
                                 sizes(30, 48, 61, 97),
                                 sizes(20, 80, 40, 272),
                                 sizes(70, 64, 45, 41),
                                 sizes(9, 128, 150, 129, 4),
                                 sizes(33, 160, 17, 144, 1),
                                 sizes(37, 64, 90, 50, 1),
                                 sizes(40, 24, 31, 45, 4),
                                 sizes(20, 32, 33, 50, 3, 1, 0, 16),
                                 sizes(3500, 16, 7003, 20, 1),
                                 sizes(8200, 16, 9000, 20, 1),
                                 sizes(9000, 16, 4100, 12, 1),
                                 sizes(11100, 16, 3700, 16, 1),
                                 sizes(99, 96, 33, 32),
                                 sizes(48, 64, 24, 40),
                                 sizes(120, 32, 17, 200),
                                 sizes(40, 512, 30, 70),
                                 sizes(1, 4, 2, 8),
                                 sizes(30, 132, 60, 264),
                                 sizes(19, 528, 38, 1056, 1),
                                 sizes(20, 132, 40, 264, 4),
                                 sizes(13, 20, 26, 40, 3, 1, 0, 4),
                                 sizes(9, 48, 6, 32),
                                 sizes(12, 432, 8, 288),
                                 sizes(15, 48, 10, 32, 1),
                                 sizes(9, 24, 6, 16, 4, 1, 0, 16),
                                 sizes(33, 36, 11, 12),
                                 sizes(30, 168, 10, 56, 1),
                                 sizes(9, 15, 3, 5, 4),
                                 sizes(20, 60, 10, 30),
                                 sizes(40, 48, 10, 12),
                                 sizes(40, 60, 8, 12, 3, 1, 0, 2),
                                 sizes(27, 20, 9, 20),
                                 sizes(24, 48, 4, 8)};

constexpr Extents kUltraHdToFull = sizes(2160, 3840, 1080, 1920), kFullToHd = sizes(1080, 1920, 720, 1280),
                  kFullToUltraHd = sizes(1080, 1920, 2160, 3840), kFullToNetwork = sizes(1080, 1920, 360, 640),
                  kBatch = sizes(1080, 1920, 640, 640, 3, 16);
constexpr Extents kCuda[] = {kUltraHdToFull, kFullToHd, kFullToUltraHd, kFullToNetwork, kBatch};
constexpr Extents kCpu[] = {kUltraHdToFull, kFullToHd, kFullToUltraHd, kFullToNetwork, sizes(480, 640, 640, 640)};
constexpr Extents kSimt[] = {sizes(240, 320, 160, 213)};

/// Sides of 1 and of a few pixels, ragged ones, halves, doubles, thirds, whole scales, extremes, batches and regions.
Extents draw(std::uint64_t seed) {
    std::uint64_t drawn = 0;
    const auto below = [&](std::int64_t limit) {
        return static_cast<std::int64_t>(random_bits(seed, drawn++) % static_cast<std::uint64_t>(limit));
    };
    const auto side = [&] {
        constexpr std::int64_t kMost[] = {1, 4, 33, 100, 200};
        return 1 + below(kMost[below(5)]);
    };
    std::int64_t height = side(), width = side(), out_height = side(), out_width = side();
    switch (below(11)) {
        case 0: height = 2 * out_height, width = 2 * out_width; break;
        case 1: out_height = 2 * height % 200 + 1, out_width = 2 * width; break;
        case 2: width = 2 * out_width; break;
        case 3: height = 1, width = 20 * width; break;
        case 4: out_height = 20 * out_height, out_width = 1; break;
        case 5: out_height = height, out_width = width; break;
        case 6: width = ceil_div(width, 16) * 16, out_height += height / 2, out_width += width / 2; break;
        case 7: width = ceil_div(width, 16) * 16, out_height = 2 * height, out_width = 2 * width; break;
        case 8:
            height = ceil_div(height, 3) * 3, width = ceil_div(width, 48) * 48;
            out_height = height / 3 * 2, out_width = width / 3 * 2;
            break;
        case 9:
            out_height = 1 + below(40), out_width = 2 * (1 + below(24));
            height = out_height * (1 + below(5)), width = out_width * (1 + below(5));
            break;
        default: break;
    }
    constexpr std::int64_t kChannels[] = {1, 3, 4};
    const std::int64_t channels = kChannels[below(3)];
    if (below(4) == 0) return sizes(height, width, out_height, out_width, channels, 2 + below(3), below(2) * below(9));
    return sizes(height, width, out_height, out_width, channels, 1, 0, below(2) * below(6));
}

std::vector<BufferSpec> buffers(const Problem& p) {
    require_images("resize", p, 4);
    std::vector<BufferSpec> result{image_array("in", Role::input, p.dtype, ResizeSide::in(p).array()),
                                   image_array("out", Role::output, p.dtype, ResizeSide::out(p).array())};
    const std::int64_t images = p.lengths<ResizeAxes>().images;
    if (images == 1) return result;
    const std::size_t words = static_cast<std::size_t>(images) * sizeof(ImagePlace) / sizeof(std::int64_t);
    result.push_back({"in_places", Role::input, DType::int64, words});
    result.push_back({"out_places", Role::input, DType::int64, words});
    return result;
}

void fill_places(const Problem& p, const ResizeSide& side, ImagePlace* places) {
    std::int64_t offset = 0;
    for (std::int64_t image = 0; image < side.images; ++image) {
        places[image] = side.place(image, offset, static_cast<std::int64_t>(size_of(p.dtype)));
        offset += static_cast<std::int64_t>(side.shape(image).array());
    }
}

void fill(const Problem& p, std::uint64_t seed, const Buffers& b) {
    const auto [samples] = b.arrays<void>();
    fill_samples(samples, p.dtype, ResizeSide::in(p).array().array(), seed);
    if (p.lengths<ResizeAxes>().images == 1) return;
    const auto [in, out, in_places, out_places] = b.arrays<void, void, ImagePlace, ImagePlace>();
    fill_places(p, ResizeSide::in(p), in_places);
    fill_places(p, ResizeSide::out(p), out_places);
}

template <Convention convention, class T>
void resize_image(const ResizePair<T>& pair) {
    for (std::int64_t y = 0; y < pair.out.height; ++y)
        for (std::int64_t x = 0; x < pair.out.width; ++x)
            for (int channel = 0; channel < pair.out.channels; ++channel)
                row_of(pair.out, y)[x * pair.out.channels + channel] = sample_at<convention>(
                    pair, row_tap<convention>(pair.rows, y), column_tap<convention>(pair.columns, x), channel);
}

template <class T>
void reference(const ResizeArgs<T>& a) {
    with_convention(a.convention, [&]<Convention convention>() {
        for (std::int64_t image = 0; image < a.out.count; ++image) {
            const ResizePair<T> pair = pair_of<convention>(a, image);
            if (!pair.empty()) resize_image<convention>(pair);
        }
    });
}

/// Bytes that any way to compute an axis must fetch: memory moves in sectors of 32 bytes, and of an input that is much
/// larger than the output most are never needed. A neighbour of weight 0 need not be read. `stride` is that of a pixel
/// (of a row: the row is a sector then).
template <Convention convention>
std::uint64_t sectors_needed(std::int64_t in, std::int64_t out, std::int64_t stride, std::int64_t sector, bool column) {
    if (out >= in) return static_cast<std::uint64_t>(ceil_div(in * stride, sector));  // each pixel is some output's
    const AxisMap map = AxisMap::of(in, out);
    std::int64_t last = -1;
    std::uint64_t count = 0;
    const auto need = [&](std::int64_t first_byte, std::int64_t last_byte) {
        const std::int64_t from = std::max(first_byte / sector, last + 1), to = last_byte / sector;
        if (to < from) return;
        count += static_cast<std::uint64_t>(to - from + 1);
        last = to;
    };
    for (std::int64_t i = 0; i < out; ++i) {
        const Tap tap = column ? column_tap<convention>(map, i) : row_tap<convention>(map, i);
        need(tap.first * stride, (tap.first + 1) * stride - 1);
        if (tap.fraction != 0) need(tap.second * stride, (tap.second + 1) * stride - 1);
    }
    return count;
}

template <Convention convention>
std::uint64_t bytes_needed(const Problem& p, const ImageShape& in, const ImageShape& out) {
    constexpr std::int64_t kSector = 32;
    const std::int64_t pixel = p.lengths<ResizeAxes>().channels * static_cast<std::int64_t>(size_of(p.dtype));
    if (in.height == 0 || in.width == 0 || out.height == 0 || out.width == 0) return 0;
    const std::uint64_t rows = sectors_needed<convention>(in.height, out.height, 1, 1, false);
    const std::uint64_t sectors = sectors_needed<convention>(in.width, out.width, pixel, kSector, true);
    return rows * std::min<std::uint64_t>(sectors * kSector, static_cast<std::uint64_t>(in.width * pixel));
}

/// Of an axis that shrinks; of one that does not each pixel is needed.
std::int64_t lines_looked_at(std::int64_t in, std::int64_t out) { return out < in ? out : 0; }

Work work(const Problem& p) {
    Work work;
    LinesToCount lines;
    for_each_pair(p, [&](const ImageShape& in, const ImageShape& out, std::int64_t times) {
        const auto images = static_cast<std::uint64_t>(times);
        if (lines.take(lines_looked_at(in.height, out.height) + lines_looked_at(in.width, out.width)))
            with_convention(static_cast<Convention>(p.variant),
                            [&]<Convention by>() { work.bytes_read += images * bytes_needed<by>(p, in, out); });
        work.bytes_written += images * out.samples() * size_of(p.dtype);
    });
    return work;
}

}  // namespace

/// Where two of these fit, the first is the faster (results/h200/resize*.json). The last computes every resize: what
/// stands behind it is there to be looked at.
constexpr Preference kChoice[] = {{"picked_pixels"}, {"wide_thirds"}, {"wide_doubles"}, {"lone_pixels"},
                                  {"wide_halves"},   {"copied_tile"}, {"word_pairs"}};

LANEWORK_OPERATION(resize, {
                               .summary = "out[h'×w'] = bilinear samples of in[h×w], of each image of a batch",
                               .axes = ResizeAxes::names,
                               .usual = kUsual,
                               .variants = kVariants,
                               .verified = kVerified,
                               .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
                               .draw = draw,
                               .buffers = buffers,
                               .work = work,
                               .fill = fill,
                               .inputs = kHardSamples<has_floats>,
                               .reference = {reference<std::uint8_t>, reference<float>},
                               .tolerance =
                                   [](const Problem&) {
                                       return Tolerance{.reason = "integers, or floats rounded in a stated order"};
                                   },
                               .choice = kChoice,
                           });
