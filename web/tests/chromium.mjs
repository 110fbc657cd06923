// Drives a headless Chromium over its debugging protocol, through pipes: no library, and no port.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A browser that ends with `close`. */
export class Browser {
  static async launch(program = process.env.CHROMIUM ?? "chromium") {
    const profile = mkdtempSync(join(tmpdir(), "usampler-page-"));
    // None that makes a page may more than it may for a user.
    const options = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--mute-audio",
      `--user-data-dir=${profile}`, "--remote-debugging-pipe", "--window-size=1280,800", "about:blank",
    ];
    const child = spawn(program, options, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    return new Browser(child, profile);
  }

  constructor(child, profile) {
    this.child = child;
    this.profile = profile;
    this.next = 1;
    this.calls = new Map();
    this.listeners = [];
    let rest = Buffer.alloc(0);
    child.stdio[4].on("data", (part) => {
      rest = Buffer.concat([rest, part]);
      for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
        this.hear(JSON.parse(rest.subarray(0, end).toString()));
        rest = rest.subarray(end + 1);
      }
    });
    child.on("exit", () => this.calls.forEach(({ failed }) => failed(new Error("the browser is gone"))));
  }

  hear(message) {
    const call = this.calls.get(message.id);
    if (call) {
      this.calls.delete(message.id);
      if (message.error) call.failed(new Error(`${call.method}: ${message.error.message}`));
      else call.done(message.result);
    } else {
      this.listeners.forEach((listen) => listen(message));
    }
  }

  call(method, params = {}, sessionId = undefined) {
    const id = this.next;
    this.next += 1;
    this.child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((done, failed) => this.calls.set(id, { done, failed, method }));
  }

  /** Opens an address, and returns its page once it is there; a script `before` runs before those of the page. */
  async open(url, { width = 1280, height = 800, before = "" } = {}) {
    const { targetId } = await this.call("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.call("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, sessionId);
    await page.call("Page.enable");
    await page.call("Runtime.enable");
    await page.call("DOM.enable");
    await page.call("Network.enable");
    await page.call("Emulation.setDeviceMetricsOverride",
      { width, height, deviceScaleFactor: 1, mobile: width < 600 });
    if (before) await page.call("Page.addScriptToEvaluateOnNewDocument", { source: before });
    page.begun = Date.now();
    await page.call("Page.navigate", { url });
    return page;
  }

  async close() {
    await this.call("Browser.close").catch(() => {});
    await new Promise((done) => {
      if (this.child.exitCode !== null) done();
      else this.child.on("exit", done);
    });
    rmSync(this.profile, { recursive: true, force: true });
  }
}

/** A page of a browser. */
export class Page {
  constructor(browser, session) {
    this.browser = browser;
    this.session = session;
    /** What it has logged, and the addresses that it has asked for. */
    this.logged = [];
    this.requests = [];
    browser.listeners.push((message) => {
      if (message.sessionId !== session) return;
      if (message.method === "Runtime.consoleAPICalled") {
        this.logged.push(message.params.args.map((arg) => arg.value ?? arg.description).join(" "));
      }
      if (message.method === "Runtime.exceptionThrown") {
        const details = message.params.exceptionDetails;
        this.logged.push(details.exception?.description ?? details.text);
      }
      if (message.method === "Network.requestWillBeSent") this.requests.push(message.params.request.url);
    });
  }

  call(method, params = {}) {
    return this.browser.call(method, params, this.session);
  }

  /** Returns the value of an expression. */
  async value(expression) {
    const { result, exceptionDetails } = await this.call("Runtime.evaluate",
      { expression, awaitPromise: true, returnByValue: true, userGesture: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Waits until an expression is true; returns the milliseconds that took. */
  async until(expression, most = 15_000) {
    const begun = Date.now();
    while (!(await this.value(expression).catch(() => false))) {
      if (Date.now() - begun > most) {
        throw new Error(`never: ${expression}\n${this.logged.join("\n")}\n${await this.value("document.body.innerText")}`);
      }
      await new Promise((done) => setTimeout(done, 10));
    }
    return Date.now() - begun;
  }

  /** Gives files to an input of the page. */
  async files(selector, files) {
    const { root } = await this.call("DOM.getDocument");
    const { nodeId } = await this.call("DOM.querySelector", { nodeId: root.nodeId, selector });
    await this.call("DOM.setFileInputFiles", { nodeId, files });
  }

  /** Drops files or folders on the page. */
  async drop(files, at = { x: 400, y: 300 }) {
    const data = { items: [], files, dragOperationsMask: 1 };
    // Whether the page takes a drop is known from the answer to the last event over it.
    for (const type of ["dragEnter", "dragOver", "dragOver", "drop"]) {
      await this.call("Input.dispatchDragEvent", { type, ...at, data });
      await this.value("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 5)))");
    }
  }

  async key(type, key, code, modifiers = 0) {
    const text = key.length === 1 && type === "keyDown" ? key : undefined;
    // The browser acts itself on keys whose number it knows.
    const windowsVirtualKeyCode = { Tab: 9, Enter: 13, Escape: 27 }[key];
    await this.call("Input.dispatchKeyEvent", { type, key, code, text, modifiers, windowsVirtualKeyCode });
  }

  async click(selector) {
    const box = await this.value(`(() => { const box = document.querySelector(${JSON.stringify(selector)})
      .getBoundingClientRect(); return { x: box.x + box.width / 2, y: box.y + box.height / 2 }; })()`);
    for (const type of ["mousePressed", "mouseReleased"]) {
      await this.call("Input.dispatchMouseEvent", { type, ...box, button: "left", clickCount: 1, buttons: 1 });
    }
  }

  async capture(path) {
    const { data } = await this.call("Page.captureScreenshot", { format: "png" });
    writeFileSync(path, Buffer.from(data, "base64"));
  }
}
