// What every algorithm of Thrust's CUDA system brings along, and that of its C++ system does not: the exceptions that
// programs catch.
#pragma once

#include <thrust/system_error.h>

#include_next <thrust/system/cpp/detail/execution_policy.h>
