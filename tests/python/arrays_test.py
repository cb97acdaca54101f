"""What `lanework neighbors -o a.npz` writes, NumPy reads."""
import os
import subprocess
import tempfile
import unittest

import numpy as np


def lanework(*words):
    subprocess.run([os.environ["LANEWORK"], *words], check=True, stdout=subprocess.DEVNULL)


class Arrays(unittest.TestCase):
    def test_pairs_agree_with_positions(self):
        with tempfile.TemporaryDirectory() as folder:
            atoms, arrays = os.path.join(folder, "gas.xyz"), os.path.join(folder, "a.npz")
            lanework("particles", *"gas --atoms 200 --box 12,13,14,80,95,110 --pbc xy -o".split(), atoms)
            lanework("neighbors", atoms, *"--cutoff 4 --shifts --vectors --distances --device cpu -o".split(), arrays)
            with open(atoms, encoding="utf-8") as file:
                positions = np.array([[float(word) for word in line.split()[1:4]] for line in file.read().splitlines()[2:]])
            a = np.load(arrays)
            i = np.repeat(np.arange(len(positions)), np.diff(a["offsets"]))
            vectors = positions[a["indices"]] - positions[i] + a["S"] @ a["cell"]
            self.assertGreater(len(i), 1000)
            self.assertEqual((a["offsets"].dtype, a["indices"].dtype), (np.int64, np.int32))
            self.assertEqual(a["pbc"].tolist(), [True, True, False])
            self.assertLess(np.abs(vectors - a["D"]).max(), 1e-12)
            self.assertLess(np.abs(np.linalg.norm(vectors, axis=1) - a["d"]).max(), 1e-12)
            self.assertLess(a["d"].max(), 4)


if __name__ == "__main__":
    unittest.main(verbosity=2)
