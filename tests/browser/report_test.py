"""Pages of `lanework report` in a real browser: charts are drawn, filters and links work, nothing complains.

LANEWORK names the program, SOURCE the project's folder. Without a Chromium every test is skipped.
"""
import json
import os
import subprocess
import tempfile
import unittest

import chromium

LANEWORK, SOURCE = os.environ["LANEWORK"], os.environ["SOURCE"]
RESULTS = os.path.join(SOURCE, "results/h200")
BROWSER = chromium.find()
# A results file that tries to leave its place as data.
HOSTILE = "</script><script>window.injected=1</script><img src=x onerror=window.injected=2>"


def result(rung, samples, **more):
    return {"operation": "transpose", "rung": rung, "device": "cuda:0", "dtype": "int32",
            "problem": {"rows": 64, "cols": 48, "seed": 1}, "verdict": "ok", "reason": "", "samples_s": samples,
            "work": {"bytes": 24576, "flops": 0}, "limit": {"bound": "memory", "seconds": 1e-6, "fraction": 0.5},
            "library": False, "counters": {}, "findings": [], **more}


def document(*results, **environment):
    return {"schema": 1, "environment": {"lanework": "0.1.0", "cpu": "a", **environment}, "results": list(results)}


@unittest.skipUnless(BROWSER, "no Chromium is installed here")
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.browser = chromium.Browser(BROWSER)

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.folder.cleanup()

    def file(self, name, content):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(content, file)
        return path

    def report(self, *words, status=0):
        page = os.path.join(self.folder.name, "report.html")
        run = subprocess.run([LANEWORK, "report", *words, "-o", page], capture_output=True, text=True)
        self.assertEqual(run.returncode, status, run.stderr)
        return page

    def opened(self, page, width=1280):
        self.browser.resize(width, 900)
        self.browser.open(page)
        return self.browser

    def assert_clean(self, browser):
        self.assertEqual(browser.errors, [])
        self.assertEqual([url for url in browser.requests if not url.startswith(("file:", "data:", "about:"))], [])

    def test_everything_that_was_recorded_is_shown_soon_and_in_a_small_file(self):
        files = [os.path.join(RESULTS, name) for name in sorted(os.listdir(RESULTS)) if name.endswith(".json")]
        page = self.report(*files)
        self.assertLess(os.path.getsize(page), 5 << 20)
        browser = self.opened(page)
        self.assertLess(int(browser.run("document.documentElement.dataset.ready")), 4000)  # beside other work
        self.assertGreater(browser.run("document.querySelectorAll('article.card').length"), 100)
        self.assertGreater(browser.run("document.querySelectorAll('#sizes ~ .cards canvas').length"), 3)
        self.assertTrue(browser.run("document.getElementById('rooflines') !== null && document.getElementById('timelines') !== null"))
        self.assert_clean(browser)

    def test_every_chart_is_drawn_when_the_page_is_printed(self):
        page = self.report(os.path.join(RESULTS, "transpose.json"), os.path.join(RESULTS, "matmul-float32.json"),
                           os.path.join(RESULTS, "gelu.json"), os.path.join(RESULTS, "pipeline-timeline.json"))
        browser = self.opened(page)
        self.assertGreater(browser.run("document.querySelectorAll('.canvas').length"), 6)
        browser.call("Page.printToPDF")
        self.assertEqual(browser.run("document.querySelectorAll('.canvas:not([data-drawn])').length"), 0)
        blank = """[...document.querySelectorAll('canvas')].filter(canvas => {
            const bytes = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
            return !bytes.some(byte => byte !== 0); }).length"""
        self.assertEqual(browser.run(blank), 0)
        self.assert_clean(browser)

    def test_filters_leave_what_fits(self):
        page = self.report(os.path.join(RESULTS, "transpose.json"), os.path.join(RESULTS, "reduce.json"))
        browser = self.opened(page)
        shown = "[...document.querySelectorAll('article.card')].filter(a => a.id && !a.hidden).map(a => a.querySelector('h3').textContent.split(' ')[0]).join(' ')"
        self.assertEqual(browser.run(shown), "transpose reduce")
        browser.run("{ const s = document.getElementById('operation'); s.value = 'reduce'; s.dispatchEvent(new Event('change')); }")
        self.assertEqual(browser.run(shown), "reduce")
        browser.run("{ const s = document.getElementById('search'); s.value = 'swizzled'; s.dispatchEvent(new Event('input')); }")
        self.assertEqual(browser.run(shown), "")
        browser.run("{ const s = document.getElementById('operation'); s.value = ''; s.dispatchEvent(new Event('change')); }")
        self.assertEqual(browser.run(shown), "transpose")
        # A link to what is filtered away brings it back.
        browser.run("location.hash = [...document.querySelectorAll('article.card')].find(a => a.hidden).id")
        browser.wait_for("[...document.querySelectorAll('article.card')].every(a => !a.hidden)")
        self.assert_clean(browser)

    def test_links_lead_from_the_overview_to_the_ladder_and_its_table_opens(self):
        browser = self.opened(self.report(os.path.join(RESULTS, "transpose.json")))
        browser.run("document.querySelector('#overview ~ article table a').click()")
        browser.wait_for("location.hash.startsWith('#ladder-transpose')")
        self.assertTrue(browser.run("document.getElementById(location.hash.slice(1)) !== null"))
        browser.run("document.querySelector('.chart details summary').click()")
        browser.wait_for("document.querySelectorAll('.chart details tbody tr').length === 7")
        self.assertIn("padded_tile_16", browser.run("document.querySelector('.chart details').textContent"))
        browser.run("[...document.querySelectorAll('.chart details th button')].find(b => b.textContent === 'time').click()")
        self.assertEqual(browser.run("document.querySelector('.chart details tbody code').textContent"), "vectorized")
        self.assert_clean(browser)

    def test_arrow_keys_read_a_chart_aloud(self):
        browser = self.opened(self.report(os.path.join(RESULTS, "transpose.json")))
        browser.wait_for("document.querySelector('.canvas').dataset.drawn")
        browser.run("document.querySelector('canvas').focus()")
        browser.key("ArrowDown")
        self.assertIn("coalesced_read", browser.run("document.getElementById('announce').textContent"))
        self.assertIn("vectorized 206 µs", browser.run("document.querySelector('canvas').getAttribute('aria-label')"))
        self.assert_clean(browser)

    def test_a_timeline_zooms(self):
        browser = self.opened(self.report(os.path.join(RESULTS, "pipeline-timeline.json")))
        shown = "document.querySelector('#timelines ~ .cards output').textContent"
        browser.wait_for("document.querySelector('.canvas').dataset.drawn")
        whole = browser.run(shown)
        browser.run("document.querySelector('[aria-label^=\"Zoom in\"]').click()")
        self.assertNotEqual(browser.run(shown), whole)
        browser.run("document.querySelector('canvas').focus()")
        browser.key("0")
        self.assertEqual(browser.run(shown), whole)
        self.assert_clean(browser)

    def test_themes_change_the_colours_of_page_and_charts(self):
        browser = self.opened(self.report(os.path.join(RESULTS, "transpose.json")))
        browser.theme("light")
        paper = "getComputedStyle(document.body).backgroundColor"
        self.assertEqual(browser.run(paper), "rgb(255, 255, 255)")
        browser.wait_for("document.querySelector('.canvas').dataset.drawn")
        light = browser.run("document.querySelector('canvas').toDataURL()")
        browser.run("{ const s = document.getElementById('theme'); s.value = 'dark'; s.dispatchEvent(new Event('change')); }")
        self.assertEqual(browser.run(paper), "rgb(13, 17, 23)")
        self.assertNotEqual(browser.run("document.querySelector('canvas').toDataURL()"), light)
        self.assert_clean(browser)

    def test_nothing_is_wider_than_the_screen(self):
        page = self.report(os.path.join(RESULTS, "transpose.json"), os.path.join(RESULTS, "matmul-float32.json"),
                           os.path.join(RESULTS, "pipeline-timeline.json"))
        for width in (390, 1280, 2560):
            browser = self.opened(page, width)
            self.assertLessEqual(browser.run("document.documentElement.scrollWidth"), width)

    def test_what_changed_is_shown_and_what_did_not_is_hidden(self):
        before = self.file("before.json", document(result("naive", [2e-6] * 5), result("best", [1e-6] * 5)))
        after = self.file("after.json", document(result("naive", [2e-6] * 5), result("best", [3e-6] * 5), driver="b"))
        browser = self.opened(self.report(after, "--before", before, status=1))
        rows = "[...document.querySelectorAll('#comparison ~ article tbody tr')].map(r => r.textContent)"
        self.assertEqual(len(browser.run(rows)), 1)
        self.assertIn("slower", browser.run(rows)[0])
        browser.run("document.getElementById('only-changed').click()")
        self.assertEqual(len(browser.run(rows)), 2)
        self.assert_clean(browser)

    def test_a_finding_and_its_line_lead_to_each_other(self):
        source = {"first": 1, "lines": [f"int line_{number};" for number in range(1, 60)]}
        line = {"file": "k.cu", "line": 50, "function": "k", "branches": 0, "divergent": 0, "accesses": [
            {"access": "ld global", "requests": 2, "unit": "sectors", "cost": 64, "ideal": 8, "lanes": 64}]}
        finding = {"rule": "uncoalesced_access", "severity": "warning", "evidence": "far apart", "remedy": "Come together.",
                   "weight": 1, "place": {"file": "k.cu", "line": 50, "column": 3, "function": "k"}, "other_place": None}
        browser = self.opened(self.report(self.file("explained.json", document(result(
            "naive", [], findings=[finding], sources={"k.cu": source},
            kernels=[{"kernel": "k", "grid": [1, 1, 1], "block": [32, 1, 1], "lines": [line]}])))))
        browser.run("document.querySelector('.findings a').click()")
        browser.wait_for("document.querySelector('.source tr.here') !== null")
        here = browser.run("document.querySelector('.source tr.here').textContent")
        self.assertIn("int line_50;", here)
        self.assertIn("32 sectors", here)
        browser.run("document.querySelector('.source tr.here a').click()")
        browser.wait_for("document.activeElement.textContent.includes('Come together.')")
        # Lines without counters are folded, and found all the same.
        shown = "[...document.querySelectorAll('.source tbody tr')].filter(row => !row.hidden && row.id).length"
        folded = browser.run(shown)
        self.assertLess(folded, 12)
        browser.run("{ const s = document.querySelector('.tools input'); s.value = 'line_7;'; s.dispatchEvent(new Event('input')); s.focus(); }")
        browser.key("Enter")
        self.assertIn("int line_7;", browser.run("document.querySelector('.source tr.here').textContent"))
        self.assertGreater(browser.run(shown), folded)
        self.assert_clean(browser)

    def test_names_of_users_are_text(self):
        hostile = self.file("hostile.json", document(
            result(HOSTILE, [2e-6] * 5, operation=HOSTILE, lesson=HOSTILE, kernels=[
                {"kernel": HOSTILE, "grid": [1, 1, 1], "block": [1, 1, 1], "lines": [
                    {"file": HOSTILE, "line": 3, "function": HOSTILE, "accesses": [
                        {"access": HOSTILE, "requests": 1, "unit": "sectors", "cost": 4, "ideal": 4, "lanes": 32}],
                     "branches": 0, "divergent": 0}]}],
                   findings=[{"rule": HOSTILE, "severity": "warning", "evidence": HOSTILE, "remedy": HOSTILE, "weight": 1,
                              "place": {"file": HOSTILE, "line": 3, "column": 1, "function": HOSTILE}, "other_place": None}],
                   pictures=[{"file": "x-banks-line-3.svg",
                              "svg": "<svg xmlns='http://www.w3.org/2000/svg' onload='window.injected=3'><script>window.injected=4</script></svg>"}]),
            **{HOSTILE: HOSTILE}))
        browser = self.opened(self.report(hostile, "--title", HOSTILE))
        browser.call("Page.printToPDF")
        self.assertIsNone(browser.run("window.injected"))
        self.assertEqual(browser.run("document.title"), HOSTILE)
        self.assertIn(HOSTILE, browser.run("document.getElementById('explained-1').textContent"))
        self.assert_clean(browser)


class Command(unittest.TestCase):
    def told(self, *words):
        """The status and what is said of it."""
        run = subprocess.run([LANEWORK, "report", *words], capture_output=True, text=True)
        return run.returncode, run.stderr

    def test_says_in_one_line_what_is_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            def file(name, text):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as written:
                    written.write(text)
                return written.name

            results, page = os.path.join(RESULTS, "transpose.json"), os.path.join(folder, "page.html")
            for status, part, *words in (
                (2, "name what to report", "-o", page),
                (2, "say where the report goes", results),
                (2, "there is no operation", "transposed", "-o", page),
                (6, "there is no such file", os.path.join(folder, "none.json"), "-o", page),
                (6, "this is not JSON", file("broken.json", "{"), "-o", page),
                (6, "schema is missing", file("other.json", "{}"), "-o", page),
                (2, "no result of reduce.json has its match", results, "--before", os.path.join(RESULTS, "reduce.json"), "-o", page),
                (2, "would be written over", file("own.json", "{}"), "-o", os.path.join(folder, "own.json")),
                (2, "threshold `much` is neither", results, "--threshold", "much", "-o", page)):
                with self.subTest(part):
                    found, said = self.told(*words)
                    self.assertEqual(found, status, said)
                    self.assertIn(part, said)
                    self.assertFalse(os.path.exists(page))


if __name__ == "__main__":
    unittest.main(verbosity=2)
