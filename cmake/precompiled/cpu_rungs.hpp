// What every rung of a processor includes.
#include <cmath>
#include <cstdint>
#include <lanework/rung.hpp>
#include <type_traits>
