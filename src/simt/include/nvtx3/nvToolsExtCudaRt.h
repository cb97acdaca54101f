// The header of names that NVTX 3 is included by.
#pragma once

#include "../nvToolsExtCudaRt.h"
