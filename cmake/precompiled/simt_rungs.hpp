// What every rung includes once it is translated for simt: the translation begins with the same two lines.
#define __CUDACC__ 1
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <lanework/rung.hpp>
#include <type_traits>
