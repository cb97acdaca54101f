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

# lanework_vector_headers(TARGET): the sources of the target that Highway compiles share its headers, precompiled twice: a
# compiler may fuse products and sums in some, and in none of those that are rounded one by one (-ffp-contract=off). Each takes
# as long as four such sources gain. The header is found where CMake puts it for Ninja; clang++ reads one in another way. g++
# forgets that its own headers switched warnings off where they were precompiled (_mm512_undefined_ps() is nowhere initialised);
# clang++ still says what it has to say of these sources (scripts/check-sources).
function(lanework_vector_headers target)
  if(NOT LANEWORK_QUICK OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU OR NOT CMAKE_GENERATOR STREQUAL Ninja)
    return()
  endif()
  # A compiler that is a position-independent program (ELF's type 3) reads 80 MB for longer than their text.
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-prog-name=cc1plus OUTPUT_VARIABLE compiler OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(EXISTS "${compiler}")
    file(READ "${compiler}" type OFFSET 16 LIMIT 1 HEX)
  endif()
  if(NOT type STREQUAL "02")
    return()
  endif()
  set(fused)
  set(rounded)
  get_target_property(sources ${target} SOURCES)
  foreach(file IN LISTS sources)
    get_property(definitions SOURCE ${file} PROPERTY COMPILE_DEFINITIONS)
    get_property(options SOURCE ${file} PROPERTY COMPILE_OPTIONS)
    if("-ffp-contract=off" IN_LIST options AND "HWY_COMPILE_ONLY_STATIC" IN_LIST definitions)
      list(APPEND rounded ${file})
    elseif("HWY_COMPILE_ONLY_STATIC" IN_LIST definitions)
      list(APPEND fused ${file})
    endif()
  endforeach()
  foreach(kind fused rounded)
    list(LENGTH ${kind} count)
    if(count LESS 5)
      continue()
    endif()
    set(headers ${target}_${kind}_headers)
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${headers}.cpp CONTENT "// Carries the precompiled header of vector code.\n")
    add_library(${headers} OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/${headers}.cpp)
    foreach(property COMPILE_DEFINITIONS COMPILE_OPTIONS INCLUDE_DIRECTORIES SYSTEM_INCLUDE_DIRECTORIES)
      set_property(TARGET ${headers} PROPERTY ${property} $<TARGET_PROPERTY:${target},${property}>)
    endforeach()
    target_compile_definitions(${headers} PRIVATE HWY_COMPILE_ONLY_STATIC)
    target_compile_options(${headers} PRIVATE $<$<STREQUAL:${kind},rounded>:-ffp-contract=off> -march=native)
    lanework_precompile(${headers} cpu_vectors.hpp)
    set(header ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${headers}.dir/cmake_pch.hxx)
    set_property(SOURCE ${${kind}} APPEND PROPERTY COMPILE_OPTIONS -Winvalid-pch -Wno-uninitialized -Wno-maybe-uninitialized -include ${header})
    set_property(SOURCE ${${kind}} APPEND PROPERTY OBJECT_DEPENDS ${header}.gch)
  endforeach()
endfunction()
