// The header that NVTX 3 is included by.
#pragma once

#include "../nvToolsExt.h"
