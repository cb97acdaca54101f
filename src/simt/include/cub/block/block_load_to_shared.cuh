// CUB's loads by the bulk copies of compute capability 9.0, which the simt device has not (since CCCL 3.2).
#pragma once

#error \
    "cub: BlockLoadToShared, which DeviceMerge and <cub/cub.cuh> bring along, is not available on the simt device: include the headers of what is used, as <cub/device/device_scan.cuh>; or `pip install nvidia-cuda-cccl==13.0.85` brings a CUB without it"
#include <cub/ends_here>  // what a compiler would say next is of what CUB calls
