# A ladder that is not there stops the configuration by its name; the registry of a build of some ladders has their rungs
# alone, and names the operations that it leaves out.
set(options -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${CXX} -D LANEWORK_TESTS=OFF -D LANEWORK_CUDA=OFF -D CMAKE_BUILD_TYPE=Release)
file(REMOVE_RECURSE ${WORK})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${ROOT} -B ${WORK} ${options} "-DLANEWORK_LADDERS=transpos;sobel"
                RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE message)
if(status EQUAL 0 OR NOT message MATCHES "LANEWORK_LADDERS names operations that are not in ops: transpos\n")
  message(FATAL_ERROR "a misspelt ladder ended with ${status}: ${message}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -S ${ROOT} -B ${WORK} ${options} "-DLANEWORK_LADDERS=transpose;sobel"
                RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE message)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "two ladders were not configured: ${message}")
endif()
file(READ ${WORK}/registry.cpp registry)
foreach(wanted IN ITEMS lanework_rung_simt_transpose_swizzled_tile lanework_rung_cpu_sobel_simd lanework_rung_simt_copy_vectorized
        lanework_operation_gray "\"gray\",")
  if(NOT registry MATCHES "${wanted}")
    message(FATAL_ERROR "the registry of two ladders has no ${wanted}")
  endif()
endforeach()
foreach(unwanted IN ITEMS lanework_rung_simt_gray lanework_rung_cpu_gray "\"sobel\"," "\"copy\",")
  if(registry MATCHES "${unwanted}")
    message(FATAL_ERROR "the registry of two ladders has ${unwanted}")
  endif()
endforeach()
