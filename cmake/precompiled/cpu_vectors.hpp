// What every rung in Highway's vectors includes, for one instruction set. Highway compiles its user once for each of
// them by including it again from here, which a quick build leaves out: there is no file to name.
#define HWY_TARGET_INCLUDE "none"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>
//
#include <hwy/cache_control.h>

#include <cmath>
#include <cstdint>
#include <lanework/rung.hpp>
#include <type_traits>
