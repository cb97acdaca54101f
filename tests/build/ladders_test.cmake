# A ladder or a command that is not there stops the configuration by its name; the registry of a build of some ladders has
# their operations and rungs alone, beside what measures ceilings, and names those that it leaves out, as a build of some commands
# does. Without CUDA no kernel measures a ceiling.
set(options -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${CXX} -D LANEWORK_TESTS=OFF -D LANEWORK_CUDA=OFF -D CMAKE_BUILD_TYPE=Release)
file(REMOVE_RECURSE ${WORK})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${ROOT} -B ${WORK} ${options} "-DLANEWORK_LADDERS=transpos;sobel"
                RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE message)
if(status EQUAL 0 OR NOT message MATCHES "LANEWORK_LADDERS names operations that are not in ops: transpos\n")
  message(FATAL_ERROR "a misspelt ladder ended with ${status}: ${message}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -S ${ROOT} -B ${WORK} ${options} "-DLANEWORK_LADDERS=" "-DLANEWORK_COMMANDS=clim;check"
                RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE message)
if(status EQUAL 0 OR NOT message MATCHES "LANEWORK_COMMANDS names commands that are not in src/cli: clim\n")
  message(FATAL_ERROR "a misspelt command ended with ${status}: ${message}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -S ${ROOT} -B ${WORK} ${options} "-DLANEWORK_LADDERS=transpose;sobel;blur:cpu"
                        "-DLANEWORK_COMMANDS=check;compare;report;doctor"
                RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE message)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "two ladders were not configured: ${message}")
endif()
file(READ ${WORK}/registry.cpp registry)
foreach(wanted IN ITEMS lanework_rung_simt_transpose_swizzled_tile lanework_rung_cpu_sobel_simd lanework_rung_cpu_copy_streaming
        lanework_rung_cpu_blur_simd "\"gray\"," "kWithoutKernels{\n *\"blur\",")
  if(NOT registry MATCHES "${wanted}")
    message(FATAL_ERROR "the registry of two ladders has no ${wanted}")
  endif()
endforeach()
foreach(unwanted IN ITEMS lanework_operation_gray lanework_rung_simt_blur lanework_rung_simt_gray lanework_rung_cpu_gray lanework_rung_simt_copy
        "\"sobel\",")
  if(registry MATCHES "${unwanted}")
    message(FATAL_ERROR "the registry of two ladders has ${unwanted}")
  endif()
endforeach()
file(READ ${WORK}/src/commands_left_out.cpp commands)
foreach(wanted IN ITEMS "add_compare_images\\(CLI::App& app, Context& context\\) { leave_out\\(app, context, \"compare-images\"\\)" add_profile add_climb)
  if(NOT commands MATCHES "${wanted}")
    message(FATAL_ERROR "the build of four commands does not leave out ${wanted}")
  endif()
endforeach()
foreach(unwanted IN ITEMS "add_compare\\(" add_report add_doctor add_check)
  if(commands MATCHES "${unwanted}")
    message(FATAL_ERROR "the build of four commands leaves out ${unwanted}")
  endif()
endforeach()
# Of what only `profile` calls nothing is compiled; of what `report` calls, too, everything.
file(STRINGS ${WORK}/build.ninja built REGEX "^build .*(profile_timeline|profile_jobs|nsight_compute|report/html/page)\\.cpp\\.o:")
if(NOT built MATCHES "profile_timeline" OR NOT built MATCHES "report/html/page" OR built MATCHES "profile_jobs|nsight_compute")
  message(FATAL_ERROR "the build of four commands compiles ${built}")
endif()
