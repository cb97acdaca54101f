// CUDA's header of copies that a cooperative group makes together.
#pragma once

#include <lanework_simt/letters_aside.hpp>

#include <cooperative_groups.h>

#include <lanework_simt/group_copies.hpp>

#include <lanework_simt/letters_back.hpp>
