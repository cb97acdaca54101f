# The libraries we stand on, all of them packaged by Debian and Ubuntu. `scripts/packages` names the packages.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(JPEG REQUIRED)
find_package(ZLIB REQUIRED)  # which libpng-dev brings along: checksums of archives
find_package(PNG REQUIRED)
find_path(WEBP_INCLUDE_DIR webp/decode.h REQUIRED)
find_library(WEBP_LIBRARY webp REQUIRED)
find_path(HIGHWAY_INCLUDE_DIR hwy/highway.h REQUIRED)

# Highway 1.3 names a feature, evex512, that clang 23 has no more: it ignores all of the attribute that names it, and nothing
# for AVX-512 compiles. Processors that have AVX-512 then use AVX2.
if(CMAKE_CXX_COMPILER_ID MATCHES Clang AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS "-std=c++20 -Werror=ignored-attributes")
  set(CMAKE_REQUIRED_INCLUDES ${HIGHWAY_INCLUDE_DIR})
  check_cxx_source_compiles("
    #define HWY_COMPILE_ONLY_STATIC
    #include <hwy/highway.h>
    #ifdef HWY_TARGET_STR_AVX3
    __attribute__((target(HWY_TARGET_STR_AVX3)))
    #endif
    int one() { return 1; }
    int main() { return one() - 1; }" LANEWORK_HIGHWAY_AVX512)
  unset(CMAKE_REQUIRED_FLAGS)
  unset(CMAKE_REQUIRED_INCLUDES)
  if(NOT LANEWORK_HIGHWAY_AVX512)
    message(STATUS "This compiler does not take what this Highway says of AVX-512: vectors are AVX2's")
    add_compile_definitions("HWY_DISABLED_TARGETS=(HWY_AVX3|HWY_AVX3_DL|HWY_AVX3_ZEN4|HWY_AVX3_SPR|HWY_AVX10_2)")
  endif()
endif()

# libgomp is named by its file so that the portable binary can hold it.
find_package(OpenMP REQUIRED COMPONENTS CXX)
if(LANEWORK_PORTABLE)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libgomp.a
                  OUTPUT_VARIABLE LANEWORK_GOMP OUTPUT_STRIP_TRAILING_WHITESPACE)
  set_target_properties(OpenMP::OpenMP_CXX PROPERTIES INTERFACE_LINK_LIBRARIES "${LANEWORK_GOMP};Threads::Threads;dl")
  set(LANEWORK_FMT fmt::fmt-header-only)  # Debian ships no static fmt
else()
  set(LANEWORK_FMT fmt::fmt)
endif()

if(LANEWORK_SIMT)
  find_package(Boost REQUIRED CONFIG COMPONENTS context)  # newer CMakes have no other way to find it
  # Source lines of kernels, from their debugging information.
  find_path(LIBDW_INCLUDE_DIR elfutils/libdwfl.h REQUIRED)
  find_library(LIBDW_LIBRARY dw REQUIRED)
  set(LANEWORK_LIBDW ${LIBDW_LIBRARY})
  if(LANEWORK_PORTABLE)  # the archive does not name what it needs; from elfutils 0.189 on that can be zstd
    foreach(name elf lzma bz2 z zstd)
      find_library(LIBDW_NEEDS_${name} ${name})
      if(LIBDW_NEEDS_${name})
        list(APPEND LANEWORK_LIBDW ${LIBDW_NEEDS_${name}})
      endif()
    endforeach()
    list(APPEND LANEWORK_LIBDW ${CMAKE_DL_LIBS})
  endif()
endif()

# CUDA is optional: without a toolkit the cuda ladders are left out, and with one that is too old for their kernels.
set(LANEWORK_HAS_CUDA OFF)
set(oldest_cuda 12.4)
if(NOT LANEWORK_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --version OUTPUT_VARIABLE cuda_says ERROR_QUIET)
  endif()
  if(NOT CMAKE_CUDA_COMPILER)
    set(no_cuda "no CUDA compiler was found that works with this C++ compiler")
  elseif(cuda_says MATCHES "release ([0-9]+\\.[0-9]+)" AND CMAKE_MATCH_1 VERSION_LESS oldest_cuda)
    set(no_cuda "${CMAKE_CUDA_COMPILER} is of CUDA ${CMAKE_MATCH_1}")
  else()
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 75-virtual 90)  # machine code for Hopper, PTX for every other GPU since Turing
    endif()
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc has C++20
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(LANEWORK_HAS_CUDA ON)
  endif()
  if(NOT LANEWORK_HAS_CUDA)
    set(advice "GPU code needs a toolkit of ${oldest_cuda} or newer: set CUDACXX to its nvcc, and CUDAHOSTCXX to a g++ that it takes")
    if(LANEWORK_CUDA STREQUAL "ON")
      message(FATAL_ERROR "LANEWORK_CUDA is ON, but ${no_cuda}. ${advice}")
    endif()
    message(STATUS "Without code for GPUs: ${no_cuda}. ${advice}")
  endif()
endif()

# CUPTI is read with the records of one generation of its header; its library is opened at run time.
set(LANEWORK_HAS_CUPTI OFF)
if(LANEWORK_HAS_CUDA)
  find_path(LANEWORK_CUPTI_INCLUDE_DIR cupti.h HINTS ${CUDAToolkit_INCLUDE_DIRS} ${CUDAToolkit_TARGET_DIR}/extras/CUPTI/include)
  if(LANEWORK_CUPTI_INCLUDE_DIR)
    include(CheckCXXSourceCompiles)
    set(CMAKE_REQUIRED_INCLUDES ${LANEWORK_CUPTI_INCLUDE_DIR} ${CUDAToolkit_INCLUDE_DIRS})
    check_cxx_source_compiles("#include <cupti.h>
      CUpti_ActivityKernel10 kernel; CUpti_ActivityMemcpy6 copy; CUpti_ActivityMemcpyPtoP4 peer; CUpti_ActivityMemset4 fill;
      int main() { return static_cast<int>(kernel.start + copy.start + peer.start + fill.start); }" LANEWORK_CUPTI_READABLE)
    unset(CMAKE_REQUIRED_INCLUDES)
    set(LANEWORK_HAS_CUPTI ${LANEWORK_CUPTI_READABLE})
  endif()
  if(NOT LANEWORK_HAS_CUPTI)
    message(STATUS "No CUPTI of CUDA 13 was found: timelines of GPUs cannot be recorded")
  endif()
endif()

# Peers on the CPU. BLAS is opened at run time (its core type must be set before it loads); OpenCV is linked.
find_package(OpenCV QUIET COMPONENTS core imgproc)
if(LANEWORK_PORTABLE)
  set(OpenCV_FOUND OFF)
endif()
