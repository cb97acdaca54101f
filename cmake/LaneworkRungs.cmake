# Finds the rungs, compiles each for every device that can run it, and generates the constant list of them.
# A file's name is its rung's: ops/transpose/padded_tile.cu holds LANEWORK_RUNG(transpose, padded_tile, …).

# The optimisation and instrumentation of kernels on the simt device: every access calls a hook of src/simt.
# What a warp's lanes execute together is told from the places of their accesses in the code, so the code keeps to the
# source's: no access is merged, widened, split (an int4 stays one access) or moved away from its own, and blocks stand in
# the order of the program.
set(options -O2 -g1 -ffp-contract=off -fsanitize=thread,bounds -fno-strict-aliasing -fno-tree-vectorize
    -fno-optimize-sibling-calls  # a hook must return into the kernel
    -Wno-unknown-pragmas)
# g++ 14 sinks a load below a branch of which one side alone uses it; among the "expensive optimizations" of every g++ is
# one that adds a joined load to those of neighbours that are put together, as in p[0] | p[1] << 8.
set(LANEWORK_SIMT_OPTIONS_GNU ${options} -fsanitize-coverage=trace-pc --param=tsan-instrument-func-entry-exit=0
    --param=tsan-distinguish-volatile=1 -fno-store-merging -fno-tree-tail-merge -fno-crossjumping -fno-ipa-icf
    -fno-reorder-blocks -fno-reorder-blocks-and-partition -fno-tree-loop-distribute-patterns -fno-tree-slp-vectorize
    -fno-tree-sra -fno-thread-jumps -fno-tree-sink -fno-expensive-optimizations -Wno-tsan)
set(LANEWORK_SIMT_OPTIONS_CLANG ${options} -fno-slp-vectorize -fno-unroll-loops -fsanitize-coverage=bb,trace-pc
    "SHELL:-mllvm -tsan-instrument-func-entry-exit=0" "SHELL:-mllvm -tsan-distinguish-volatile=1"
    "SHELL:-mllvm -tsan-instrument-read-before-write=1"  # x[i] += 1 reads x[i], too
    # Accesses of two branches stay two, and a warp's lanes meet in one place.
    "SHELL:-mllvm -simplifycfg-sink-common=0" "SHELL:-mllvm -simplifycfg-hoist-common=0" "SHELL:-mllvm -enable-tail-merge=0"
    "SHELL:-mllvm -jump-threading-threshold=0"
    -Wno-unused-const-variable  # a constant that only __launch_bounds__ names
    -Wno-pass-failed)  # an instrumented loop need not unroll
# clang from 16 on makes one load of such neighbours; older ones do not know the option, and need none.
set(LANEWORK_CLANG_SEPARATE_LOADS "-mllvm -aggressive-instcombine-max-scan-instrs=0")

# lanework_clang_options(OUT_VARIABLE COMPILER): LANEWORK_SIMT_OPTIONS_CLANG for a clang++, with those that it may not know.
function(lanework_clang_options out compiler)
  set(all ${LANEWORK_SIMT_OPTIONS_CLANG})
  separate_arguments(words UNIX_COMMAND "${LANEWORK_CLANG_SEPARATE_LOADS}")
  execute_process(COMMAND ${compiler} ${words} -x c++ -fsyntax-only /dev/null RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(status EQUAL 0)
    list(APPEND all "SHELL:${LANEWORK_CLANG_SEPARATE_LOADS}")
  endif()
  set(${out} ${all} PARENT_SCOPE)
endfunction()

if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(LANEWORK_SIMT_OPTIONS ${LANEWORK_SIMT_OPTIONS_GNU})
else()
  lanework_clang_options(LANEWORK_SIMT_OPTIONS ${CMAKE_CXX_COMPILER})
endif()

# Whole programs may launch a kernel with a null pointer that the compiler can see: it must fail where it is used.
set(program_options -fno-delete-null-pointer-checks)
set(LANEWORK_SIMT_PROGRAM_OPTIONS ${LANEWORK_SIMT_OPTIONS} ${program_options})

# lanework_separate_words(OUT_VARIABLE options…): each word by itself, for what does not know SHELL:, such as a source's options.
function(lanework_separate_words out)
  string(JOIN " " words ${ARGN})
  string(REPLACE "SHELL:" "" words "${words}")
  separate_arguments(words UNIX_COMMAND "${words}")
  set(${out} ${words} PARENT_SCOPE)
endfunction()

# lanework_program_options(OUT_VARIABLE GNU|CLANG): the same in one line, for the program, which compiles programs itself
# with whichever compiler is there.
function(lanework_program_options out family)
  lanework_separate_words(words ${LANEWORK_SIMT_OPTIONS_${family}} ${program_options})
  string(JOIN " " words ${words})
  set(${out} "${words}" PARENT_SCOPE)
endfunction()

# What nvcc needs to know to compile a rung.
set(LANEWORK_CUDA_OPTIONS -lineinfo --extended-lambda --expt-relaxed-constexpr)

# lanework_simt_sources(OUT_VARIABLE files…): the C++ that cudafe makes of CUDA files.
function(lanework_simt_sources out)
  set(translated)
  foreach(file IN LISTS ARGN)
    string(REPLACE "${PROJECT_BINARY_DIR}/simt/" "${PROJECT_SOURCE_DIR}/" place ${file})
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${place})
    set(cpp ${PROJECT_BINARY_DIR}/simt/${name}.cpp)
    get_filename_component(folder ${cpp} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(
      OUTPUT ${cpp}
      COMMAND lanework-cudafe ${file} -o ${cpp} --depfile ${cpp}.d -I ${PROJECT_SOURCE_DIR} -I ${PROJECT_SOURCE_DIR}/include
      DEPENDS ${file} lanework-cudafe
      DEPFILE ${cpp}.d
      COMMENT "Translating ${name} for simt" VERBATIM)
    list(APPEND translated ${cpp})
  endforeach()
  set(${out} ${translated} PARENT_SCOPE)
endfunction()

# lanework_rung_library(TARGET DEVICE files…): an object library of rungs for one device. The property
# LANEWORK_RUNG_SYMBOLS of the target lists the entries that they define.
function(lanework_rung_library target device)
  set(symbols)
  foreach(file IN LISTS ARGN)
    get_filename_component(name ${file} NAME_WE)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${file})
    string(REGEX REPLACE "^(ops|tests/wrong)/([^/]+)/.*" "\\2" operation ${path})
    list(APPEND symbols lanework_rung_${device}_${operation}_${name})
  endforeach()
  set(sources ${ARGN})
  if((device STREQUAL cuda AND LANEWORK_UNITE_KERNELS) OR (device STREQUAL simt AND LANEWORK_QUICK AND LANEWORK_UNITE))
    lanework_unite_rungs(sources ${device} ${ARGN})
  endif()
  if(device STREQUAL simt)
    lanework_simt_sources(sources ${sources})
  endif()
  add_library(${target} OBJECT ${sources})
  set_target_properties(${target} PROPERTIES LANEWORK_RUNG_SYMBOLS "${symbols}")
  target_compile_definitions(${target} PRIVATE LANEWORK_DEVICE=${device})
  target_link_libraries(${target} PRIVATE lanework_settings)
  if(device STREQUAL simt)
    target_compile_options(${target} PRIVATE ${LANEWORK_SIMT_OPTIONS})
    target_link_libraries(${target} PRIVATE lanework_simt)
    lanework_precompile(${target} simt_rungs.hpp)
  elseif(device STREQUAL cuda)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${LANEWORK_CUDA_OPTIONS}>)
    target_link_libraries(${target} PRIVATE lanework_cuda)
  else()
    target_link_libraries(${target} PRIVATE lanework_cpu lanework_peers OpenMP::OpenMP_CXX)
    target_include_directories(${target} SYSTEM PRIVATE ${HIGHWAY_INCLUDE_DIR})
    lanework_precompile(${target} cpu_rungs.hpp)
    lanework_vector_headers(${target})
  endif()
endfunction()

# lanework_gpu_code(TARGET cuda|simt files…): an object library of CUDA files that are no rungs, for one kind of device.
function(lanework_gpu_code target device)
  set(sources ${ARGN})
  if(device STREQUAL simt)
    lanework_simt_sources(sources ${ARGN})
  endif()
  add_library(${target} OBJECT ${sources})
  target_compile_definitions(${target} PRIVATE LANEWORK_DEVICE=${device})
  target_link_libraries(${target} PRIVATE lanework_settings)
  if(device STREQUAL simt)
    target_compile_options(${target} PRIVATE ${LANEWORK_SIMT_OPTIONS})
    target_link_libraries(${target} PRIVATE lanework_simt)
  else()
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${LANEWORK_CUDA_OPTIONS}>)
    target_link_libraries(${target} PRIVATE lanework_cuda)
  endif()
endfunction()

# lanework_registry(FILE OPERATIONS symbols… RUNGS symbols… DEVICES symbols… [LEFT_OUT names…] [WITHOUT_KERNELS names…]): writes the
# constant lists, and the names of the operations that are not among them, and of those whose CUDA rungs are not.
function(lanework_registry file)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPERATIONS;RUNGS;DEVICES;LEFT_OUT;WITHOUT_KERNELS")
  foreach(kind OPERATION RUNG DEVICE)
    set(declarations)
    set(entries)
    foreach(symbol IN LISTS arg_${kind}S)
      string(APPEND declarations "\n    ${symbol},")
      string(APPEND entries "\n    &${symbol},")
    endforeach()
    string(REGEX REPLACE ",$" ";" declarations "${declarations}")
    set(LANEWORK_${kind}_DECLARATIONS "${declarations}")
    set(LANEWORK_${kind}_ENTRIES "${entries}")
  endforeach()
  foreach(kind LEFT_OUT WITHOUT_KERNELS)
    list(TRANSFORM arg_${kind} REPLACE "(.+)" "\n    \"\\1\"," OUTPUT_VARIABLE names)
    list(LENGTH arg_${kind} LANEWORK_${kind}_COUNT)
    list(JOIN names "" LANEWORK_${kind})
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/registry.cpp.in ${file} @ONLY)
endfunction()
