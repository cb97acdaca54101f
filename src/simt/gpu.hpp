// The GPU that the device stands for: its limits decide grids, occupancy and which launches are possible. How many OS
// threads do the work is set elsewhere (<lanework_simt/schedule.hpp>).
#pragma once

#include "src/gpu/gpus.hpp"

namespace lanework_simt {

/// The first of lanework::gpus() until another is presented.
const lanework::Gpu& presented_gpu();
/// From now on the device is this GPU, for the whole process; one of lanework::gpus(). What was allocated stays.
void present(const lanework::Gpu& gpu);

}  // namespace lanework_simt
