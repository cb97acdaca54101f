// CUB's sort of segments with tiles for a processor, as for the radix sort.
#pragma once

#include <cub/version.cuh>

#define policy_hub policy_hub_of_gpus
#include_next <cub/device/dispatch/tuning/tuning_segmented_sort.cuh>
#undef policy_hub

CUB_NAMESPACE_BEGIN
namespace detail::segmented_sort {

template <typename KeyT, typename ValueT>
struct policy_hub {
    using DominantT = ::cuda::std::_If<(sizeof(ValueT) > sizeof(KeyT)), ValueT, KeyT>;
    static constexpr int KEYS_ONLY = ::cuda::std::is_same_v<ValueT, NullType>;

    struct Policy : ChainedPolicy<500, Policy, Policy> {
        static constexpr int BLOCK_THREADS = 128;
        static constexpr int RADIX_BITS = sizeof(KeyT) > 1 ? 6 : 4;
        static constexpr int PARTITIONING_THRESHOLD = 300;

        using LargeSegmentPolicy =
            AgentRadixSortDownsweepPolicy<BLOCK_THREADS, 4, DominantT, BLOCK_LOAD_DIRECT, LOAD_DEFAULT,
                                          RADIX_RANK_BASIC, BLOCK_SCAN_WARP_SCANS, RADIX_BITS>;
#if CUB_VERSION < 300200
        using SmallAndMediumSegmentedSortPolicyT =
            AgentSmallAndMediumSegmentedSortPolicy<BLOCK_THREADS,
                                                   AgentSubWarpMergeSortPolicy<4, 4, WARP_LOAD_DIRECT, LOAD_DEFAULT>,
                                                   AgentSubWarpMergeSortPolicy<32, 4, WARP_LOAD_DIRECT, LOAD_DEFAULT>>;
#else
        template <int ThreadsOfSegment>
        using MergeSort =
            AgentSubWarpMergeSortPolicy<BLOCK_THREADS, ThreadsOfSegment, 4, WARP_LOAD_DIRECT, LOAD_DEFAULT>;
        using SmallSegmentPolicy = MergeSort<4>;
        using MediumSegmentPolicy = MergeSort<32>;
#endif
    };
    using MaxPolicy = Policy;
};

}  // namespace detail::segmented_sort
CUB_NAMESPACE_END
