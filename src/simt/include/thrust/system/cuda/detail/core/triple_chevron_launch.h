// How CUB launches its kernels: theirs is CUDA's own syntax in a header that is not translated.
#pragma once

#include <thrust/system/cuda/config.h>

#include <lanework_simt/functions.hpp>

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace detail {

struct triple_chevron {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;

    triple_chevron(dim3 grid_size, dim3 block_size, size_t dynamic_bytes = 0, cudaStream_t queue = nullptr,
                   bool = false)
        : grid(grid_size), block(block_size), shared_bytes(dynamic_bytes), stream(queue) {}

    template <class... Parameters, class... Arguments>
    cudaError_t doit(void (*kernel)(Parameters...), const Arguments&... arguments) const {
        ::lanework_simt::launcher("CUB's kernel",
                                  ::lanework_simt::kernel_functions::CallByAddress<Parameters...>{kernel},
                                  [kernel](int) { return ::lanework_simt::signature(0, kernel); })
            .configure(grid, block, shared_bytes, stream)(Parameters(arguments)...);
        return cudaPeekAtLastError();
    }
    template <class... Parameters, class... Arguments>
    cudaError_t doit_host(void (*kernel)(Parameters...), const Arguments&... arguments) const {
        return doit(kernel, arguments...);
    }
};

}  // namespace detail
}  // namespace cuda_cub
THRUST_NAMESPACE_END
