// Every algorithm of Thrust's CUDA system brings thrust::host and thrust::device along; those of its C++ system do not.
#pragma once

#include_next <thrust/system/detail/generic/select_system.h>

#include <lanework_simt/thrust_policies.hpp>
