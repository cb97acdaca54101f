// CUB's radix sort with tiles for a processor: a GPU's keep 16 to 39 keys a thread in registers, in loops that are
// unrolled, which costs a host compiler minutes and gigabytes; and its sort of one sweep ends threads by `exit`.
#pragma once

#include <cub/version.cuh>

#if CUB_VERSION < 300300
#define LANEWORK_SIMT_RADIX_SORT radix
#else
#define LANEWORK_SIMT_RADIX_SORT radix_sort
#endif

#define policy_hub policy_hub_of_gpus
#define policy_selector_from_types policy_selector_of_gpus
#include_next <cub/device/dispatch/tuning/tuning_radix_sort.cuh>
#undef policy_selector_from_types
#undef policy_hub

CUB_NAMESPACE_BEGIN
namespace detail::LANEWORK_SIMT_RADIX_SORT {

template <typename KeyT, typename ValueT, typename OffsetT>
struct policy_hub {
    static constexpr bool KEYS_ONLY = ::cuda::std::is_same_v<ValueT, NullType>;
    using DominantT = ::cuda::std::_If<(sizeof(ValueT) > sizeof(KeyT)), ValueT, KeyT>;

    struct Policy : ChainedPolicy<500, Policy, Policy> {
        static constexpr bool ONESWEEP = false;
        static constexpr int ONESWEEP_RADIX_BITS = 8;
        static constexpr int THREADS = 128, ITEMS = 4, BITS = sizeof(KeyT) > 1 ? 6 : 5;

        using HistogramPolicy = AgentRadixSortHistogramPolicy<THREADS, ITEMS, 1, KeyT, ONESWEEP_RADIX_BITS>;
        using ExclusiveSumPolicy = AgentRadixSortExclusiveSumPolicy<256, ONESWEEP_RADIX_BITS>;
        using OnesweepPolicy =
            AgentRadixSortOnesweepPolicy<256, ITEMS, DominantT, 1, RADIX_RANK_MATCH_EARLY_COUNTS_ANY,
                                         BLOCK_SCAN_WARP_SCANS, RADIX_SORT_STORE_DIRECT, ONESWEEP_RADIX_BITS>;
        using ScanPolicy = AgentScanPolicy<THREADS, ITEMS, OffsetT, BLOCK_LOAD_DIRECT, LOAD_DEFAULT, BLOCK_STORE_DIRECT,
                                           BLOCK_SCAN_WARP_SCANS>;
        template <int RadixBits>
        using Downsweep = AgentRadixSortDownsweepPolicy<THREADS, ITEMS, DominantT, BLOCK_LOAD_DIRECT, LOAD_DEFAULT,
                                                        RADIX_RANK_BASIC, BLOCK_SCAN_WARP_SCANS, RadixBits>;
        using DownsweepPolicy = Downsweep<BITS>;
        using AltDownsweepPolicy = Downsweep<BITS - 1>;
        using UpsweepPolicy = DownsweepPolicy;
        using AltUpsweepPolicy = AltDownsweepPolicy;
        using SingleTilePolicy = Downsweep<BITS>;
        using SegmentedPolicy = Downsweep<BITS>;
        using AltSegmentedPolicy = Downsweep<BITS - 1>;
    };
    using MaxPolicy = Policy;
};

#if CUB_VERSION >= 300300
// What is asked for tiles since then; CUB has it for those of a hub as above.
template <typename PolicyHub>
struct policy_selector_from_hub;
template <typename KeyT, typename ValueT, typename OffsetT>
struct policy_selector_from_types {
    template <typename Architecture>
    constexpr auto operator()(Architecture architecture) const -> radix_sort_policy {
        return policy_selector_from_hub<policy_hub<KeyT, ValueT, OffsetT>>{}(architecture);
    }
};
#endif

}  // namespace detail::LANEWORK_SIMT_RADIX_SORT
CUB_NAMESPACE_END
#undef LANEWORK_SIMT_RADIX_SORT
