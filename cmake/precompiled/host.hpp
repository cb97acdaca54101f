// What most sources of the host's program include, precompiled in a quick build (cmake/LaneworkQuick.cmake). Every
// source still includes what it uses: builds to install, scripts/check-includes and scripts/check-headers see to it.
// Kept small: compilers that are position-independent programs read a precompiled header at a cost in proportion to its
// size.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
