"""`%%cuda` in a notebook that nbclient runs: output, findings, pictures, and what goes wrong in one line.

LANEWORK names the program, PYTHONPATH the package's folder.
"""
import json
import os
import re
import sys
import tempfile
import unittest

import nbclient
import nbformat

PROGRAM = r"""#include <cstdio>
#include <cstdlib>
__global__ void column(float* to, const float* from, int n) {
    to[(blockIdx.x * blockDim.x + threadIdx.x) * n] = from[(blockIdx.x * blockDim.x + threadIdx.x) * n] + 1;
}
int main(int count, char** words) {
    const int n = 32, rows = 65536;
    float *from, *to;
    cudaMallocManaged(&from, rows * n * sizeof(float));
    cudaMallocManaged(&to, rows * n * sizeof(float));
    for (int i = 0; i < rows * n; ++i) from[i] = i;
    column<<<rows / 256, 256>>>(to, from, n);
    cudaDeviceSynchronize();
    std::printf("%g for <%s>\n", to[n], count > 1 ? words[1] : "nobody");
    cudaFree(from);
    cudaFree(to);
}
"""


def run(*cells, allow_errors=False):
    """Runs cells of code and returns them."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    notebook.metadata["kernelspec"] = {"name": "tested", "display_name": "", "language": "python"}
    with tempfile.TemporaryDirectory() as folder:
        kernel = os.path.join(folder, "kernels", "tested")
        os.makedirs(kernel)
        with open(os.path.join(kernel, "kernel.json"), "w", encoding="utf-8") as file:
            json.dump(
                {"argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "",
                 "language": "python"}, file)
        os.environ["JUPYTER_PATH"] = folder
        nbclient.NotebookClient(notebook, timeout=120, kernel_name="tested", allow_errors=allow_errors).execute()
    return notebook.cells


def stream(cell, name):
    return "".join(output.text for output in cell.outputs if output.output_type == "stream" and output.name == name)


def shown(cell):
    return [output.data for output in cell.outputs if output.output_type == "display_data"]


class Notebook(unittest.TestCase):
    def test_a_cell_shows_output_findings_and_pictures(self):
        _, cell, after = run("%load_ext lanework", "%%cuda -O1 -- somebody\n" + PROGRAM,
                             "print([f['rule'] for f in explained.findings])")
        self.assertEqual(stream(cell, "stdout"), "33 for <somebody>\n")
        self.assertEqual(len(shown(cell)), 1)
        page, text = shown(cell)[0]["text/html"], shown(cell)[0]["text/plain"]
        self.assertIn("uncoalesced access", page)
        self.assertIn("line 4", page)
        self.assertIn("data:image/svg+xml;base64,", page)
        self.assertIn("Estimate for NVIDIA H200", page)
        self.assertIn("uncoalesced_access", text)
        self.assertIn("uncoalesced_access", stream(after, "stdout"))

    def test_what_decides_comes_first_and_figures_are_the_terminals(self):
        _, cell = run("%load_ext lanework", "%%cuda\n" + PROGRAM)
        page, text = shown(cell)[0]["text/html"], shown(cell)[0]["text/plain"]
        self.assertLess(page.index("Sectors of global memory"), page.index("Occupancy"))
        figure = re.search(r"Estimate for NVIDIA H200 SXM: (about [\d.]+ \S+ \([\d.]+ to [\d.]+ \S+\)), (\d+% of the limit), bound by", page)
        self.assertIn(figure[1], text.replace("\n", " "))
        self.assertIn(figure[2], text.replace("\n", " "))
        self.assertIn("saves", page)
        self.assertNotIn(tempfile.gettempdir(), page + text)

    def test_a_program_finds_what_lies_beside_the_notebook(self):
        program = """%%cuda
#include "beside_the_notebook.h"
#include <cstdio>
int main() {
    char word[9] = "nothing";
    if (FILE* file = std::fopen("beside_the_notebook.txt", "r")) std::fscanf(file, "%8s", word);
    std::printf("%s %d\\n", word, kBeside);
}"""
        with tempfile.TemporaryDirectory() as folder:
            _, _, _, cell = run("%load_ext lanework", f"%cd -q {folder}", "open('beside_the_notebook.h', 'w').write('constexpr int kBeside = 7;');"
                                "open('beside_the_notebook.txt', 'w').write('found');", program)
        self.assertEqual(stream(cell, "stdout"), "found 7\n")

    def test_an_access_out_of_bounds_is_an_error_of_its_line(self):
        _, cell = run("%load_ext lanework", "%%cuda\n" + PROGRAM.replace("to[(blockIdx.x", "to[n + (gridDim.x"))
        self.assertTrue("(error, line 4)" in shown(cell)[0]["text/html"], "the finding is not shown")

    def test_what_does_not_compile_is_told_with_its_line(self):
        _, cell = run("%load_ext lanework", "%%cuda\nint main() {\n    return nothing;\n}\n", allow_errors=True)
        self.assertIn("cell.cu:2:", stream(cell, "stderr"))
        told = stream(cell, "stderr") + "".join(output.get("evalue", "") for output in cell.outputs)
        self.assertIn("does not compile", told)
        self.assertEqual(shown(cell), [])

    def test_a_program_without_a_kernel_runs_all_the_same(self):
        _, cell = run("%load_ext lanework", '%%cuda\n#include <cstdio>\nint main() { std::puts("hello"); }\n')
        self.assertEqual(stream(cell, "stdout"), "hello\n")
        self.assertIn("launched no kernel", stream(cell, "stderr"))

    def test_text_of_a_program_is_no_markup(self):
        hostile = PROGRAM.replace("column", "script_alert").replace("// ", "") + "// <script>alert(1)</script>\n"
        _, cell = run("%load_ext lanework", "%%cuda\n" + hostile)
        self.assertNotIn("<script>", shown(cell)[0]["text/html"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
