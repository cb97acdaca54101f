# Runs a program with `lanework run` and compares what it prints with the file beside it; then `lanework check` must find
# nothing. cmake -DLANEWORK=… -DPROGRAM=file.cu -DEXPECTED=file.expected "-DCOMMANDS=run;check --schedules 20"
# -P run-and-compare.cmake
get_filename_component(folder ${PROGRAM} DIRECTORY)
file(READ ${EXPECTED} expected)
foreach(command IN LISTS COMMANDS)
  separate_arguments(words UNIX_COMMAND "${command}")
  execute_process(COMMAND ${LANEWORK} ${words} ${PROGRAM} WORKING_DIRECTORY ${folder}
                  OUTPUT_VARIABLE printed ERROR_VARIABLE said RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "lanework ${command} ${PROGRAM}: status ${status}\n${printed}${said}")
  endif()
  if(NOT printed STREQUAL expected)
    message(FATAL_ERROR "lanework ${command} ${PROGRAM} printed\n${printed}where\n${expected}is expected\n${said}")
  endif()
endforeach()
