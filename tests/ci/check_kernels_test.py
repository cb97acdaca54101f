"""examples/ci: the script on a repository of its own, and the steps of the action against what there is.

LANEWORK names the program, SOURCE the project's folder.
"""
import os
import re
import subprocess
import tempfile
import unittest

LANEWORK, SOURCE = os.environ["LANEWORK"], os.environ["SOURCE"]
SCRIPT = os.path.join(SOURCE, "examples/ci/check-kernels")
PROGRAM = """// Adds numbers.
#include <cstdio>
#include <cstdlib>
__global__ void add(const float* x, const float* y, float* z, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int at = PLACE;
    if (i < n) z[at] = x[at] + y[at];
}
int main(int count, char** words) {
    const int n = count > 1 ? std::atoi(words[1]) : 1024;
    float *x, *y, *z;
    cudaMallocManaged(&x, 32 * n * sizeof(float));
    cudaMallocManaged(&y, 32 * n * sizeof(float));
    cudaMallocManaged(&z, 32 * n * sizeof(float));
    for (int i = 0; i < 32 * n; ++i) x[i] = y[i] = i;
    add<<<(n + 255) / 256, 256>>>(x, y, z, n);
    cudaDeviceSynchronize();
    std::printf("%g\\n", z[0]);
}
"""
COALESCED, STRIDED = PROGRAM.replace("PLACE", "i"), PROGRAM.replace("PLACE", "32 * i")
BEYOND = COALESCED.replace("z[at] =", "z[32 * n + i] =")


class CheckKernels(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.git("init", "--quiet")
        self.commit(COALESCED)

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words], cwd=self.folder, check=True,
                       capture_output=True)

    def commit(self, program):
        with open(os.path.join(self.folder, "add.cu"), "w", encoding="utf-8") as file:
            file.write(program)
        self.git("add", "add.cu")
        self.git("commit", "--quiet", "-m", "a change")

    def check(self, *words):
        """The script's status and its comment."""
        run = subprocess.run([SCRIPT, *words], cwd=self.folder, capture_output=True, text=True,
                             env=dict(os.environ, LANEWORK=LANEWORK))
        comment = os.path.join(self.folder, "out/comment.md")
        if not os.path.exists(comment):
            return run.returncode, run.stderr
        with open(comment, encoding="utf-8") as file:
            return run.returncode, file.read()

    def test_a_change_that_costs_nothing_passes(self):
        self.commit(COALESCED.replace("Adds numbers", "Adds two numbers"))
        status, comment = self.check("HEAD~1", "out", "add.cu -- 4096")
        self.assertEqual(status, 0, comment)
        self.assertIn("1 result compared: 1 same", comment)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "out/report.html")))

    def test_a_stride_is_told_as_slower(self):
        self.commit(STRIDED)
        status, comment = self.check("HEAD~1", "out", "add.cu -- 4096")
        self.assertEqual(status, 1, comment)
        self.assertIn("1 slower", comment)
        self.assertIn("uncoalesced", comment)

    def test_an_access_out_of_bounds_is_told_with_its_line(self):
        self.commit(BEYOND)
        status, comment = self.check("HEAD~1", "out", "add.cu -- 4096")
        self.assertEqual(status, 1, comment)
        self.assertIn("add.cu:7", comment)
        self.assertIn("of them errors**", comment)

    def test_a_new_program_has_nothing_to_be_compared_with(self):
        self.git("mv", "add.cu", "sum.cu")
        self.git("commit", "--quiet", "-m", "another name")
        status, comment = self.check("HEAD~1", "out", "sum.cu")
        self.assertEqual(status, 0, comment)
        self.assertNotIn("compared", comment)

    def test_what_does_not_compile_is_no_regression(self):
        self.commit("int main() { return nothing; }\n")
        self.assertEqual(self.check("HEAD~1", "out", "add.cu")[0], 3)

    def test_a_commit_that_is_not_there_is_refused(self):
        status, said = self.check("nowhere", "out", "add.cu")
        self.assertEqual(status, 2)
        self.assertIn("nowhere is no commit", said)

    def test_the_action_calls_what_there_is(self):
        with open(os.path.join(SOURCE, "examples/ci/kernels.yml"), encoding="utf-8") as file:
            action = file.read()
        self.assertIn("./check-kernels ", action)
        with open(os.path.join(SOURCE, "Makefile"), encoding="utf-8") as file:
            self.assertRegex(file.read(), r"(?m)^install:")
        for step in re.findall(r"run: \|\n((?: {10}.*\n)+)", action):
            said = subprocess.run(["bash", "-n"], input=step, text=True, capture_output=True)
            self.assertEqual(said.returncode, 0, said.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
