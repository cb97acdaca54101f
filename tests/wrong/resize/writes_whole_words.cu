// expect: wrong — the last pixels of a row are stored as a whole word, past the row's end
// says: which lies between the rows of `out`
#include "ops/resize/grid.cuh"

namespace {
constexpr int kThreads = 64, kWord = 4;

__global__ void writes_whole_words(const ResizeArgs<std::uint8_t> a) {
    for (std::int64_t image = 0; image < a.out.count; ++image) {
        const ResizePair<std::uint8_t> pair = pair_of<Convention::opencv>(a, image);
        if (pair.empty()) continue;
        const std::int64_t samples = pair.out.width * pair.out.channels;
        const std::int64_t begin = (std::int64_t{blockIdx.x} * kThreads + threadIdx.x) * kWord;
        for (std::int64_t y = blockIdx.y; y < pair.out.height && begin < samples; y += gridDim.y) {
            const Tap row = row_tap<Convention::opencv>(pair.rows, y);
            const bool last = y == pair.out.height - 1;
            // begin + kWord of every row would have to be limited to samples, not of the last alone
            for (std::int64_t i = begin; i < begin + kWord && (!last || i < samples); ++i) {
                const std::int64_t x =
                    i / pair.out.channels < pair.out.width ? i / pair.out.channels : pair.out.width - 1;
                row_of(pair.out, y)[i] =
                    sample_at<Convention::opencv>(pair, row, column_tap<Convention::opencv>(pair.columns, x),
                                                  static_cast<int>(i % pair.out.channels));
            }
        }
    }
}

void launch(const ResizeArgs<std::uint8_t>& a, cudaStream_t stream) {
    if (a.empty()) return;
    writes_whole_words<<<resize_grid(a, kThreads * kWord / a.out.channels, 1), kThreads, 0, stream>>>(a);
}

// Rows that touch are written from left to right by different threads, and what is right is a matter of luck.
std::string_view refuses(const Problem& problem) {
    return problem.lengths<ResizeAxes>().margin > 0 ? std::string_view()
                                                    : std::string_view("this kernel needs room between rows");
}
}  // namespace

LANEWORK_RUNG(resize, writes_whole_words,
              {.lesson = "Never: a row ends where it ends.", .launch = {launch}, .refuses = refuses});
