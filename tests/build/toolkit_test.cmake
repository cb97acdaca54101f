# A toolkit that is too old for the kernels is told by its number in one line: it stops who asked for CUDA, and nobody else.
# `make` builds with CUDA, or without, as it is told.
include(${SOURCE}/project.cmake)
file(REMOVE_RECURSE ${WORK})
file(WRITE ${WORK}/nvcc "#!/bin/sh\necho 'Cuda compilation tools, release 12.3, V12.3.107'\n")
file(CHMOD ${WORK}/nvcc PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
foreach(wanted IN ITEMS ON AUTO)
  run(status ${CMAKE_COMMAND} -S ${ROOT} -B ${WORK}/${wanted} -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${CXX} -D LANEWORK_TESTS=OFF
      -D LANEWORK_LADDERS=transpose -D CMAKE_CUDA_COMPILER=${WORK}/nvcc -D LANEWORK_CUDA=${wanted})
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  expect_in_output("${WORK}/nvcc is of CUDA 12.3. GPU code needs a toolkit of 12.4 or newer: set CUDACXX")
  if(wanted STREQUAL "ON")
    expect_in_output("LANEWORK_CUDA is ON, but")
    expect("${status}" 1)
  else()
    expect("${status}" 0)
  endif()
endforeach()

find_program(MAKE make)
if(MAKE)
  run(status ${MAKE} -n -C ${ROOT} release LANEWORK_CUDA=OFF)
  expect_in_output("cmake --preset release -DLANEWORK_CUDA=OFF")
endif()
