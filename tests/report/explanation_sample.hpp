// Explanations made up by hand: transpose/padded_tile_16 of a 64x48 matrix, as the tracer would show it.
#pragma once

#include "src/report/explain/source_text.hpp"
#include "src/trace/analyse/explanation.hpp"
#include "tests/temporary_folder.hpp"

namespace lanework {

inline constexpr char kSampleFile[] = "ops/transpose/padded_tile_16.cu";
inline constexpr int kStagingLine = 4, kWritingLine = 6;

/// A folder with the source of the sample: what a kernel of these lines looks like, and nothing else.
inline std::filesystem::path sample_sources() {
    static const TemporaryFolder root;
    root.write(kSampleFile,
               "constexpr int kTile = 16;\n"
               "__global__ void padded_tile_16(const int* in, int* out) {\n"
               "    __shared__ int tile[kTile][kTile + 1];\n"
               "    tile[threadIdx.y][threadIdx.x] = in[place()];\n"
               "    __syncthreads();\n"
               "    out[turned()] = tile[threadIdx.x][threadIdx.y];\n"
               "}\n");
    return root.path();
}

inline SourceText known_sources() { return SourceText({sample_sources()}); }

/// 12 blocks of 8 warps: 96 requests of 32 lanes.
inline PlacedSite sample_site(EventKind kind, Space space, int line, int column) {
    PlacedSite placed;
    placed.site.kind = kind;
    placed.site.space = space;
    placed.site.bytes = 4;
    placed.place = {kSampleFile, line, column, "padded_tile_16"};
    return placed;
}

inline PlacedSite global_site(EventKind kind, int line, int column) {
    PlacedSite placed = sample_site(kind, Space::global, line, column);
    placed.site.global = {.requests = 96, .sectors = 384, .ideal_sectors = 384, .bytes = 12288, .lanes = 3072};
    return placed;
}

/// Each request in `wavefronts` passes; the kept one is of rows of 16 lanes that are 17 words apart.
inline PlacedSite shared_site(EventKind kind, int line, int column, unsigned wavefronts) {
    PlacedSite placed = sample_site(kind, Space::shared, line, column);
    placed.site.shared = {.requests = 96,
                          .wavefronts = 96 * std::uint64_t{wavefronts},
                          .ideal_wavefronts = 96,
                          .lanes = 3072,
                          .most_wavefronts = wavefronts};
    ExampleRequest request{.lanes = ~0u, .bytes = 4};
    for (unsigned lane = 0; lane < 32; ++lane) request.address[lane] = 4 * (lane / 16 * 17 + lane % 16);
    placed.example = request;
    return placed;
}

inline Explanation sample_explanation() {
    KernelTrace kernel;
    kernel.shape = {.kernel = "padded_tile_16",
                    .file = kSampleFile,
                    .line = 26,
                    .grid = {12, 1, 1},
                    .block = {16, 16, 1},
                    .static_shared = 1088};
    kernel.sites = {global_site(EventKind::load, kStagingLine, 40), shared_site(EventKind::store, kStagingLine, 36, 2),
                    shared_site(EventKind::load, kWritingLine, 50, 2), global_site(EventKind::store, kWritingLine, 19)};
    kernel.footprint_read = kernel.footprint_written = 12288;
    Explanation explanation;
    explanation.operation = "transpose";
    explanation.rung = "padded_tile_16";
    explanation.axes = {"rows", "cols"};
    explanation.problem = {extents(64, 48), DType::int32, 0};
    explanation.seed = 1;
    explanation.work = {.bytes_read = 12288, .bytes_written = 12288};
    explanation.file = kSampleFile;
    explanation.lesson = "Padding a tile narrower than a warp leaves 2-way bank conflicts, on write and on read.";
    explanation.kernels = {kernel};
    for (const auto& [line, column, word] :
         {std::tuple(kStagingLine, 36, "stores"), std::tuple(kWritingLine, 50, "loads")})
        explanation.findings.push_back(
            {.rule = Rule::bank_conflict,
             .severity = Severity::warning,
             .place = {kSampleFile, line, column, "padded_tile_16"},
             .evidence = std::string(word) + " take 2 wavefronts per request, where 1 would do",
             .remedy =
                 "Make the tile as wide as a warp, 32x33 words, so that a row and a column spread over all banks.",
             .weight = 0.25,
             .other = {}});
    return explanation;
}

/// The same after padded_tile was read: no conflicts and no findings.
inline Explanation mended_explanation() {
    Explanation explanation = sample_explanation();
    explanation.rung = "padded_tile";
    explanation.findings.clear();
    for (PlacedSite& placed : explanation.kernels.front().sites)
        if (placed.site.space == Space::shared) placed.site.shared.wavefronts = 96;
    return explanation;
}

}  // namespace lanework
