// cuda::ptx's special registers, which CUB reads: they are the simt device's.
#pragma once

#include <cuda/std/detail/__config>
#include <lanework_simt/ptx.hpp>

#ifdef _LIBCUDACXX_BEGIN_NAMESPACE_CUDA_PTX
_LIBCUDACXX_BEGIN_NAMESPACE_CUDA_PTX
#else  // since CCCL 3.2
#include <cuda/std/__cccl/prologue.h>
_CCCL_BEGIN_NAMESPACE_CUDA_PTX
#endif

#define LANEWORK_SIMT_REGISTER(name, type, value) \
    LANEWORK_SIMT_BUILTIN type get_sreg_##name() { return value; }
LANEWORK_SIMT_REGISTER(laneid, unsigned int, ::lanework_simt::ptx::lane())
LANEWORK_SIMT_REGISTER(warpid, unsigned int, ::lanework_simt::ptx::warp())
LANEWORK_SIMT_REGISTER(nwarpid, unsigned int, ::lanework_simt::ptx::warps())
LANEWORK_SIMT_REGISTER(smid, unsigned int, ::lanework_simt::ptx::multiprocessor())
LANEWORK_SIMT_REGISTER(nsmid, unsigned int, ::lanework_simt::ptx::multiprocessors())
LANEWORK_SIMT_REGISTER(gridid, unsigned long long, ::lanework_simt::ptx::grid_number())
LANEWORK_SIMT_REGISTER(lanemask_eq, unsigned int, 1u << ::lanework_simt::ptx::lane())
LANEWORK_SIMT_REGISTER(lanemask_le, unsigned int, (2u << ::lanework_simt::ptx::lane()) - 1u)
LANEWORK_SIMT_REGISTER(lanemask_lt, unsigned int, (1u << ::lanework_simt::ptx::lane()) - 1u)
LANEWORK_SIMT_REGISTER(lanemask_ge, unsigned int, ~0u << ::lanework_simt::ptx::lane())
LANEWORK_SIMT_REGISTER(lanemask_gt, unsigned int, ~1u << ::lanework_simt::ptx::lane())
LANEWORK_SIMT_REGISTER(tid_x, unsigned int, ::lanework_simt::thread_index().x)
LANEWORK_SIMT_REGISTER(tid_y, unsigned int, ::lanework_simt::thread_index().y)
LANEWORK_SIMT_REGISTER(tid_z, unsigned int, ::lanework_simt::thread_index().z)
LANEWORK_SIMT_REGISTER(ntid_x, unsigned int, ::lanework_simt::block_dim().x)
LANEWORK_SIMT_REGISTER(ntid_y, unsigned int, ::lanework_simt::block_dim().y)
LANEWORK_SIMT_REGISTER(ntid_z, unsigned int, ::lanework_simt::block_dim().z)
LANEWORK_SIMT_REGISTER(ctaid_x, unsigned int, ::lanework_simt::block_index().x)
LANEWORK_SIMT_REGISTER(ctaid_y, unsigned int, ::lanework_simt::block_index().y)
LANEWORK_SIMT_REGISTER(ctaid_z, unsigned int, ::lanework_simt::block_index().z)
LANEWORK_SIMT_REGISTER(nctaid_x, unsigned int, ::lanework_simt::grid_dim().x)
LANEWORK_SIMT_REGISTER(nctaid_y, unsigned int, ::lanework_simt::grid_dim().y)
LANEWORK_SIMT_REGISTER(nctaid_z, unsigned int, ::lanework_simt::grid_dim().z)
LANEWORK_SIMT_REGISTER(clock, unsigned int, static_cast<unsigned int>(::lanework_simt::clock64()))
LANEWORK_SIMT_REGISTER(clock64, unsigned long long, static_cast<unsigned long long>(::lanework_simt::clock64()))
LANEWORK_SIMT_REGISTER(globaltimer, unsigned long long, ::lanework_simt::ptx::nanoseconds())
#undef LANEWORK_SIMT_REGISTER

#ifdef _LIBCUDACXX_END_NAMESPACE_CUDA_PTX
_LIBCUDACXX_END_NAMESPACE_CUDA_PTX
#else
_CCCL_END_NAMESPACE_CUDA_PTX
#include <cuda/std/__cccl/epilogue.h>
#endif
