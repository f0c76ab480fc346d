"""Drives headless Chromium over its debugging pipe; see report-screenshots.sh."""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

LONGEST_PICTURE = 1800


class Browser:
    """Chromium with commands on descriptor 3 and answers on 4, each ended by a zero byte."""

    def __init__(self, folder):
        to_browser, self.commands = os.pipe()
        self.answers, from_browser = os.pipe()

        def descriptors():
            # Out of the way first: either end may have the number of the other's place.
            reading, writing = os.dup(to_browser), os.dup(from_browser)
            high_reading, high_writing = 200, 201
            os.dup2(reading, high_reading)
            os.dup2(writing, high_writing)
            os.dup2(high_reading, 3)
            os.dup2(high_writing, 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
             "--remote-debugging-pipe", "--user-data-dir=" + folder, "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=descriptors)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.count = 0
        self.session = None
        self.events = []

    def read(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.answers, 1 << 16)
            if not piece:
                raise SystemExit("chromium ended")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.commands, data):]
        while True:
            answer = self.read()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.read())

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")


def main(page, folder):
    url = pathlib.Path(page).resolve().as_uri()
    profile = tempfile.mkdtemp()
    browser = Browser(profile)
    faults = []
    try:
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        attached = browser.call("Target.attachToTarget", targetId=target, flatten=True)
        browser.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            browser.call(domain + ".enable")

        def load(width, scheme):
            browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                         deviceScaleFactor=1, mobile=width < 500)
            browser.call("Emulation.setEmulatedMedia",
                         features=[{"name": "prefers-color-scheme", "value": scheme}])
            browser.events = [e for e in browser.events if e.get("method") != "Page.loadEventFired"]
            browser.call("Page.navigate", url=url)
            browser.wait("Page.loadEventFired")

        def picture(name, first="document.documentElement"):
            top = browser.evaluate(f"({first} || document.documentElement)"
                                   ".getBoundingClientRect().top + scrollY")
            height = browser.evaluate("document.documentElement.scrollHeight")
            width = browser.evaluate("innerWidth")
            clip = {"x": 0, "y": max(0, top), "width": width,
                    "height": min(height - top, LONGEST_PICTURE), "scale": 1}
            shot = browser.call("Page.captureScreenshot", format="png", clip=clip,
                                captureBeyondViewport=True)
            pathlib.Path(folder, name + ".png").write_bytes(base64.b64decode(shot["data"]))

        def check_width(what, width):
            # The window itself grows with what is too wide on a phone.
            wide = browser.evaluate(f"document.documentElement.scrollWidth - {width}")
            if wide > 0:
                faults.append(f"{what}: {wide} pixels wider than the window")

        for width in (1280, 400):
            for scheme in ("light", "dark"):
                load(width, scheme)
                check_width(f"{width} {scheme}", width)
                picture(f"{width}-{scheme}")
                # The first failure with bytes, and the first without, opened.
                browser.evaluate(
                    "document.querySelectorAll('.case').forEach(function (node, place) {"
                    " node.open = place < 1 || (place > 4 && place < 8); });"
                    " document.querySelectorAll('.case .bytes').forEach(function (node, place) {"
                    " if (place < 3) { node.closest('.case').open = true; } });")
                check_width(f"{width} {scheme} with open cases", width)
                picture(f"{width}-{scheme}-open",
                        "(document.querySelector('.bytes') || document.body).closest('.area')")

        load(1280, "light")
        first = browser.evaluate("(document.querySelector('.case') || {}).id || ''")
        if first:
            browser.evaluate(f"location.hash = {json.dumps('#' + first)}")
            browser.evaluate("new Promise(function (done) { setTimeout(done, 200) })")
            if not browser.evaluate(f"document.getElementById({json.dumps(first)}).open"):
                browser.call("Runtime.evaluate", awaitPromise=True,
                             expression="new Promise(d => setTimeout(d, 500))")
                if not browser.evaluate(f"document.getElementById({json.dumps(first)}).open"):
                    faults.append("a link to a case does not open it")
        everything = browser.evaluate("document.querySelectorAll('.case:not([hidden])').length")
        browser.evaluate(
            "document.getElementById('verdict').value = 'pass';"
            "document.getElementById('verdict').dispatchEvent(new Event('input'))")
        left = browser.evaluate(
            "Array.from(document.querySelectorAll('.case:not([hidden])')).filter(function (n) {"
            " return n.dataset.v.split(' ').indexOf('pass') < 0; }).length")
        if left:
            faults.append(f"the filter for passes leaves {left} of {everything} failures")
        browser.evaluate(
            "document.getElementById('verdict').value = '';"
            "document.getElementById('text').value = 'no such case anywhere';"
            "document.getElementById('text').dispatchEvent(new Event('input'))")
        if browser.evaluate("document.getElementById('none').hidden"):
            faults.append("a search without a match does not say so")

        browser.call("Emulation.setEmulatedMedia", media="print", features=[])
        picture("print")

        for event in browser.events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                faults.append("exception: " + json.dumps(params)[:300])
            elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
                faults.append("console: " + params["entry"]["text"][:300])
            elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "assert"):
                faults.append("console: " + json.dumps(params["args"])[:300])
            elif method == "Network.requestWillBeSent":
                asked = params["request"]["url"]
                if not asked.startswith(("file:", "data:", "about:")):
                    faults.append("request: " + asked[:300])
    finally:
        browser.process.terminate()
        try:
            browser.process.wait(10)
        except subprocess.TimeoutExpired:
            browser.process.kill()
            browser.process.wait()
        shutil.rmtree(profile, ignore_errors=True)
    for fault in faults:
        print(fault, file=sys.stderr)
    print("pictures in", folder)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
