"""A suite that ends well, though one of its tests was skipped."""
import unittest


class Suite(unittest.TestCase):
    def test_runs(self):
        self.assertEqual(1 + 1, 2)

    def test_skips(self):
        """has words of its own"""
        self.skipTest("the words of unittest")


unittest.main(verbosity=2)
