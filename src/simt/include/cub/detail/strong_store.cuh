// CUB's ordered stores: with the order and the scope that they have from compute capability 7.0 on.
#pragma once

#include <cub/config.cuh>
#include <cub/util_ptx.cuh>
#include <cub/util_type.cuh>
#include <nv/target>

#pragma push_macro("NV_IF_TARGET")
#undef NV_IF_TARGET
#define LANEWORK_SIMT_STATEMENTS(...) __VA_ARGS__
#define NV_IF_TARGET(condition, newer, ...) LANEWORK_SIMT_STATEMENTS newer
#include_next <cub/detail/strong_store.cuh>
#undef LANEWORK_SIMT_STATEMENTS
#pragma pop_macro("NV_IF_TARGET")
