# A quick build (LANEWORK_QUICK=-O0 or -O1): the code around the kernels is optimised that little, headers are
# precompiled, and rungs in vector code are compiled for this machine's instructions alone. Kernels, the simt device and
# everything that is timed keep their optimisation. docs/build.md has the figures.

# lanework_precompile(TARGET FILE): the sources of the target share the headers that this file includes.
function(lanework_precompile target file)
  if(LANEWORK_QUICK)
    target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled/${file})
  endif()
endfunction()

if(LANEWORK_QUICK)
  # Sources that are compiled together need half a gigabyte, which g++ would go through again and again for what it could free.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1048576>)
  endif()

  # Two dozen programs hold every ladder: the linker of LLVM takes a third of the time.
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=lld LANEWORK_LINKS_WITH_LLD)
  if(LANEWORK_LINKS_WITH_LLD)
    add_link_options(-fuse-ld=lld)
  endif()

  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/host_headers.cpp CONTENT "// Carries the precompiled header of the host's program.\n")
  add_library(lanework_host_headers OBJECT ${PROJECT_BINARY_DIR}/host_headers.cpp)
  target_link_libraries(lanework_host_headers PRIVATE lanework_settings ${LANEWORK_FMT})
  # Operations of which every product and sum is rounded by itself read the same headers.
  target_compile_options(lanework_host_headers PRIVATE ${LANEWORK_QUICK} -ffp-contract=off)
  lanework_precompile(lanework_host_headers host.hpp)
endif()

# lanework_host_code(targets…): code that nobody times.
function(lanework_host_code)
  if(LANEWORK_QUICK)
    foreach(target IN LISTS ARGN)
      target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${LANEWORK_QUICK};-ffp-contract=off>")
      target_link_libraries(${target} PRIVATE ${LANEWORK_FMT})
      target_precompile_headers(${target} REUSE_FROM lanework_host_headers)
      lanework_unite(${target})
    endforeach()
  endif()
endfunction()

# lanework_vector_code(files…): of these, the sources that Highway compiles once for each instruction set.
function(lanework_vector_code)
  if(LANEWORK_QUICK)
    foreach(file IN LISTS ARGN)
      file(STRINGS ${file} multiplied REGEX "hwy/foreach_target\\.h")
      if(multiplied)
        set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS -march=native)
        set_property(SOURCE ${file} APPEND PROPERTY COMPILE_DEFINITIONS HWY_COMPILE_ONLY_STATIC)
        set_property(SOURCE ${file} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
      endif()
    endforeach()
  endif()
endfunction()
