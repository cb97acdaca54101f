"""A headless Chromium that a script talks to over its pipe: no driver and no package is needed beside the browser."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")


def find():
    """The browser's path; None where there is none that starts."""
    for path in filter(None, (os.environ.get("CHROMIUM"), *map(shutil.which, NAMES))):
        # Ubuntu's chromium-browser is a script that asks for a snap.
        version = subprocess.run([path, "--version"], capture_output=True, text=True)
        if version.returncode == 0 and "Chrom" in version.stdout:
            return path
    return None


class BrowserError(Exception):
    """What the browser answered instead of a result."""


class Browser:
    """One page of a browser of its own. `errors` collects what the page's console calls an error."""

    def __init__(self, path, width=1280, height=900):
        self.errors, self.requests, self._number, self._buffer = [], [], 0, b""
        self._profile = tempfile.mkdtemp(prefix="lanework-browser-")
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()

        def take_pipes():
            # Duplicates first: either number may be the other's already.
            reading, writing = os.dup(to_browser), os.dup(from_browser)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self._process = subprocess.Popen(
            [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--hide-scrollbars", "--disable-background-networking", "--remote-debugging-pipe",
             f"--user-data-dir={self._profile}", "about:blank"],
            close_fds=False, preexec_fn=take_pipes, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self._session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.resize(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._out)
        os.close(self._in)
        shutil.rmtree(self._profile, ignore_errors=True)

    def _read(self, deadline):
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise BrowserError("the browser does not answer")
            part = os.read(self._in, 1 << 16)
            if not part:
                raise BrowserError("the browser ended")
            self._buffer += part
        text, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(text)

    def _note(self, event):
        method, about = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = about["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning", "assert"):
            self.errors.append(" ".join(str(each.get("value", each.get("description"))) for each in about["args"]))
        elif method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.errors.append(about["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"])

    def call(self, method, seconds=60, **parameters):
        """Sends a command of the DevTools protocol and returns its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + seconds
        while True:
            answer = self._read(deadline)
            if answer.get("id") != self._number:
                self._note(answer)
                continue
            if "error" in answer:
                raise BrowserError(f"{method}: {answer['error']['message']}")
            return answer["result"]

    def run(self, script):
        """The value of a script's last expression; promises are waited for."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise BrowserError(result["exceptionDetails"].get("exception", {}).get("description", script))
        return result["result"].get("value")

    def wait_for(self, script, seconds=30):
        """Waits until a script's value is true."""
        deadline = time.monotonic() + seconds
        while not self.run(script):
            if time.monotonic() > deadline:
                raise BrowserError(f"still not so after {seconds} s: {script}")
            time.sleep(0.05)

    def open(self, path):
        """Opens a page of `lanework report` and waits until it is ready."""
        self.call("Page.navigate", url="about:blank")
        self.errors, self.requests = [], []
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait_for("document.documentElement?.dataset.ready !== undefined")

    def processor_seconds(self):
        """What each process that draws pages has used of a processor, by its number."""
        processes = {}
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    words = file.read().rpartition(")")[2].split()
                with open(f"/proc/{name}/cmdline", encoding="utf-8", errors="replace") as file:
                    processes[int(name)] = (int(words[1]), int(words[11]) + int(words[12]), "--type=renderer" in file.read())
            except OSError:  # it has ended
                continue
        used = {}
        for process, (parent, ticks, draws) in processes.items():
            while parent in processes and parent != self._process.pid:
                parent = processes[parent][0]
            if draws and parent == self._process.pid:
                used[process] = ticks / os.sysconf("SC_CLK_TCK")
        return used

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def theme(self, name):
        """What the system prefers: "light" or "dark"."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def key(self, key, **more):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **more)

    def picture(self, path, height=None):
        """What is seen as a PNG, or the page's first `height` pixels."""
        more = {}
        if height:
            width = self.run("innerWidth")
            more = {"clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}, "captureBeyondViewport": True}
        data = self.call("Page.captureScreenshot", format="png", **more)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
