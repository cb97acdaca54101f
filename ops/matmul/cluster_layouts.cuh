// How the tiles of cluster_sums.cuh are launched, as a layout of cluster_model.hpp says, over a product or many of one
// shape.
#pragma once

#include <cassert>
#include <utility>

#include "ops/matmul/cluster_model.hpp"
#include "ops/matmul/cluster_sums.cuh"

#if LANEWORK_HAS_WARPGROUPS

namespace lanework::inline LANEWORK_ON_DEVICE {

/// `to` says where C is, or slices of sums, of the first of so many products; `follows`: the kernel before it lets it
/// begin early.
template <int kRows, int kGroups, bool kByColumns, bool kPlain, class T, class Out>
void launch_tiles(const MatmulArgs<T>& x, const MatmulArgs<Out>& to, const Products& products,
                  const ClusterLayout& layout, std::int64_t slice, bool follows, cudaStream_t stream) {
    using Tiles = ClusterTiles<T, Out, kRows, kGroups, kByColumns>;
    const auto kernel = cluster_sums<T, Out, kRows, kGroups, kByColumns, kPlain>;
    const auto on = [&](int elements) {
        return to.c_pitch % elements == 0 && products.to_next_c % elements == 0 &&
               reinterpret_cast<std::uintptr_t>(to.c) % (elements * sizeof(Out)) == 0;
    };
    const int whole = on(8) ? 8 : on(4) ? 4 : 1;
    const Sharing& sharing = layout.sharing;
    assert(layout.part_bits == 0 || sharing.bits() == 0);  // all blocks of a cluster that share have as many steps
    assert(layout.groups == 1 || layout.part_bits + sharing.bits() == 0);
    const std::int64_t whole_rows = ceil_div(x.m, kSwizzleRows) * kSwizzleRows;
    const int a_rows = sharing.bits() > 0 || whole_rows > kRows ? kRows : static_cast<int>(whole_rows);
    const int cols_of_box = Tiles::kCols >> sharing.down_bits;
    cudaLaunchAttribute attributes[2] = {};
    unsigned count = 0;
    const int bits = layout.part_bits + sharing.bits();
    if (bits > 0) {
        attributes[count].id = cudaLaunchAttributeClusterDimension;
        attributes[count].val.clusterDim.x = 1U << bits;
        attributes[count].val.clusterDim.y = attributes[count].val.clusterDim.z = 1;
        ++count;
    }
    if (follows) {
        attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attributes[count].val.programmaticStreamSerializationAllowed = 1;
        ++count;
    }
    cudaLaunchConfig_t config{};
    const std::int64_t clusters =
        ceil_div(x.m, kRows << sharing.down_bits) * ceil_div(x.k, Tiles::kCols << sharing.across_bits);
    config.gridDim = dim3(static_cast<unsigned>(clusters << bits), static_cast<unsigned>(layout.groups),
                          static_cast<unsigned>(products.count));
    config.blockDim = dim3(Tiles::kThreads);
    config.dynamicSmemBytes = static_cast<std::size_t>(allow_tiles(kernel, Tiles::shared_bytes(layout.stages)));
    config.stream = stream;
    config.attrs = attributes;
    config.numAttrs = count;
    if (layout.groups > 1)  // all of what is shared: whoever adds finds room beside these blocks
        LANEWORK_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                            cudaSharedmemCarveoutMaxShared));
    LANEWORK_CHECK(cudaLaunchKernelEx(
        &config, kernel, to, products, layout.part_bits, sharing, slice, layout.stages, a_rows, whole,
        map_of(x.a, products.count, products.to_next_a, x.m, x.n, x.a_pitch, a_rows >> sharing.across_bits),
        map_of(x.b, products.count, products.to_next_b, kByColumns ? x.k : x.n, kByColumns ? x.n : x.k, x.b_pitch,
               kByColumns || cols_of_box < kStepDepth ? cols_of_box : kStepDepth)));
}
template <bool kPlain, class T, class Out>
void launch_layout(const MatmulArgs<T>& x, const MatmulArgs<Out>& to, const Products& products,
                   const ClusterLayout& layout, std::int64_t slice, bool follows, cudaStream_t stream) {
    const auto launch = [&]<int kRows, int kGroups>(std::integer_sequence<int, kRows, kGroups>) {
        x.b_by_columns ? launch_tiles<kRows, kGroups, true, kPlain>(x, to, products, layout, slice, follows, stream)
                       : launch_tiles<kRows, kGroups, false, kPlain>(x, to, products, layout, slice, follows, stream);
    };
    if (layout.cols == kStripCols) switch (layout.rows) {
            case 64: return launch(std::integer_sequence<int, 64, 1>{});
            case 80: return launch(std::integer_sequence<int, 80, 1>{});
            default: return launch(std::integer_sequence<int, 128, 1>{});
        }
    switch (layout.rows) {
        case 64: return launch(std::integer_sequence<int, 64, 2>{});
        case 80: return launch(std::integer_sequence<int, 80, 2>{});
        case 96: return launch(std::integer_sequence<int, 96, 2>{});
        case 128: return launch(std::integer_sequence<int, 128, 2>{});
        default: return launch(std::integer_sequence<int, 144, 2>{});
    }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

#endif
