// Tries the page in Chromium as a user would: `node web/tests/page.mjs PAGE.html [CAPTURES [TRIALS]]`. With CORPUS set,
// also with packages of games. Captures go to a folder, to be looked at. TRIALS is a regular expression.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { Browser } from "./chromium.mjs";

const [page, captures = mkdtempSync(join(tmpdir(), "captures-")), chosen = ""] = process.argv.slice(2);
assert(page, "usage: page.mjs PAGE.html [CAPTURES]");
mkdirSync(captures, { recursive: true });
const url = pathToFileURL(resolve(page)).href;
const corpus = process.env.CORPUS;
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

const trials = [];
const trial = (name, act, address = url, before = "") => {
  if (new RegExp(chosen).test(name)) trials.push({ name, act, address, before });
};

/** The page as a server gives it that lets its threads share memory. */
const server = createServer((_request, response) => {
  response.writeHead(200, {
    "content-type": "text/html",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
  });
  response.end(readFileSync(page));
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const served = `http://127.0.0.1:${server.address().port}/`;

/** Returns the address of the page with a file in it, as `usampler page` writes it. */
function withFile(file) {
  const element = `data-name="${basename(file)}">${gzipSync(readFileSync(file)).toString("base64")}</script>`;
  const path = join(mkdtempSync(join(tmpdir(), "page-")), "kit.html");
  writeFileSync(path, readFileSync(resolve(page), "utf8").replace('data-name="">/*file*/</script>', element));
  return pathToFileURL(path).href;
}

/** Drops files, and waits until they are listed or refused. */
async function drop(tab, files) {
  await tab.value("state.list = null; state.wave = null; $('message').textContent = ''; $('message').className = ''");
  await tab.drop(files);
  return tab.until("state.list && state.list.count > 0 && !state.header.isListing || $('message').className === 'warning'");
}

const demo = async (tab) => {
  await tab.click("#demo");
  await tab.until("state.list && state.list.count > 3 && !state.header.isListing");
  await tab.until("state.wave && state.wave.channels");
};

trial("the first sound", async (tab) => {
  const ready = Date.now() - tab.begun;
  await demo(tab);
  await tab.key("keyDown", "z", "KeyZ");
  await tab.until("state.header.voices[0] > 0 && state.piano[0].isLit");
  const heard = Date.now() - tab.begun;
  await tab.key("keyUp", "z", "KeyZ");
  await tab.until("!state.piano[0].isLit");
  return `ready after ${ready} ms, heard after ${heard} ms`;
});

trial("keys, mouse and fingers play", async (tab) => {
  await demo(tab);
  for (const [key, code] of [["z", "KeyZ"], ["b", "KeyB"]]) await tab.key("keyDown", key, code);
  await tab.until("state.piano.filter((key) => key.isLit).length === 2");
  for (const [key, code] of [["z", "KeyZ"], ["b", "KeyB"]]) await tab.key("keyUp", key, code);
  await tab.until("state.piano.every((key) => !key.isLit)");
  const at = await tab.value(`[0, 4, 7].map((semitone) => {
    const box = document.querySelector("#piano [data-semitone='" + semitone + "']").getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height - 8, id: semitone };
  })`);
  await tab.call("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 5 });
  await tab.call("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at });
  await tab.until("state.piano.filter((key) => key.isLit).length === 3");
  await tab.capture(join(captures, "fingers.png"));
  await tab.call("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await tab.until("state.piano.every((key) => !key.isLit)");
});

trial("a key that goes up ends its note, whatever is held with it", async (tab) => {
  await demo(tab);
  await tab.key("keyDown", "z", "KeyZ");
  await tab.until("state.piano[0].isLit");
  await tab.key("keyUp", "z", "KeyZ", 2);
  await tab.until("!state.piano[0].isLit");
});

trial("help and search are the page's own", async (tab) => {
  await demo(tab);
  await tab.key("keyDown", "?", "Slash", 8);
  await tab.until("$('help').open");
  await tab.value("$('help').close()");
  await tab.key("keyDown", "F3", "F3");
  await tab.until("document.activeElement === $('search')");
});

trial("a click on a key of a German keyboard plays that key", async (tab) => {
  await demo(tab);
  await tab.key("keyDown", "y", "KeyZ");
  await tab.until("state.piano[0].isLit && state.piano[0].typed[0] === 'Y'");
  await tab.key("keyUp", "y", "KeyZ");
  await tab.until("!state.piano[0].isLit");
  const at = await tab.value(`(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height - 8 }))(
    document.querySelector("#piano [data-semitone='0']").getBoundingClientRect())`);
  await tab.call("Input.dispatchMouseEvent", { type: "mousePressed", ...at, button: "left", buttons: 1, clickCount: 1 });
  await tab.until("state.piano[0].isLit && state.piano[0].typed[0] === 'Y'");
  await tab.call("Input.dispatchMouseEvent", { type: "mouseReleased", ...at, button: "left", clickCount: 1 });
  await tab.until("state.piano.every((key) => !key.isLit)");
});

trial("a kit plays its own sound on each key", async (tab) => {
  await demo(tab);
  await tab.click("[data-command=map]");
  await tab.until("state.header.isKit && state.piano[2].name === '#3'");
  await tab.key("keyDown", "x", "KeyX");
  await tab.until("state.list.rows.some((row) => row.sounds && row.number === 3)");
  await tab.key("keyUp", "x", "KeyX");
  await tab.capture(join(captures, "kit.png"));
});

trial("a search, an order, a fold", async (tab) => {
  await demo(tab);
  await tab.click("#search");
  await tab.call("Input.insertText", { text: "hat" });
  await tab.until("state.list.count === 2");
  await tab.key("keyDown", "Escape", "Escape");
  await tab.until("state.list.count > 10");
  await tab.click("#sort");
  await tab.until("state.list.order === 'name' && state.list.rows[0].name.startsWith('Drums')");
});

trial("a knob that is turned is kept for the next visit", async (tab) => {
  await demo(tab);
  await tab.value("document.querySelector('.knob').focus()");
  for (let step = 0; step < 6; step += 1) await tab.key("keyDown", "ArrowDown", "ArrowDown");
  await tab.until("state.knobs.pages[0].knobs[0].text === '-3.0 dB'");
  await wait(1500);
  await tab.call("Page.reload");
  await wait(300);
  await tab.until("worker && worker.isReady");
  await demo(tab);
  await tab.until("state.knobs.pages[0].knobs[0].text === '-3.0 dB'");
  await tab.value("localStorage.clear()");
});

trial("a take and an export are files", async (tab) => {
  await tab.value(`window.saved = []; window.save = (name, parts) =>
    saved.push([name, parts.reduce((sum, part) => sum + part.length, 0)]); undefined`);
  await demo(tab);
  await tab.click("[data-command=take]");
  await tab.until("state.header.take !== null");
  await tab.key("keyDown", "z", "KeyZ");
  await wait(400);
  await tab.key("keyUp", "z", "KeyZ");
  await tab.click("[data-command=take]");
  await tab.until("saved.length === 1");
  await tab.click("[data-command=map]");
  await tab.until("state.header.isKit");
  for (const [what, end] of [["as WAV", ".wav"], ["SFZ", ".zip"], ["SoundFont", ".sf2"], ["kit: a key", ".toml"]]) {
    const before = await tab.value("saved.length");
    await tab.click("[data-command=save-sound]");
    await tab.until("$('menu').open");
    await tab.capture(join(captures, "export.png"));
    await tab.value(`[...$('menu').querySelectorAll('[role=option]')]
      .find((option) => option.textContent.includes(${JSON.stringify(what)})).click()`);
    await tab.until(`saved.length > ${before} && !$('menu').open`);
    assert((await tab.value("saved.at(-1)[0]")).endsWith(end), await tab.value("JSON.stringify(saved)"));
  }
  const saved = await tab.value("saved");
  assert(saved[0][0].endsWith(".wav") && saved[0][1] > 50_000, JSON.stringify(saved));
  return JSON.stringify(saved);
});

trial("what is exported opens again", async (tab) => {
  await tab.value(`window.saved = []; window.save = async (name, parts) =>
    saved.push([name, [...new Uint8Array(await new Blob(parts).arrayBuffer())]]); undefined`);
  await demo(tab);
  await tab.click("[data-command=map]");
  await tab.until("state.header.isKit");
  const folder = mkdtempSync(join(tmpdir(), "exported-"));
  const listed = [];
  for (const what of ["as WAV", "SoundFont"]) {
    await tab.value("saved.length = 0; undefined");
    await tab.click("[data-command=save-sound]");
    await tab.until("$('menu').open");
    await tab.value(`[...$('menu').querySelectorAll('[role=option]')]
      .find((option) => option.textContent.includes(${JSON.stringify(what)})).click()`);
    await tab.until("saved.length === 1 && !$('menu').open");
    const [name, bytes] = (await tab.value("saved"))[0];
    writeFileSync(join(folder, name), Buffer.from(bytes));
    listed.push(name);
  }
  const counts = [];
  for (const name of listed) {
    await drop(tab, [join(folder, name)]);
    assert.equal(await tab.value("$('message').className"), "", await tab.value("$('message').textContent"));
    counts.push(`${name}: ${await tab.value("state.header.sounds")}`);
    await tab.until("state.wave && state.wave.channels");
    await tab.key("keyDown", "z", "KeyZ");
    await tab.until("state.header.voices[0] > 0");
    await tab.key("keyUp", "z", "KeyZ");
  }
  return counts.join(", ");
});

trial("what is no package is refused in a sentence, and the page goes on", async (tab) => {
  const folder = mkdtempSync(join(tmpdir(), "dropped-"));
  const file = join(folder, "nothing.txt");
  writeFileSync(file, "nothing");
  await drop(tab, [file]);
  const said = await tab.value("$('message').textContent");
  assert.match(said, /nothing\.txt/);
  await demo(tab);
  return said;
});

trial("a phone and a dark screen", async (tab) => {
  await demo(tab);
  await tab.call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] });
  await wait(200);
  await tab.capture(join(captures, "dark.png"));
  await tab.call("Emulation.setDeviceMetricsOverride", { width: 390, height: 780, deviceScaleFactor: 2, mobile: true });
  await wait(300);
  await tab.capture(join(captures, "phone.png"));
  assert.equal(await tab.value("document.documentElement.scrollWidth <= innerWidth"), true);
});

trial("a MIDI keyboard plays, and a knob learns its controller", async (tab) => {
  await demo(tab);
  await tab.until("state.listens && midiInput.onmidimessage");
  const send = (...bytes) => tab.value(`midiInput.onmidimessage({ data: new Uint8Array([${bytes}]) })`);
  await send(0x90, 60, 100);
  await tab.until("state.header.voices[0] > 0");
  await send(0x80, 60, 0);
  await tab.until("state.header.voices[0] === 0");
  const knob = await tab.value("(({ x, y }) => ({ x: x + 20, y: y + 20 }))(document.querySelector('.knob').getBoundingClientRect())");
  for (const type of ["mousePressed", "mouseReleased"]) {
    await tab.call("Input.dispatchMouseEvent", { type, ...knob, button: "right", clickCount: 1, buttons: 2 });
  }
  await tab.until("state.knobs.pages[0].knobs[0].isLearning");
  await send(0xb0, 21, 10);
  await tab.until("!state.knobs.pages[0].knobs[0].isLearning");
  const before = await tab.value("state.knobs.pages[0].knobs[0].text");
  await send(0xb0, 21, 100);
  await tab.until(`state.knobs.pages[0].knobs[0].text !== ${JSON.stringify(before)}`);
  await tab.value("localStorage.clear()");
}, url, `window.midiInput = {};
  navigator.requestMIDIAccess = async () => ({ inputs: new Map([["one", midiInput]]) });`);

trial("a loop and a trim are dragged on the waveform", async (tab) => {
  await demo(tab);
  const box = await tab.value("(({ x, y, width, height }) => ({ x, y, width, height }))($('wave').getBoundingClientRect())");
  const drag = async (from, to, height) => {
    const at = (part) => ({ x: box.x + box.width * part, y: box.y + height });
    await tab.call("Input.dispatchMouseEvent", { type: "mousePressed", ...at(from), button: "left", buttons: 1, clickCount: 1 });
    for (let step = 1; step <= 5; step += 1) {
      await tab.call("Input.dispatchMouseEvent", { type: "mouseMoved", ...at(from + ((to - from) * step) / 5), button: "left", buttons: 1 });
    }
    await tab.call("Input.dispatchMouseEvent", { type: "mouseReleased", ...at(to), button: "left", clickCount: 1 });
  };
  await drag(0.25, 0.75, box.height / 2);
  await tab.until("state.wave.loop && Math.abs(state.wave.loop[0] / state.wave.length - 0.25) < 0.02");
  await tab.until("Math.abs(state.wave.loop[1] / state.wave.length - 0.75) < 0.02");
  await drag(0.002, 0.1, 4);
  await tab.until("Math.abs(state.wave.trim[0] / state.wave.length - 0.1) < 0.02");
  await tab.capture(join(captures, "wave.png"));
  await tab.value("tell({ type: 'command', name: 'undo' })");
  await tab.until("state.wave.trim[0] === 0");
  await tab.value("localStorage.clear()");
});

trial("all that takes the focus has a name, shows it, and is read easily", async (tab) => {
  const axe = process.env.AXE && readFileSync(process.env.AXE, "utf8");
  if (axe) await tab.value(`${axe}; undefined`);
  const looks = async (where) => {
    for (const scheme of ["dark", "light"]) {
      await tab.call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
      await wait(200);
      await tab.capture(join(captures, `${where}-${scheme}.png`));
      if (!axe) continue;
      const faults = await tab.value(`axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => id + " " + target + " " + failureSummary)))`);
      assert.deepEqual(faults, [], `${where}, ${scheme}`);
    }
  };
  await looks("welcome");
  await demo(tab);
  await looks("instrument");
  await tab.click("[data-command=map]");
  await tab.until("state.header.isKit");
  await tab.click("[data-command=save-sound]");
  await tab.until("$('menu').open");
  await looks("menu");
  await tab.key("keyDown", "Escape", "Escape");
  await tab.until("!$('menu').open");
  await tab.value("showHelp()");
  await looks("help");
  await tab.value("$('help').close()");
  await tab.click("#game-keys");
  await looks("game-keys");
  await tab.value("$('game').close(); document.body.focus()");
  const stops = new Set();
  for (let press = 0; press < 80; press += 1) {
    await tab.key("keyDown", "Tab", "Tab");
    const stop = await tab.value(`(() => {
      const { activeElement: at } = document;
      if (at === document.body) return null;
      return [at.id || at.dataset.command || at.textContent, getComputedStyle(at).outlineStyle];
    })()`);
    if (!stop) continue;
    assert.equal(stop[1], "solid", `the focus is seen on ${stop[0]}`);
    stops.add(stop[0]);
  }
  for (const stop of ["open", "folder", "demo", "game-keys", "take", "search", "sort", "list"]) assert(stops.has(stop), stop);
  return `${stops.size} stops${axe ? "" : "; skipped: what axe-core finds (AXE is not set)"}`;
});

/** Plays 64 voices for some seconds. */
async function voices(tab, length) {
  await demo(tab);
  await tab.value("tell({ type: 'search', words: 'Warm' })");
  await tab.until("state.list.count === 1");
  await tab.value("tell({ type: 'pointer', action: 'down', target: { on: 'list', row: 0 } })");
  await tab.until("state.wave.name === 'Pads.Warm' && state.wave.channels");
  await tab.value(`for (let key = 30; key < 94; key += 1) tell({ type: 'midi', bytes: [0x90, key, 60] })`);
  await tab.until("state.header.voices[0] === 64");
  const { frames, seconds } = await tab.value(`(async () => {
    const [from, begun] = [audio.currentTime, performance.now()];
    await new Promise((done) => setTimeout(done, ${1000 * length}));
    return { frames: audio.currentTime - from, seconds: (performance.now() - begun) / 1000 };
  })()`);
  assert.equal(await tab.value("state.header.voices[0]"), 64);
  assert(Math.abs(frames / seconds - 1) < 0.02, `${frames} s were rendered in ${seconds} s`);
  return `${frames.toFixed(2)} s rendered in ${seconds.toFixed(2)} s`;
}

trial("what is opened one after another plays, however fast", async (tab) => {
  for (let opening = 0; opening < 20; opening += 1) {
    await tab.value("tell({ type: 'demo', rate: audio.sampleRate })");
    await wait(opening * 10);
  }
  await tab.until("openings === 20");
  await tab.value("state.list = state.wave = null");
  await demo(tab);
  await tab.key("keyDown", "z", "KeyZ");
  await tab.until("state.header.voices[0] > 0 && state.piano[0].isLit");
});

trial("what is opened after four hundred others plays", async (tab) => {
  await tab.value(`(async () => {
    for (let opening = 1; opening <= 400; opening += 1) {
      tell({ type: 'demo', rate: audio.sampleRate });
      while (openings !== opening) await new Promise((done) => setTimeout(done, 4));
    }
  })()`);
  await tab.until("!state.header.isListing");
  await tab.value("tell({ type: 'midi', bytes: [0x90, 60, 100] })");
  await tab.until("state.header.voices[0] > 0");
});

const seconds = Number(process.env.SECONDS ?? 10);
trial(`64 voices for ${seconds} s without a gap`, (tab) => voices(tab, seconds));
trial(`64 voices for ${seconds} s, by rings in shared memory`, async (tab) => {
  assert.equal(await tab.value("crossOriginIsolated"), true);
  return voices(tab, seconds);
}, served);

if (corpus) {
  trial("a package, a folder, a song", async (tab) => {
    const sounds = join(corpus, "packages/v128_29");
    const listed = await drop(tab, [join(sounds, "Vel-San__SoundBoardSND.uax")]);
    await drop(tab, [sounds]);
    await tab.capture(join(captures, "folder.png"));
    assert((await tab.value("state.list.count")) > 5);
    await drop(tab, [join(corpus, "modules/openmpt/xm/PanOff.xm")]);
    await tab.until("$('song').textContent.includes('Pattern')");
    await tab.capture(join(captures, "song.png"));
    await drop(tab, [join(corpus, "modules/openmpt/xm/EnvLoops.xm")]);
    await tab.until("state.header.package === 'EnvLoops.xm' && $('song').textContent.includes('Pattern')");
    return `listed after ${listed} ms`;
  });

  trial("what is open plays on after something else was refused", async (tab) => {
    await drop(tab, [join(corpus, "packages/v128_29")]);
    const folder = mkdtempSync(join(tmpdir(), "dropped-"));
    writeFileSync(join(folder, "nothing.txt"), "nothing");
    await tab.value("$('message').className = ''");
    await tab.drop([folder]);
    await tab.until("$('message').className === 'warning'");
    assert.match(await tab.value("$('message').textContent"), /no packages/);
    // Decoded only when it is chosen.
    await tab.value("tell({ type: 'search', words: 'Sneeze' })");
    await tab.until("state.list.count === 1");
    await tab.value("tell({ type: 'pointer', action: 'down', target: { on: 'list', row: 0 } })");
    await tab.until("state.wave.name.endsWith('Human.Sneeze') && state.wave.channels");
  });

  trial("a page with a file in it opens that file", async (tab) => {
    await tab.until("state.list && state.list.count > 0 && !state.header.isListing");
    await tab.click("#name");
    await tab.key("keyDown", "z", "KeyZ");
    await tab.until("state.header.voices[0] > 0");
  }, withFile(join(corpus, "packages/v128_29/Vel-San__SoundBoardSND.uax")));

  trial("keys open an encrypted game, and mappings show its loops", async (tab) => {
    const game = join(corpus, "containers/UE5_8");
    await drop(tab, [join(game, "IoStore/Unversioned/OodleEncrypted")]);
    assert.match(await tab.value("$('message').textContent"), /encrypted; enter its key under Game keys/);
    const enter = async (key) => {
      await tab.click("#game-keys");
      await tab.until("$('game').open");
      await tab.value("$('game').querySelector('textarea').select()");
      await tab.call("Input.insertText", { text: key });
      await tab.capture(join(captures, "keys.png"));
      await tab.click("#game [type=submit]");
    };
    await enter("0x1234");
    await tab.until("$('message').textContent.startsWith('AES keys: ')");
    await enter(Buffer.from("CUE4ParseFixtureAESKey0123456789").toString("hex"));
    await tab.until("state.list && state.list.count >= 12 && !state.header.isListing");
    const loops = () => tab.value("state.list.rows.filter((row) => row.cells && row.cells[4] !== '-').length");
    assert.equal(await loops(), 0);
    await drop(tab, [join(game, "Mappings/CUE4ParseFixtures-Oodle.usmap")]);
    await tab.until("state.list.rows.some((row) => row.cells && row.cells[4] !== '-')");
    await tab.capture(join(captures, "encrypted.png"));
  });

  trial("every kind of file", async (tab) => {
    const kinds = ["containers/UE5_8/IoStore/Tagged/Oodle", "banks", "packages/v128_29", "modules/openmpt/it",
      "containers/sounds/UE5_8_Tagged", "games/Dou-ble+TimeSynthPresentation"];
    const found = [];
    for (const kind of kinds) {
      const took = await drop(tab, [join(corpus, kind)]);
      assert(await tab.value("state.list && state.list.count > 0"), `${kind}: ${await tab.value("$('message').textContent")}`);
      await tab.capture(join(captures, `${kind.replaceAll("/", "-")}.png`));
      found.push(`${kind}: ${await tab.value("state.header.sounds")} after ${took} ms`);
    }
    return found.join(", ");
  });

  trial("hostile files", async (tab) => {
    const folder = join(corpus, "hostile");
    let files = 0;
    for (const name of readdirSync(folder)) {
      await drop(tab, [join(folder, name)]).catch((error) => { throw new Error(`${name}: ${error.message}`); });
      files += 1;
    }
    await demo(tab);
    return `${files} files`;
  });
} else {
  console.log("skipped: CORPUS is not set");
}

const browser = await Browser.launch();
let failed = 0;
for (const { name, act, address, before } of trials) {
  const tab = await browser.open(address, { before });
  try {
    await tab.until("worker && worker.isReady");
    const found = await act(tab);
    const asked = tab.requests.filter((request) => request !== address && !/^(file|blob|data):/.test(request));
    assert.deepEqual(asked, [], "nothing is asked for");
    assert.deepEqual(tab.logged, [], "nothing is logged");
    console.log(`ok      ${name}${found ? `: ${found}` : ""}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}: ${error.message}`);
    await tab.capture(join(captures, `failed-${trials.findIndex((one) => one.name === name)}.png`)).catch(() => {});
  }
  await tab.call("Page.close").catch(() => {});
}
await browser.close();
server.close();
console.log(`${trials.length - failed} of ${trials.length}; captures in ${captures}`);
process.exit(failed === 0 ? 0 : 1);
