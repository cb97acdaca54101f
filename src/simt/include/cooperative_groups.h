// CUDA's cooperative groups for the simt device: which threads work together, and what they do in step. A block's and a
// grid's groups meet at barriers, those within a warp by its collective operations. A cluster is one block.
#pragma once

#include <lanework_simt/letters_aside.hpp>

#include <cuda_runtime.h>

#include <lanework_simt/groups.hpp>
#include <lanework_simt/warp_groups.hpp>

#include <lanework_simt/letters_back.hpp>
