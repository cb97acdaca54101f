// The program: reads the command line, runs one command, and turns what was thrown into one line and an exit status.
#include "src/cli/program.hpp"

int main(int count, char** words) { return lanework::run_program(count, words); }
