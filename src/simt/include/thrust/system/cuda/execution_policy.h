// Thrust's device is its C++ system here, and so are the policies that name CUDA's.
#pragma once

#include <thrust/system/cpp/execution_policy.h>
