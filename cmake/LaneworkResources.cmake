# Records what ptxas says of every kernel (registers, spills, shared memory) while the rungs are compiled, and makes a
# constant table of it. Without a CUDA toolkit the table is empty.

# lanework_record_resources(TARGET): the objects of this target leave their reports behind.
function(lanework_record_resources target)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xptxas=-v>)
  set(launcher ${PROJECT_SOURCE_DIR}/cmake/compile-and-record ${CMAKE_CUDA_COMPILER_LAUNCHER})
  set_target_properties(${target} PROPERTIES CUDA_COMPILER_LAUNCHER "${launcher}")
endfunction()

# lanework_kernel_table(TARGET [objects…]): an object library with the table of the kernels in these objects, of which some
# may be written <operation>/<rung>=OBJECT.
function(lanework_kernel_table target)
  set(table ${PROJECT_BINARY_DIR}/kernel_table.cpp)
  add_library(${target} OBJECT ${table})
  target_link_libraries(${target} PRIVATE lanework_settings)
  if(NOT ARGN)
    file(CONFIGURE OUTPUT ${table} CONTENT "// Generated: nothing in this build was compiled by ptxas.
#include \"src/gpu/kernel_table.hpp\"

namespace lanework::generated {
constinit const std::span<const CompiledKernel> kernels{};
}
" @ONLY)
    return()
  endif()
  list(TRANSFORM ARGN REPLACE "^[a-z_0-9]+/[a-z_0-9]+=" "" OUTPUT_VARIABLE objects)
  add_custom_command(
    OUTPUT ${table}
    COMMAND lanework-kernel-table ${table} ${ARGN}
    DEPENDS lanework-kernel-table ${objects}
    COMMENT "Recording the registers of every kernel" COMMAND_EXPAND_LISTS VERBATIM)
endfunction()
