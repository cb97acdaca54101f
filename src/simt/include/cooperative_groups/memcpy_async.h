// CUDA's header of copies that a cooperative group makes together.
#pragma once

#include <cooperative_groups.h>

#include <lanework_simt/group_copies.hpp>
