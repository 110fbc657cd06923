// The page: shows what the worker says, and tells it what the user does. Nothing is decided here. Its other parts
// follow in one script: files.js, shown.js and input.js.
"use strict";

const $ = (id) => document.getElementById(id);
const ROW = 24;
/** Pixels that a knob is dragged for a step. */
const STEP = 6;
/** Two counts, and the bytes of a ring: a power of two. */
const RING_BYTES = 8 + (1 << 20);

const state = { commands: [], header: null, list: null, wave: null, positions: [], knobs: null, piano: [], page: 0 };
let module = null;
let worker = null;
let audio = null;
let node = null;
let openings = 0;
/** What is opened once the worker is there. */
let waiting = null;
/** What the user has entered of a game. */
let game = null;

function text(id) {
  return $(id).textContent;
}

function bytesOf(base64) {
  const letters = atob(base64.trim());
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

/** Returns the program, which the first module unpacks. */
async function unpackedProgram() {
  const { instance } = await WebAssembly.instantiate(await gunzipped(text("unpack")));
  const { memory, packed, unpacked } = instance.exports;
  const bytes = bytesOf(text("wasm"));
  const length = Number($("wasm").dataset.length);
  // Both may move the memory.
  const into = packed(bytes.length);
  new Uint8Array(memory.buffer, into, bytes.length).set(bytes);
  const at = unpacked(length);
  if (at === 0) throw new Error("the page is damaged");
  return WebAssembly.compile(new Uint8Array(memory.buffer, at, length));
}

async function gunzipped(base64) {
  const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** Of the worklet a data URL: Chromium loads no module from the blob of a page that is opened from disk. */
const scripts = {
  worker: URL.createObjectURL(new Blob([text("worker")], { type: "text/javascript" })),
  worklet: `data:text/javascript,${encodeURIComponent(text("worklet"))}`,
};

/** Begins the audio and the worker; whatever is needed of it waits for it. */
async function begin() {
  audio = new AudioContext({ latencyHint: "interactive" });
  [module] = await Promise.all([
    unpackedProgram(),
    audio.audioWorklet.addModule(scripts.worklet),
  ]);
  beginWorker();
}

function beginWorker() {
  worker?.terminate();
  worker = new Worker(scripts.worker);
  worker.onmessage = ({ data }) => hear(data);
  worker.onerror = ({ message }) => problem(`The program does not start: ${message}`);
  worker.postMessage({ module, kept: kept.all() });
}

function tell(message) {
  worker?.postMessage(message);
}

function hear(data) {
  if (data.show) show(JSON.parse(data.show));
  if (data.commands) showCommands(data.commands);
  if (data.ready && game) tell({ type: "game", ...game });
  if (data.ready) {
    worker.isReady = true;
    const go = waiting ?? openEmbedded;
    waiting = null;
    go();
  }
  if (data.failed) problem(`The program does not start: ${data.failed}. Close other pages, and load this one again.`);
  if (data.file) save(data.file, data.parts);
  if (data.kept) kept.put(data.kept, data.text);
  if (data.panic) console.error(data.panic);
  if (data.over) {
    problem(`That was too much: ${data.over}. The program has begun anew.`);
    node?.port.postMessage({ over: true });
    openings = 0;
    showWelcome();
    beginWorker();
  }
}

/** Connects what was opened with the processor, which begins anew: browsers free few of those that are not needed. */
function connect() {
  if (!node) {
    node = new AudioWorkletNode(audio, "usampler", {
      numberOfInputs: 0, outputChannelCount: [2], processorOptions: { module },
    });
    node.onprocessorerror = () => {
      node = null;
      problem("The audio has ended. Open the file again.");
    };
    node.connect(audio.destination);
  }
  if (crossOriginIsolated) {
    const rings = [new SharedArrayBuffer(RING_BYTES), new SharedArrayBuffer(RING_BYTES)];
    node.port.postMessage({ rings });
    worker.postMessage({ rings, opening: openings });
  } else {
    const { port1, port2 } = new MessageChannel();
    node.port.postMessage({ port: port1 }, [port1]);
    worker.postMessage({ port: port2, opening: openings }, [port2]);
  }
}

/** Browsers play nothing before the user has done something. */
function resume() {
  if (audio?.state === "suspended") audio.resume();
}

// --- What is kept ---

const kept = {
  prefix: "usampler:",
  all() {
    try {
      const keys = Object.keys(localStorage).filter((key) => key.startsWith(this.prefix));
      return keys.map((key) => [key.slice(this.prefix.length), localStorage.getItem(key)]);
    } catch {
      return [];
    }
  },
  put(path, text) {
    try {
      if (text === null) localStorage.removeItem(this.prefix + path);
      else localStorage.setItem(this.prefix + path, text);
    } catch {
      problem("This browser keeps nothing for a page like this: adjustments are gone when it is closed.");
    }
  },
};

function save(name, parts) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
