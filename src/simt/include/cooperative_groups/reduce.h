// CUDA's header of reductions over cooperative groups.
#pragma once

#include <lanework_simt/letters_aside.hpp>

#include <cooperative_groups.h>

#include <lanework_simt/group_reductions.hpp>

#include <lanework_simt/letters_back.hpp>
