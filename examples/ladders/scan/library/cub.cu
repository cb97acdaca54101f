// cub::DeviceScan, the library's own: each element is read once and written once.
// workspace: 65536 + n
#include <cub/device/device_scan.cuh>

void launch(const int* x, int* y, void* workspace, int n, cudaStream_t stream) {
    size_t bytes = 65536 + static_cast<size_t>(n);
    cub::DeviceScan::InclusiveSum(workspace, bytes, x, y, n, stream);
}
