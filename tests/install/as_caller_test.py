"""`sudo make install` has whoever called sudo build in a folder of their own, with what they asked for, and leaves them the
list of what was installed; root by itself, and a user by themselves, build as they are. The commands are stand-ins that
say how they were called.

Usage: as_caller_test.py SOURCES
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCES = sys.argv.pop(1)


class Install(unittest.TestCase):
    def called(self, user, owner=1000, flags=(), **variables):
        """What `make install` calls for a user of that number, in a folder of the owner's."""
        with tempfile.TemporaryDirectory(prefix="lanework-") as folder:
            shutil.copy(os.path.join(SOURCES, "Makefile"), folder)
            tools, scripts, build = (os.path.join(folder, name) for name in ("tools", "scripts", "build/release"))
            for made in (tools, scripts, build):
                os.makedirs(made)
            calls = os.path.join(folder, "calls")
            said = {"cmake": "", "chown": "", "nvidia-smi": "", "packages": "", "id": f"echo {user}; exit",
                    "stat": f"echo {owner}; exit",
                    "sudo": 'shift 3; unset MAKEFLAGS MFLAGS; exec "$@"'}  # what stands behind -H -u '#1000'
            for name, does in said.items():
                path = os.path.join(scripts if name == "packages" else tools, name)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(f'#!/bin/sh\n{"" if name in ("id", "stat") else f"echo {name} $@ >> {calls}"}\n{does}\n')
                os.chmod(path, 0o755)
            environment = {name: value for name, value in os.environ.items() if not name.startswith(("SUDO_", "MAKE", "MFLAGS"))}
            environment |= {"PATH": f"{tools}:{os.environ['PATH']}", **variables}
            subprocess.run(["make", *flags, "install", "PREFIX=/some where", "JOBS=3"], cwd=folder, env=environment, check=True,
                           stdout=subprocess.DEVNULL)
            with open(calls, encoding="utf-8") as file:
                return [line for line in file.read().splitlines() if not line.startswith("nvidia-smi")]

    def test_under_sudo_the_caller_builds_and_gets_the_list(self):
        calls = self.called(0, SUDO_UID="1000")
        sudo = [line for line in calls if line.startswith("sudo")]
        self.assertEqual(len(sudo), 1, calls)
        self.assertRegex(sudo[0], r"^sudo -H -u #1000 make release .*JOBS=3")
        self.assertLess(calls.index(sudo[0]), calls.index("cmake --build --preset release -j 3"), calls)
        self.assertEqual(calls[-2], "cmake --install build/release --prefix /some where")
        self.assertRegex(calls[-1], "^chown --reference=build/release build/release/install_manifest")

    def test_under_sudo_root_builds_in_anothers_folder(self):
        for owner in (0, 1001):
            calls = self.called(0, owner=owner, SUDO_UID="1000")
            self.assertFalse([line for line in calls if line.startswith("sudo")], (owner, calls))
            self.assertIn("cmake --build --preset release -j 3", calls)

    def test_a_dry_run_builds_nothing(self):
        for user, variables in ((0, {"SUDO_UID": "1000"}), (1000, {})):
            calls = self.called(user, flags=["-n"], **variables)
            self.assertFalse([line for line in calls if not line.startswith("sudo")], (user, calls))

    def test_without_sudo_everybody_builds_themselves(self):
        for user, variables in ((0, {}), (1000, {}), (0, {"SUDO_UID": "0"}), (1000, {"SUDO_UID": "1000"})):
            calls = self.called(user, **variables)
            self.assertFalse([line for line in calls if line.startswith("sudo")], (user, variables))
            self.assertIn("cmake --build --preset release -j 3", calls)


unittest.main()
