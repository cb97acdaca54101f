// The GPU that the device stands for: its limits decide grids, occupancy and which launches are possible. How many OS
// threads do the work is set elsewhere (<lanework_simt/schedule.hpp>).
#pragma once

#include "src/gpu/gpus.hpp"

namespace lanework_simt {

/// The first of lanework::gpus() until another is presented.
const lanework::Gpu& presented_gpu();
/// From now on the device is this GPU, for the whole process; one of lanework::gpus(). What was allocated stays.
void present(const lanework::Gpu& gpu);

/// While it lives, whichever GPU is presented has so many SMs: one SM's part of a problem is traced so. One at a time,
/// and what is presented next is the first to have them.
class FewerSms {
public:
    explicit FewerSms(int sms);
    FewerSms(const FewerSms&) = delete;
    FewerSms& operator=(const FewerSms&) = delete;
    ~FewerSms();
};

}  // namespace lanework_simt
