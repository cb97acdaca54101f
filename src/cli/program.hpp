// The whole command line as one function, for the program and its tests.
#pragma once

namespace lanework {

/// Runs the command and returns its exit status. Catches everything.
int run_program(int count, char** words);

}  // namespace lanework
