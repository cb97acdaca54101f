// Types of the driver API's functions (PFN_…), which are not part of the simt device: they are unknown by name. CUB
// includes the header since CCCL 3.5, and uses none.
#pragma once

#include <cuda.h>
