# scripts/check-skips finds what was skipped by GoogleTest, by an exit status, by unittest and by being switched off, and
# is content when the list has a reason for each.
include(${SOURCE}/project.cmake)
configure(${SOURCE}/skips -D GTest_DIR=${GTEST} -D PYTHON=${PYTHON} -D CMAKE_CXX_STANDARD=20)
run(status ${CMAKE_COMMAND} --build ${WORK})
expect("${status}" 0)
run(status ${CMAKE_CTEST_COMMAND} --test-dir ${WORK} --output-junit ${WORK}/tests.xml)
expect("${status}" 0)

function(check wanted list)
  file(WRITE ${WORK}/list "${list}")
  run(status ${PYTHON} ${ROOT}/scripts/check-skips ${WORK}/tests.xml ${WORK}/list)
  expect("${status}" ${wanted})
  set(output "${output}" PARENT_SCOPE)
endfunction()

check(1 "# nothing\n")
expect_in_output("Suite.Skips: the words of GoogleTest (NOT IN" "Suite.IsOff: disabled (NOT IN" "by its status: SKIP_RETURN_CODE=77 (NOT IN"
                 "python: suite: test_skips: the words of unittest (NOT IN" "5 tests, 4 skips, 4 of them without a reason")
check(1 "area: Suite.* | a reason\nby its status | another\n")
expect_in_output("Suite.Skips: a reason" "by its status: another" "4 skips, 1 of them without a reason")
check(0 "area: Suite.* | a reason\nby its status | another  # a comment\npython: suite: test_skips | a third\n")
expect_in_output("5 tests, 4 skips, 0 of them without a reason")
check(1 "area: Suite.*\n")
expect_in_output("list:1: expected `pattern | reason`, found `area: Suite.*`")
file(WRITE ${WORK}/list "# nothing\n")
run(status ${PYTHON} ${ROOT}/scripts/check-skips ${WORK}/list ${WORK}/list)
expect("${status}" 1)
expect_in_output("not what ctest --output-junit writes")
