# Installs the build folder BUILD into a fresh folder below WORK, builds the project SOURCE against that alone, runs its
# programs and compares what they print. ERRORS is -Werror, or empty.
set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${WORK})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "${command} ended with ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect_in text)
  foreach(expected IN LISTS ARGN)
    string(FIND "${text}" "${expected}" at)
    if(at EQUAL -1)
      message(FATAL_ERROR "expected \"${expected}\" in:\n${text}")
    endif()
  endforeach()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
file(GLOB_RECURSE headers RELATIVE ${prefix}/include ${prefix}/include/*)
list(FILTER headers EXCLUDE REGEX "^lanework/[a-z_]+\\.hpp$|^lanework_cuda/")  # and CUDA's names, for programs
if(headers)
  message(FATAL_ERROR "these are no public headers: ${headers}")
endif()

run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_BUILD_TYPE=Release
    -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_FLAGS=-Wall\ -Wextra\ ${ERRORS})
run(${CMAKE_COMMAND} --build ${WORK}/build)

run(${WORK}/build/image_tensor)
expect_in("${output}" "480x640 pixels became 3x320x320 numbers" "at (0, 0): 0.447 0.447 0.447"
          "at (160, 160): 0.502 0.502 1.000" "the corner (0, 40) of the letterbox is (0, 0) in the picture")
run(${WORK}/build/neighbor_list)
expect_in("${output}" "1000 atoms, 18000 pairs, 18 of them of the first atom")
file(WRITE ${WORK}/photo.pgm "P2\n4 3\n255\n0 0 255 255\n0 0 255 255\n0 0 255 255\n")
file(WRITE ${WORK}/atoms.xyz "3\n\nC 0 0 0\nC 1.5 0 0\nC 3 0 0\n")
run(${WORK}/build/own_files ${WORK}/photo.pgm ${WORK}/edges.png ${WORK}/atoms.xyz)
expect_in("${output}" "edges.png: 3x4 pixels" "3 atoms, 4 pairs")
run(${prefix}/bin/lanework --version)

# The Python package, with the interpreter PYTHON, which has NumPy.
file(GLOB package ${prefix}/lib*/lanework/python)
if(package)
  run(${CMAKE_COMMAND} -E env PYTHONPATH=${package} PYTHONDONTWRITEBYTECODE=1 ${PYTHON} -c
      "import lanework, numpy\nprint(len(lanework.neighbor_list('i', numpy.zeros((3, 3)), None, False, 1.0)), 'pairs')")
  expect_in("${output}" "6 pairs")
endif()

# CUDA in a project, by lanework_add_cuda and as a language of it, with no GPU and no other part of the package.
if(EXISTS ${prefix}/bin/lanework-nvcc)
  set(ENV{XDG_CACHE_HOME} ${WORK}/cache)
  set(cuda ${SOURCE}/../cmake)
  run(${CMAKE_COMMAND} -S ${cuda}/add_cuda -B ${WORK}/add_cuda -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${CXX}
      -D CMAKE_PREFIX_PATH=${prefix})
  run(${CMAKE_COMMAND} --build ${WORK}/add_cuda)
  run(${WORK}/add_cuda/scale)
  expect_in("${output}" "3 2997")
  run(${prefix}/bin/lanework check ${WORK}/add_cuda/scale)
  expect_in("${output}" "no findings in 1 launch of 1 kernel")
  file(GLOB toolchain ${prefix}/lib*/cmake/lanework/lanework-toolchain.cmake ${prefix}/lib/*/cmake/lanework/lanework-toolchain.cmake)
  run(${CMAKE_COMMAND} -S ${cuda}/language -B ${WORK}/language -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${CXX}
      -D CMAKE_TOOLCHAIN_FILE=${toolchain} -D CMAKE_CUDA_ARCHITECTURES=native)
  run(${CMAKE_COMMAND} --build ${WORK}/language)
  run(${WORK}/language/sums)
  expect_in("${output}" "499500")

  # Each of two folders of a project finds the package by itself, and a build folder does when the package has moved.
  set(two ${WORK}/two)
  file(WRITE ${two}/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)\nproject(two CXX)\nadd_subdirectory(a)\nadd_subdirectory(b)\n")
  foreach(folder IN ITEMS a b)
    file(WRITE ${two}/${folder}/CMakeLists.txt "find_package(lanework REQUIRED COMPONENTS cuda)\nadd_executable(${folder})\n"
                                               "lanework_add_cuda(${folder} ${folder}.cu)\n")
    file(WRITE ${two}/${folder}/${folder}.cu "__global__ void nothing() {}\nint main() { nothing<<<1, 1>>>(); return cudaDeviceSynchronize(); }\n")
  endforeach()
  run(${CMAKE_COMMAND} -S ${two} -B ${two}/build -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_PREFIX_PATH=${prefix})
  run(${CMAKE_COMMAND} --build ${two}/build)
  run(${two}/build/b/b)
  file(RENAME ${prefix} ${WORK}/moved)
  run(${CMAKE_COMMAND} ${two}/build -D CMAKE_PREFIX_PATH=${WORK}/moved)
  run(${CMAKE_COMMAND} --build ${two}/build)
  run(${two}/build/a/a)
  file(RENAME ${WORK}/moved ${prefix})
endif()

# What is installed can be taken away again, all of it.
# What cannot be removed (root may remove any file; a folder is none) is no success.
file(MAKE_DIRECTORY ${WORK}/kept)
file(WRITE ${WORK}/kept_manifest.txt "${WORK}/kept\n")
execute_process(COMMAND ${CMAKE_COMMAND} -D MANIFEST=${WORK}/kept_manifest.txt -P ${SOURCE}/../../cmake/uninstall.cmake
                RESULT_VARIABLE status ERROR_VARIABLE said OUTPUT_QUIET)
if(status EQUAL 0 OR NOT said MATCHES "cannot be removed")
  message(FATAL_ERROR "an uninstallation that leaves a file ended well: ${said}")
endif()
run(${CMAKE_COMMAND} -D MANIFEST=${BUILD}/install_manifest.txt -P ${SOURCE}/../../cmake/uninstall.cmake)
file(GLOB_RECURSE left ${prefix}/*)
file(GLOB_RECURSE folders LIST_DIRECTORIES true ${prefix}/*)
list(FILTER folders INCLUDE REGEX "/lanework[^/]*$")
list(APPEND left ${folders})
if(left)
  message(FATAL_ERROR "these are left after an uninstallation: ${left}")
endif()
