"""Pages of `lanework report` in a real browser: charts are drawn, filters and links work, nothing complains.

LANEWORK names the program, SOURCE the project's folder. Without a Chromium every test is skipped.
"""
import functools
import json
import os
import shutil
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


def recorded():
    """The files of measurements; comparisons with other programs have forms of their own."""
    def holds_measurements(path):
        with open(path, encoding="utf-8") as file:
            return {"results", "timelines"} & json.load(file).keys()

    files = [os.path.join(RESULTS, name) for name in sorted(os.listdir(RESULTS)) if name.endswith(".json")]
    return [file for file in files if holds_measurements(file)]

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

    def processor_seconds_to_open(self, page):
        """The least of three openings: the first starts processes, too."""
        took = []
        for _ in range(3):
            before = self.browser.processor_seconds()
            self.opened(page)
            took.append(sum(used - before.get(process, 0) for process, used in self.browser.processor_seconds().items()))
        return min(took)

    @functools.cached_property
    def table_seconds(self):
        """Of a page that is nothing but a table of 20 000 cells."""
        page = os.path.join(self.folder.name, "table.html")
        rows = "".join(f"<tr>{'<td>1' * 20}" for _ in range(1000))
        with open(page, "w", encoding="utf-8") as file:
            file.write(f"<!doctype html><title>table</title><table>{rows}</table><script>document.documentElement.dataset.ready = 0</script>")
        return self.processor_seconds_to_open(page)

    def assert_opens_as_soon_as_four_tables(self, page):
        """Held against another page, since processors differ."""
        took = self.processor_seconds_to_open(page)
        self.assertGreater(took, 0.02)
        self.assertLess(took, 4 * self.table_seconds)

    def test_everything_that_was_recorded_is_shown_in_a_small_file(self):
        page = self.report(*recorded())
        self.assertLess(os.path.getsize(page), 5 << 20)
        browser = self.opened(page)
        self.assertGreater(int(browser.run("document.documentElement.dataset.ready")), 0)
        self.assertGreater(browser.run("document.querySelectorAll('article.card').length"), 100)
        self.assertGreater(browser.run("document.querySelectorAll('#sizes ~ .cards canvas').length"), 3)
        self.assertTrue(browser.run("document.getElementById('rooflines') !== null && document.getElementById('timelines') !== null"))
        self.assert_clean(browser)

    def test_everything_that_was_recorded_opens_as_soon_as_large_tables(self):
        self.assert_opens_as_soon_as_four_tables(self.report(*recorded()))

    def test_many_explanations_are_made_as_they_are_read(self):
        found = os.path.join(self.folder.name, "explained.json")
        subprocess.run([LANEWORK, "explain", "transpose", "--size", "64x64", "--json", found], stdout=subprocess.DEVNULL, check=True)
        with open(found, encoding="utf-8") as file:
            seven = json.load(file)
        svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>%s<text>of %d</text></svg>"
        many = document(*[dict(each, operation=f"transpose_{n}", pictures=[
            {"file": "x-banks-line-3.svg", "svg": svg % ("<rect width='1' height='1' x='%d'/>" % n * 1000, n)},
            {"file": "x-roofline.svg", "svg": svg % ("", n)}]) for n in range(21) for each in seven["results"]])
        page = self.report(self.file("many.json", many))
        self.assertLess(os.path.getsize(page), 5 << 20)
        self.assert_opens_as_soon_as_four_tables(page)
        browser = self.opened(page)
        last = "document.getElementById('explained-147')"
        self.assertEqual(browser.run(last + ".querySelectorAll('table').length"), 0)
        # A link to a line far below makes what it shows.
        browser.run("location.hash = document.querySelector('#explained-140 .findings a').getAttribute('href')")
        browser.wait_for("document.querySelector('#explained-140 .source tr.here') !== null")
        browser.run(last + ".scrollIntoView({ behavior: 'instant' })")
        browser.wait_for(last + ".querySelector('.source') !== null")
        # Pictures are unpacked when they are asked for; rooflines are drawn by the page.
        self.assertEqual(browser.run(last + ".querySelectorAll('svg').length"), 0)
        browser.run(f"[...{last}.querySelectorAll('summary')].find(s => s.textContent === '1 picture: banks of shared memory').click()")
        browser.wait_for(last + ".querySelector('svg') !== null")
        self.assertEqual(browser.run(last + ".querySelector('svg').textContent"), "of 20")
        # On paper all of it is there.
        browser.call("Page.printToPDF")
        self.assertEqual(browser.run("[...document.querySelectorAll('article.long')].filter(card => !card.querySelector('.source')).length"), 0)
        self.assert_clean(browser)

    def test_time_is_drawn_against_the_axis_that_varies(self):
        def at(rows, cols, time):
            return result("naive", [time] * 5, problem={"rows": rows, "cols": cols, "seed": 1},
                          work={"bytes": 8 * rows * cols, "flops": 0})

        chart = "Chart.getChart(document.querySelector('#sizes ~ .cards canvas'))"
        for problems, title, line in (
                ([at(n, 64, n * 1e-9) for n in (100, 1000, 10000)], "rows", [100, 1000, 10000]),
                ([at(n, n, n * 1e-9) for n in (100, 1000, 10000)], "rows = cols", [100, 1000, 10000]),
                # One size in three shapes: a line would go up and down at one place.
                ([at(64, 4096, 1e-6), at(512, 512, 2e-6), at(4096, 64, 3e-6), at(64, 64, 1e-7), at(4096, 4096, 1e-4)],
                 "bytes that the algorithm has to move", None)):
            with self.subTest(title):
                browser = self.opened(self.report(self.file("sizes.json", document(*problems))))
                browser.run("document.querySelector('#sizes ~ .cards canvas').scrollIntoView()")
                browser.wait_for("document.querySelector('#sizes ~ .cards .canvas').dataset.drawn")
                self.assertEqual(browser.run(chart + ".options.scales.x.title.text"), title)
                self.assertEqual(len(browser.run(chart + ".data.datasets[0].data")), len(problems))
                self.assertEqual(browser.run(chart + ".data.datasets[1].data.map(p => p.x)"), line or [])
                self.assert_clean(browser)

    def test_names_in_the_contents_are_broken_behind_a_stroke_alone(self):
        browser = self.opened(self.report(os.path.join(RESULTS, "pipeline-timeline.json")))
        broken = """[...document.querySelectorAll('#contents a')].flatMap(link => [...link.childNodes])
            .filter(node => node.nodeType === 3).filter(node => { const range = document.createRange(); range.selectNode(node);
                return new Set([...range.getClientRects()].map(box => box.top)).size > 1; }).map(node => node.data)"""
        for width in (390, 1100, 1280, 2560):
            browser.resize(width, 900)
            self.assertEqual(browser.run(broken), [])
        browser.run("document.getElementById('contents').style.width = '120px'")
        browser.run("document.querySelector('.columns').style.gridTemplateColumns = '120px minmax(0, 1fr)'")
        self.assertGreater(browser.run("Math.max(...[...document.querySelectorAll('#contents a')].map(link => link.getClientRects().length))"), 1)

    def test_a_keyboard_reaches_everything_and_readers_are_told_names(self):
        browser = self.opened(self.report(os.path.join(RESULTS, "transpose.json"), os.path.join(RESULTS, "pipeline-timeline.json"),
                                          os.path.join(RESULTS, "gelu.json")))
        seen = []
        for _ in range(9):
            browser.key("Tab", code="Tab", windowsVirtualKeyCode=9)
            seen.append(browser.run("document.activeElement.id || document.activeElement.className || document.activeElement.tagName"))
        self.assertEqual(seen[:7], ["skip", "search", "operation", "device", "dtype", "theme", "print"])
        # Nothing that takes the keyboard is hidden from it, and what has it can be seen to have it.
        self.assertEqual(browser.run("[...document.querySelectorAll('[tabindex]')].filter(e => e.tabIndex > 0).length"), 0)
        self.assertNotEqual(browser.run("getComputedStyle(document.activeElement).outlineStyle"), "none")
        named = {"button", "link", "image", "img", "searchbox", "textbox", "combobox", "checkbox", "region", "navigation", "canvas",
                 "DisclosureTriangle"}
        nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
        self.assertGreater(sum(node["role"]["value"] == "image" for node in nodes if not node.get("ignored")), 4)
        nameless = [node["role"]["value"] for node in nodes if not node.get("ignored") and node["role"]["value"] in named
                    and not node.get("name", {}).get("value", "").strip()]
        self.assertEqual(nameless, [])
        self.assertEqual(browser.run("[...document.querySelectorAll('table:not(.source)')].filter(t => !t.caption).length"), 0)
        self.assertEqual(browser.run("[...document.querySelectorAll('h1, h2, h3, h4')].map(h => Number(h.tagName[1]))"
                                     ".some((level, i, all) => i && level > all[i - 1] + 1)"), False)
        self.assertEqual(browser.run("document.documentElement.lang"), "en")
        ids = browser.run("[...document.querySelectorAll('[id]')].map(e => e.id)")
        self.assertEqual(len(ids), len(set(ids)))

    def test_letters_stand_out_from_the_paper_in_both_themes(self):
        contrast = """(() => { const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(Number).map(v => (c.startsWith('color') ? v : v / 255))
            .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
            const paper = light(getComputedStyle(document.body).backgroundColor);
            return ['', 'faint', 'bad', 'poor', 'fair', 'good', 'accent'].map(name => { const e = document.createElement('span');
                e.className = name; document.body.append(e); const ink = light(getComputedStyle(e).color); e.remove();
                return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05); }); })()"""
        browser = self.opened(self.report(os.path.join(RESULTS, "transpose.json")))
        for theme in ("light", "dark"):
            browser.theme(theme)
            self.assertGreaterEqual(min(browser.run(contrast)), 4.5, theme)
        browser.theme("light")

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

    def test_without_the_library_of_charts_tables_stand_in_their_place(self):
        page = self.report(os.path.join(RESULTS, "transpose.json"), os.path.join(RESULTS, "times-by-size.json"),
                           os.path.join(RESULTS, "pipeline-timeline.json"))
        with open(page, encoding="utf-8") as file:
            before, library, program = file.read().split("<script>")
        self.assertIn("Chart.js", library)
        with open(page, "w", encoding="utf-8") as file:
            file.write("<script>".join([before, "</script>\n", program]))  # as a build makes it that has no library
        browser = self.opened(page)
        self.assertEqual(browser.run("document.querySelectorAll('canvas').length"), 0)
        self.assertGreater(browser.run("document.querySelectorAll('.chart details[open] table tbody tr').length"), 20)
        self.assertIn("libjs-chart.js", browser.run("document.querySelector('.note').textContent"))
        self.assertIsNone(browser.run("document.getElementById('licence')"))
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
        self.assertIn("vectorized 203 µs", browser.run("document.querySelector('canvas').getAttribute('aria-label')"))
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


class Mixture(unittest.TestCase):
    """What can be named in one command line."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.page = os.path.join(self.folder, "page.html")

    def report(self, *words):
        run = subprocess.run([LANEWORK, "report", *words, "-o", self.page, "--md", self.page + ".md"], capture_output=True,
                             text=True, cwd=self.folder)
        self.data = None
        if os.path.exists(self.page):
            with open(self.page, encoding="utf-8") as file:
                text = file.read().split('<script type="application/json" id="data">')[1].split("</script>")[0]
            self.data = json.loads(text)
        return run

    def test_results_ladders_and_programs_make_one_page(self):
        shutil.copy(os.path.join(SOURCE, "examples/tutorial/row_sums.cu"), self.folder)
        run = self.report(os.path.join(RESULTS, "gelu.json"), "transpose/naive", "transpose/padded_tile", "--size", "64x48",
                          "./row_sums.cu")
        self.assertIn("no rung `naive`", run.stderr)
        self.assertEqual(run.returncode, 2)
        run = self.report(os.path.join(RESULTS, "gelu.json"), "transpose/padded_tile", "row_sums.cu", "--device", "simt")
        self.assertEqual(run.returncode, 1, run.stderr)  # row_sums.cu has a mistake
        self.assertIn("explanations", run.stderr)
        operations = {r["operation"] for r in self.data["results"]}
        self.assertTrue({"gelu", "transpose"} <= operations, operations)
        self.assertEqual([(e["operation"], e["rung"]) for e in self.data["explanations"]],
                         [("transpose", "padded_tile"), ("row_sums", "")])
        with open(self.page + ".md", encoding="utf-8") as file:
            comment = file.read()
        self.assertIn("❌ **out of bounds** in row_sums, row_sums.cu:9", comment)
        self.assertLess(comment.index("❌"), comment.index("narrow vectors"))
        self.assertIn("| transpose/padded_tile |", comment)

    def test_a_folder_and_a_program_make_one_page(self):
        shutil.copytree(os.path.join(SOURCE, "examples/ladders/saxpy"), os.path.join(self.folder, "mine"))
        shutil.copy(os.path.join(SOURCE, "examples/tutorial/mended.cu"), self.folder)
        run = self.report("./mine", "mended.cu")
        self.assertIn(run.returncode, (0, 1), run.stderr)
        self.assertGreater(len(self.data["explanations"]), 1)
        self.assertEqual(self.data["explanations"][-1]["operation"], "mended")

    def test_a_device_that_is_not_here_is_said_and_ends_with_77(self):
        run = self.report("transpose", "--device", "cuda:63")
        self.assertEqual(run.returncode, 77, run.stderr)
        self.assertIn("cuda", run.stderr)


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
