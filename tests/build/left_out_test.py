#!/usr/bin/env python3
"""left_out.py names what must not be needed, and nothing else."""
import unittest

import left_out

PLACES = {"sobel.o": ("sobel", "operation.cpp"), "shape.o": ("sobel", "shape.cpp"), "blur.o": ("blur", "operation.cpp")}
OWNERS = {"launch_sobel": {("sobel", "operation.cpp")}, "shape_of_sobel": {("sobel", "shape.cpp")}}


def uses(needed, everybody=(), included=None):
    return left_out.uses(PLACES, OWNERS, needed, set(everybody), included or {"blur": {"blur"}, "sobel": {"sobel"}})


class LeftOut(unittest.TestCase):
    def test_what_something_outside_needs_is_named(self):
        self.assertEqual(uses({"cli.o": {"launch_sobel", "printf"}}),
                         (0, ["cli.o needs launch_sobel, which ops/sobel/operation.cpp defines"]))

    def test_an_operation_may_need_its_own_and_what_everybody_has(self):
        self.assertEqual(uses({"shape.o": {"launch_sobel"}}), (1, []))
        self.assertEqual(uses({"cli.o": {"launch_sobel"}}, everybody=["launch_sobel"]), (0, []))

    def test_another_operation_may_need_sources_beside_the_operation_that_it_includes(self):
        with_sobel = {"blur": {"blur", "sobel"}}
        self.assertEqual(uses({"blur.o": {"shape_of_sobel"}}, included=with_sobel), (1, []))
        self.assertEqual(len(uses({"blur.o": {"shape_of_sobel"}})[1]), 1)
        self.assertEqual(len(uses({"blur.o": {"launch_sobel"}}, included=with_sobel)[1]), 1)


if __name__ == "__main__":
    unittest.main()
