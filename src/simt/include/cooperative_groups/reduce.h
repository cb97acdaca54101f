// CUDA's header of reductions over cooperative groups.
#pragma once

#include <cooperative_groups.h>

#include <lanework_simt/group_reductions.hpp>
