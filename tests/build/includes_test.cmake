# scripts/check-includes finds a standard name whose header neither the file nor what it includes of ours has.
include(${SOURCE}/project.cmake)

function(check wanted text)
  file(WRITE ${WORK}/checked.cpp "${text}")
  run(status ${PYTHON} ${ROOT}/scripts/check-includes ${WORK}/checked.cpp)
  expect("${status}" ${wanted})
  set(output "${output}" PARENT_SCOPE)
endfunction()

set(use "int f(int n) { return std::clamp(n, 0, 9); }\n")
check(1 "#include <vector>\n${use}")
expect_in_output("checked.cpp:2: std::clamp needs #include <algorithm>")
check(0 "#include <algorithm>\n${use}")

file(WRITE ${WORK}/ours.hpp "#include \"theirs.hpp\"\n")
file(WRITE ${WORK}/theirs.hpp "#include <algorithm>\n")
check(0 "#include \"ours.hpp\"\n${use}")
check(0 "// std::clamp is a comment here\nconst char* text = \"std::clamp\";\n")
