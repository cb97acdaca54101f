# Runs a program and compares what it prints with a file: cmake -DPROGRAM=… -DEXPECTED=… -P compare-output.cmake
file(READ ${EXPECTED} expected)
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE printed ERROR_VARIABLE said RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM}: status ${status}\n${printed}${said}")
endif()
if(NOT printed STREQUAL expected)
  message(FATAL_ERROR "${PROGRAM} printed\n${printed}where\n${expected}is expected\n${said}")
endif()
