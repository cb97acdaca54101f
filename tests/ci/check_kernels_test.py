"""examples/ci: the script on a repository of its own, and the steps of the action against what there is.

LANEWORK names the program, SOURCE the project's folder.
"""
import os
import re
import shutil
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
    @classmethod
    def setUpClass(cls):
        # One place for all, so that a program is compiled once: what is kept is known by its path, too.
        cls.place = tempfile.TemporaryDirectory()
        cls.cache = os.path.join(cls.place.name, "cache")

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def setUp(self):
        self.folder = os.path.join(self.place.name, "kernels")
        shutil.rmtree(self.folder, ignore_errors=True)
        os.mkdir(self.folder)
        self.git("init", "--quiet", "--initial-branch=main")
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
                             env=dict(os.environ, LANEWORK=LANEWORK, XDG_CACHE_HOME=self.cache))
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
        self.assertIn("of them an error**", comment)

    def test_a_new_program_has_nothing_to_be_compared_with(self):
        self.git("mv", "add.cu", "sum.cu")
        self.git("commit", "--quiet", "-m", "another name")
        status, comment = self.check("HEAD~1", "out", "sum.cu")
        self.assertEqual(status, 0, comment)
        self.assertNotIn("compared", comment)

    def test_a_ladder_is_compared_too(self):
        shutil.copytree(os.path.join(SOURCE, "examples/ladders/saxpy"), os.path.join(self.folder, "saxpy"))
        self.git("add", "saxpy")
        self.commit(COALESCED)
        kernel = os.path.join(self.folder, "saxpy/naive.cu")
        with open(kernel, encoding="utf-8") as file:
            text = file.read()
        with open(kernel, "w", encoding="utf-8") as file:
            file.write("// Another first line.\n" + text)
        self.git("commit", "--quiet", "-am", "a change")
        status, comment = self.check("HEAD~1", "out", "add.cu", "./saxpy")
        self.assertEqual(status, 0, comment)
        self.assertIn("3 results compared: 3 same", comment)
        self.assertIn("| saxpy/naive |", comment)
        self.assertIn("| add |", comment)

    def test_what_does_not_compile_is_no_regression(self):
        self.commit("int main() { return nothing; }\n")
        self.assertEqual(self.check("HEAD~1", "out", "add.cu")[0], 3)

    def test_a_commit_that_is_not_there_is_refused(self):
        status, said = self.check("nowhere", "out", "add.cu")
        self.assertEqual(status, 2)
        self.assertIn("nowhere is no commit", said)

    def test_a_run_that_was_killed_does_not_stop_the_next(self):
        self.git("worktree", "add", "--detach", os.path.join(self.folder, "out/before/tree"))
        self.commit(COALESCED.replace("Adds numbers", "Adds two numbers"))
        status, comment = self.check("HEAD~1", "out", "add.cu -- 4096")
        self.assertEqual(status, 0, comment)
        self.assertEqual(subprocess.run(["git", "worktree", "list"], cwd=self.folder, capture_output=True, text=True,
                                        check=True).stdout.count("\n"), 1)

    def step(self, name, **variables):
        """Runs the commands of a step of the action, with this machine's program where the action puts it."""
        with open(os.path.join(SOURCE, "examples/ci/kernels.yml"), encoding="utf-8") as file:
            steps = dict(re.findall(r"- name: (.*)\n(?: {8}(?! *run:).*\n)*? {8}run: \|\n((?: {10}.*\n?)+)", file.read()))
        return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", steps[name]], cwd=self.folder, capture_output=True,
                              text=True, env=dict(os.environ, HOME=self.home, XDG_CACHE_HOME=self.cache, PATH=self.bin + ":" +
                                                  os.environ["PATH"], **variables))

    def program(self, name, text):
        path = os.path.join(self.bin, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/bash\n" + text)
        os.chmod(path, 0o755)

    def test_the_actions_steps_check_a_pull_request_and_comment_it(self):
        self.home = os.path.join(self.folder, "home")
        self.bin = os.path.join(self.home, "bin")
        os.makedirs(os.path.join(self.home, "lanework/bin"))
        os.makedirs(self.bin)
        os.symlink(LANEWORK, os.path.join(self.home, "lanework/bin/lanework"))
        shutil.copy(SCRIPT, self.folder)
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.commit(STRIDED)
        checked = self.step("Check the kernels", GITHUB_BASE_REF="main", KERNELS="add.cu -- 4096\n\n")
        self.assertEqual(checked.returncode, 1, checked.stderr)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "kernels/report.html")))
        # No comment to be edited is there the first time.
        said, summary = os.path.join(self.home, "said"), os.path.join(self.home, "summary")
        self.program("gh", f'echo "$*" >>{said}\n[[ " $* " != *" --edit-last "* ]]\n')
        commented = self.step("Say what changed", NUMBER="7", GH_TOKEN="", GITHUB_STEP_SUMMARY=summary)
        self.assertEqual(commented.returncode, 0, commented.stderr)
        with open(said, encoding="utf-8") as file:
            self.assertEqual(file.read().splitlines(), ["pr comment 7 --edit-last --body-file kernels/comment.md",
                                                        "pr comment 7 --body-file kernels/comment.md"])
        with open(summary, encoding="utf-8") as file:
            self.assertIn("1 slower", file.read())

    def test_the_actions_steps_build_and_install_what_there_is(self):
        self.home = os.path.join(self.folder, "home")
        self.bin = os.path.join(self.home, "bin")
        os.makedirs(self.bin)
        said = os.path.join(self.home, "said")
        for name in ("sudo", "make"):
            self.program(name, f'echo {name} "$*" >>{said}\n')
        self.program("git", f'echo git "$*" >>{said}\n[[ $1 != clone ]] || mkdir -p "${{@: -1}}"\n')
        for name in ("Build Lanework", "Packages that running it needs"):
            done = self.step(name, LANEWORK_REPOSITORY="https://example.org/lanework", LANEWORK_COMMIT="main")
            self.assertEqual(done.returncode, 0, done.stderr)
        with open(said, encoding="utf-8") as file:
            commands = file.read()
        self.assertIn(f"make install PREFIX={self.home}/lanework", commands)
        with open(os.path.join(SOURCE, "Makefile"), encoding="utf-8") as file:
            self.assertRegex(file.read(), r"(?m)^install:")
        # What a program is compiled and run with is among what building Lanework needs.
        with open(os.path.join(SOURCE, "scripts/packages"), encoding="utf-8") as file:
            known = file.read()
        packages = re.search(r"--no-install-recommends (.*)", commands).group(1).split()
        self.assertEqual([name for name in packages if name not in known and name != "libdw1"], [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
