// The page: shows what the worker says, and tells it what the user does. Nothing is decided here.
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
/** The files that are open. */
let opened = [];
/** What the user has entered of a game. */
let game = null;

// --- Program ---

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

function script(id) {
  return URL.createObjectURL(new Blob([text(id)], { type: "text/javascript" }));
}

const scripts = { worker: script("worker"), worklet: script("worklet") };

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
  worker.postMessage({ module, kept: kept.all() });
}

function tell(message) {
  worker?.postMessage(message);
}

function hear(data) {
  if (data.show) show(JSON.parse(data.show));
  if (data.commands) showCommands(data.commands);
  if (data.ready && game) tell({ type: "game", ...game });
  if (data.ready && waiting) {
    const open = waiting;
    waiting = null;
    open();
  } else if (data.ready) {
    const file = $("file");
    if (file.dataset.name) openEmbedded(file);
    else worker.isReady = true;
  }
  if (data.ready) worker.isReady = true;
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

// --- Files ---

const isMappings = ({ path }) => /\.usmap$/i.test(path);

/** Opens files; mappings alone go with what is open. */
function open(files) {
  if (files.length === 0) return;
  if (files.every(isMappings)) files = [...opened, ...files];
  opened = files.filter((file) => !isMappings(file));
  resume();
  const go = () => worker.postMessage({ files, rate: audio.sampleRate });
  if (worker?.isReady) go(); else waiting = go;
}

function openDemo() {
  opened = [];
  resume();
  const go = () => tell({ type: "demo", rate: audio.sampleRate });
  if (worker?.isReady) go(); else waiting = go;
}

async function openEmbedded(file) {
  const bytes = await gunzipped(file.textContent);
  open([{ file: new File([bytes], file.dataset.name), path: file.dataset.name }]);
}

/** Lists a folder that was dropped; entries come in parts. */
async function below(entry, found) {
  if (entry.isFile) {
    const file = await new Promise((done, failed) => entry.file(done, failed)).catch(() => null);
    if (file) found.push({ file, path: entry.fullPath.replace(/^\//, "") });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const part = await new Promise((done) => reader.readEntries(done, () => done([])));
    if (part.length === 0) return;
    for (const one of part) await below(one, found);
  }
}

// What lies beneath changes with each frame; a drag goes over one element that stays.
for (const type of ["dragenter", "dragover"]) {
  addEventListener(type, (event) => { event.preventDefault(); $("over").hidden = false; });
}
addEventListener("dragleave", (event) => { if (!event.relatedTarget) $("over").hidden = true; });
addEventListener("drop", async (event) => {
  event.preventDefault();
  $("over").hidden = true;
  const items = [...event.dataTransfer.items].filter((item) => item.kind === "file");
  const entries = items.map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const found = [];
  if (entries.length > 0) for (const entry of entries) await below(entry, found);
  else found.push(...[...event.dataTransfer.files].map((file) => ({ file, path: file.name })));
  open(found);
});

$("open").onclick = () => $("files").click();
$("folder").onclick = () => $("folders").click();
$("demo").onclick = $("demo2").onclick = openDemo;
for (const input of [$("files"), $("folders")]) {
  input.onchange = () => {
    open([...input.files].map((file) => ({ file, path: file.webkitRelativePath || file.name })));
    input.value = "";
  };
}

// --- What is shown ---

function problem(text) {
  $("message").textContent = text;
  $("message").className = "warning";
}

function notice(text) {
  $("message").textContent = text;
  $("message").className = "";
}

function showWelcome() {
  $("welcome").hidden = false;
  $("instrument").hidden = $("commands").hidden = true;
}

function show(news) {
  if (news.openings !== undefined && news.openings !== openings) {
    openings = news.openings;
    if (news.header) {
      connect();
      listenToMidi();
    } else {
      showWelcome();
    }
  }
  if (news.header) {
    $("welcome").hidden = true;
    $("instrument").hidden = $("commands").hidden = false;
    showHeader(state.header = news.header);
    if (!state.isMeasured) measure();
  }
  if (news.message !== undefined) {
    $("message").textContent = news.message?.warning ?? news.message?.notice ?? "";
    $("message").className = news.message?.warning ? "warning" : "";
  }
  if (news.mappings !== undefined) showMappings(news.mappings);
  if (news.problem) problem(news.problem);
  if (news.list) showList(state.list = news.list);
  if (news.wave !== undefined) showWave(state.wave = news.wave);
  if (news.positions) { state.positions = news.positions; drawWave(); }
  if (news.knobs) showKnobs(state.knobs = news.knobs);
  if (news.piano) showPiano(state.piano = news.piano);
  if (news.meters) showMeters(news.meters);
  if (news.menu !== undefined) showMenu(news.menu);
  if (news.song !== undefined) showSong(news.song);
}

/** Commands that have buttons, and what stands on them. */
const BUTTONS = new Map(Object.entries({
  take: "Record", "save-recent": "Save what was played", "save-sound": "Export", map: "Kit", loop: "Loop",
  layout: "Layout", preview: "Preview", pick: "Pick", undo: "Undo", redo: "Redo", switches: "Switches",
  "show-song": "Song", "play-song": "Play song", help: "Help",
}));

function showCommands(commands) {
  state.commands = commands;
  const bar = $("commands");
  bar.replaceChildren();
  for (const [name, label] of BUTTONS) {
    const command = commands.find((command) => command.name === name);
    if (!command) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.dataset.command = name;
    button.title = [command.about, ...command.keys].join(" · ");
    button.classList.toggle("rec", name === "take");
    button.onclick = () => { resume(); if (name === "help") showHelp(); else tell({ type: "command", name }); };
    bar.append(button);
  }
  const keys = [["Octave −", "[", "An octave lower"], ["Octave +", "]", "An octave higher"],
    ["Pages", "Tab", "The next page of the song, or what ends notes"], ["Silence", "Escape", "Silence all voices"]];
  for (const [label, key, about] of keys) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.title = `${about} · ${key}`;
    button.onclick = () => tell({ type: "key", key, code: "" });
    bar.append(button);
  }
}

function pressed(name, isPressed) {
  document.querySelector(`[data-command="${name}"]`)?.setAttribute("aria-pressed", String(isPressed));
}

function showHeader(header) {
  document.title = `${header.package} – usampler`;
  const take = header.take === null ? "" : `REC ${Math.floor(header.take / 60)}:${String(header.take % 60).padStart(2, "0")}  `;
  const listing = header.isListing ? " so far" : "";
  $("machine").textContent = `${take}${header.package}  ${header.sounds}${listing}  voices ${header.voices.join("/")}` +
    `  ${header.rate} Hz  velocity ${header.velocity}${header.midi.length ? `  MIDI ${header.midi.join(" ")}` : ""}`;
  pressed("take", header.take !== null);
  pressed("map", header.isKit);
  pressed("preview", header.previews);
}

function showList(list) {
  const heads = $("heads");
  if (heads.childElementCount === 0) {
    heads.append(cell("number", "#"), cell("own", "name"), ...list.heads.map((head) => cell("cell", head, head)));
  }
  const rows = $("rows");
  rows.style.height = `${list.count * ROW}px`;
  rows.replaceChildren(...list.rows.map((row, index) => listRow(list, row, list.top + index)));
  $("sort").textContent = `by ${list.order}`;
  if (document.activeElement !== $("search")) $("search").value = list.filter;
  if (list.chosen !== null && list.chosen !== state.chosenRow) {
    state.chosenRow = list.chosen;
    reveal(list.chosen);
  }
}

/** Returns a cell of the list, of a column if it is none of the first two. */
function cell(name, text, column = "") {
  const span = document.createElement("span");
  span.className = name;
  span.textContent = text;
  if (column) span.dataset.column = column;
  return span;
}

function listRow(list, row, number) {
  const line = document.createElement("div");
  line.className = "row";
  line.id = `row${number}`;
  line.style.top = `${number * ROW}px`;
  line.setAttribute("role", "option");
  const isChosen = number === list.chosen;
  line.setAttribute("aria-selected", String(isChosen));
  if (isChosen) $("list").setAttribute("aria-activedescendant", line.id);
  if (row?.group !== undefined) {
    line.classList.add("group");
    line.append(cell("own", `${row.isFolded ? "▸" : "▾"} ${row.group} (${row.count})`));
  } else if (row) {
    line.classList.toggle("silent", row.silent !== null);
    line.classList.toggle("sounds", row.sounds);
    line.title = [row.name, row.silent].filter(Boolean).join(": ");
    line.append(
      cell("number", `${row.isPicked ? "+" : ""}${row.number}`),
      cell("own", `${row.isAdjusted ? "* " : ""}${row.name}`),
      ...row.cells.map((text, index) => cell("cell", text, list.heads[index])),
    );
  }
  line.onpointerdown = () => {
    resume();
    tell({ type: "pointer", action: "down", target: { on: "list", row: number } });
    tell({ type: "pointer", action: "up", target: { on: "list", row: number } });
  };
  return line;
}

function reveal(row) {
  const list = $("list");
  const top = row * ROW;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
}

function showWave(wave) {
  $("name").textContent = wave?.name ?? "";
  const range = (name, range) => (range ? `${name} ${range[0]}–${range[1]}` : "");
  const isTrimmed = wave?.length && (wave.trim[0] > 0 || wave.trim[1] < wave.length);
  const parts = [wave?.silent ?? "", range("loop", wave?.loop), isTrimmed ? range("trim", wave.trim) : ""];
  $("note").textContent = parts.filter(Boolean).join("   ");
  $("wave").setAttribute("aria-label", `Waveform of ${wave?.name ?? "nothing"}. ${$("note").textContent}`);
  drawWave();
}

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name);
}

function drawWave() {
  const canvas = $("wave").firstElementChild;
  const ratio = devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = $("wave");
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const wave = state.wave;
  if (!wave?.channels?.length) return;
  const [from, to] = wave.window;
  const at = (frame) => ((frame - from) / Math.max(1, to - from)) * width;
  const band = (range, name, alpha) => {
    if (!range) return;
    context.globalAlpha = alpha;
    context.fillStyle = color(name);
    context.fillRect(at(range[0]), 0, Math.max(1, at(range[1]) - at(range[0])), height);
    context.globalAlpha = 1;
  };
  band(wave.loop, "--good", 0.18);
  band(wave.dragged, "--accent", 0.3);
  const lane = height / wave.channels.length;
  context.fillStyle = color("--accent");
  wave.channels.forEach((peaks, channel) => {
    const columns = peaks.length / 2;
    const middle = lane * (channel + 0.5);
    for (let column = 0; column < columns; column += 1) {
      const low = peaks[2 * column] / 100;
      const high = peaks[2 * column + 1] / 100;
      const x = (column / columns) * width;
      const top = middle - (high * lane) / 2;
      context.fillRect(x, top, Math.max(0.6, width / columns), Math.max(1, ((high - low) * lane) / 2));
    }
  });
  context.globalAlpha = 0.6;
  context.fillStyle = color("--back");
  context.fillRect(0, 0, Math.max(0, at(wave.trim[0])), height);
  context.fillRect(at(wave.trim[1]), 0, Math.max(0, width - at(wave.trim[1])), height);
  context.globalAlpha = 1;
  const handle = (frame, name, isTop) => {
    context.fillStyle = color(name);
    context.fillRect(at(frame) - 1, 0, 2, height);
    context.fillRect(at(frame) - 5, isTop ? 0 : height - 10, 10, 10);
  };
  wave.trim.forEach((frame) => handle(frame, "--dim", true));
  wave.loop?.forEach((frame) => handle(frame, "--good", false));
  context.fillStyle = color("--warn");
  for (const frame of state.positions) context.fillRect(at(frame), 0, 1.5, height);
}

function showKnobs(knobs) {
  const tabs = $("pages");
  if (tabs.childElementCount !== knobs.pages.length) {
    tabs.replaceChildren(...knobs.pages.map((page, index) => {
      const tab = document.createElement("button");
      tab.type = "button";
      tab.textContent = page.name;
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", "knobs");
      tab.onkeydown = (event) => {
        const steps = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!steps) return;
        event.preventDefault();
        event.stopPropagation();
        state.page = (state.page + steps + knobs.pages.length) % knobs.pages.length;
        showKnobs(state.knobs);
        tabs.children[state.page].focus();
      };
      tab.onclick = () => { state.page = index; showKnobs(state.knobs); };
      return tab;
    }));
  }
  if (state.workerPage !== knobs.page) state.page = state.workerPage = knobs.page;
  [...tabs.children].forEach((tab, index) => {
    tab.setAttribute("aria-selected", String(index === state.page));
    tab.tabIndex = index === state.page ? 0 : -1;
  });
  const panel = $("knobs");
  const page = knobs.pages[state.page];
  if (panel.dataset.page !== page.name) {
    panel.dataset.page = page.name;
    panel.replaceChildren(...page.knobs.map((_, place) => knobOf(state.page, place)));
  }
  page.knobs.forEach((knob, place) => {
    const element = panel.children[place];
    element.classList.toggle("changed", knob.isChanged);
    element.classList.toggle("learning", knob.isLearning);
    element.setAttribute("aria-label", knob.name);
    element.setAttribute("aria-valuetext", knob.text);
    element.firstElementChild.textContent = knob.name;
    element.lastElementChild.textContent = knob.text;
  });
}

function knobOf(page, place) {
  const element = document.createElement("div");
  element.className = "knob";
  element.tabIndex = 0;
  element.setAttribute("role", "spinbutton");
  element.title = "Drag, wheel or arrows turn it, double-click resets";
  element.append(document.createElement("b"), document.createElement("span"));
  const target = { on: "knob", page, place };
  const turn = (steps) => tell({ type: "pointer", action: "wheel", target, steps });
  let from = null;
  element.onpointerdown = (event) => {
    from = event.clientY;
    element.setPointerCapture(event.pointerId);
    element.focus();
    event.preventDefault();
  };
  element.onpointermove = (event) => {
    if (from === null) return;
    const steps = Math.trunc((event.clientY - from) / STEP);
    if (steps !== 0) {
      from += steps * STEP;
      turn(steps);
    }
  };
  element.onpointerup = element.onpointercancel = () => { from = null; };
  element.onwheel = (event) => { event.preventDefault(); turn(Math.sign(event.deltaY)); };
  const reset = () => {
    tell({ type: "pointer", action: "down", target });
    tell({ type: "key", key: "Backspace", code: "Backspace" });
    tell({ type: "command", name: "adjust" });
  };
  element.ondblclick = reset;
  element.onkeydown = (event) => {
    const steps = { ArrowUp: -1, ArrowRight: -1, ArrowDown: 1, ArrowLeft: 1, PageUp: -10, PageDown: 10 }[event.key];
    if (steps) turn(steps);
    else if (event.key === "Backspace" || event.key === "Delete") reset();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return element;
}

function showPiano(piano) {
  const box = $("piano");
  const whites = piano.filter((key) => !key.isBlack).length;
  const width = 100 / Math.max(1, whites);
  if (box.childElementCount !== piano.length) {
    box.replaceChildren(...piano.map((key) => {
      const button = document.createElement("button");
      button.type = "button";
      button.tabIndex = -1;
      button.dataset.semitone = key.semitone;
      return button;
    }));
  }
  let white = 0;
  piano.forEach((key, index) => {
    const button = box.children[index];
    button.className = `${key.isBlack ? "black" : "white"}${key.isLit ? " lit" : ""}`;
    button.style.left = `${key.isBlack ? white * width - width * 0.3 : white * width}%`;
    button.style.width = `${key.isBlack ? width * 0.6 : width}%`;
    const typed = key.typed[0] ?? "";
    const name = key.isBlack ? "" : key.name;
    // Begins with what is seen on it, so that who speaks to the page can say that.
    button.setAttribute("aria-label", [typed, name, key.note].filter(Boolean).join(" "));
    button.setAttribute("aria-pressed", String(key.isLit));
    const label = `${typed}\n${name}`;
    if (button.textContent !== label) button.innerText = label;
    if (!key.isBlack) white += 1;
  });
}

function showMeters({ sides }) {
  [...$("meters").children].forEach((bar, side) => {
    const decibels = 20 * Math.log10(Math.max(1e-6, sides[side].level / 1000));
    bar.style.clipPath = `inset(${Math.min(100, Math.max(0, (-decibels / 60) * 100))}% 0 0 0)`;
  });
}

function showMenu(menu) {
  const dialog = $("menu");
  if (!menu) {
    dialog.close();
    return;
  }
  dialog.querySelector("h2").textContent = menu.title;
  const box = dialog.querySelector("[role=listbox]");
  box.replaceChildren(...menu.rows.map((text, row) => {
    const option = document.createElement("div");
    option.id = `choice${row}`;
    option.setAttribute("role", "option");
    option.setAttribute("aria-selected", String(row === menu.chosen));
    option.textContent = text;
    option.onclick = () => tell({ type: "pointer", action: "down", target: { on: "menu", row } });
    return option;
  }));
  box.setAttribute("aria-activedescendant", `choice${menu.chosen}`);
  if (!dialog.open) dialog.showModal();
  dialog.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
}

$("menu").querySelector("button").onclick = () =>
  tell({ type: "pointer", action: "down", target: { on: "menu", row: null } });
$("menu").addEventListener("cancel", (event) => {
  event.preventDefault();
  tell({ type: "pointer", action: "down", target: { on: "menu", row: null } });
});

$("menu").onkeydown = (event) => {
  if (!["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Enter"].includes(event.key)) return;
  if (event.target instanceof HTMLButtonElement && event.key === "Enter") return;
  event.preventDefault();
  event.stopPropagation();
  tell({ type: "key", key: event.key, code: event.code });
};

function showHelp() {
  const rows = state.commands.filter((command) => command.keys.length > 0).map((command) => {
    const row = document.createElement("tr");
    for (const text of [command.keys.join(", "), command.about]) {
      const cell = document.createElement("td");
      cell.textContent = text;
      row.append(cell);
    }
    return row;
  });
  $("help").querySelector("table").replaceChildren(...rows);
  $("help").showModal();
  $("help").scrollTop = 0;
}

$("help").querySelector("button").onclick = () => $("help").close();

function showMappings(name) {
  const { keepsMappings } = $("game").querySelector("form").elements;
  keepsMappings.checked = name !== null;
  keepsMappings.disabled = name === null;
  keepsMappings.nextElementSibling.textContent = name ?? "drop a .usmap file on the page";
  if (name) notice(`Mappings: ${name}`);
}

$("game-keys").onclick = () => $("game").showModal();
$("game").querySelector("button[type=button]").onclick = () => $("game").close();
$("game").querySelector("form").onsubmit = (event) => {
  event.preventDefault();
  const { aes, engine, fmodKey, criKey, keepsMappings } = event.target.elements;
  game = { aes: aes.value, engine: engine.value, fmodKey: fmodKey.value, criKey: criKey.value,
    keepsMappings: keepsMappings.checked };
  $("game").close();
  notice("");
  tell({ type: "game", ...game });
};

function showSong(song) {
  $("songs").hidden = !song;
  $("sounds").hidden = $("sound").hidden = Boolean(song);
  pressed("show-song", Boolean(song));
  if (!song) return;
  $("song").replaceChildren(...song.flatMap((row) => [...row.map(([text, fore, back, isBold]) => {
    const piece = document.createElement("span");
    piece.textContent = text;
    if (fore) piece.style.color = fore;
    if (back) piece.style.background = back;
    if (isBold) piece.style.fontWeight = "bold";
    return piece;
  }), "\n"]));
}

// --- What the user does ---

/** Keys that the browser needs, or that the page gives to what has the focus. */
const FOREIGN = new Set(["Tab", "F5", "F6", "F11", "F12"]);

function isTyping(target) {
  return target instanceof HTMLInputElement || document.querySelector("dialog[open]");
}

function onKey(event, up) {
  if (isTyping(event.target) && !up) return;
  if (FOREIGN.has(event.key) || event.altKey || event.metaKey) return;
  const isButton = event.target instanceof HTMLButtonElement;
  if (isButton && (event.key === "Enter" || event.key === " ")) return;
  const keys = `Ctrl-${event.key.toUpperCase()}`;
  if (event.ctrlKey && !state.commands.some((command) => command.keys.includes(keys))) return;
  if (event.key === "F1" && !up) {
    event.preventDefault();
    showHelp();
    return;
  }
  resume();
  if (!up) event.preventDefault();
  tell({ type: "key", key: event.key, code: event.code, shift: event.shiftKey, ctrl: event.ctrlKey,
    repeat: event.repeat, up });
}

addEventListener("keydown", (event) => onKey(event, false));
addEventListener("keyup", (event) => onKey(event, true));
addEventListener("blur", () => tell({ type: "blur" }));
addEventListener("pointerdown", resume);

$("search").oninput = () => tell({ type: "search", words: $("search").value });
$("search").onkeydown = (event) => {
  if (event.key === "Escape") {
    $("search").value = "";
    tell({ type: "search", words: "" });
  }
  if (event.key === "Escape" || event.key === "Enter") $("search").blur();
  event.stopPropagation();
};
$("sort").onclick = () => tell({ type: "command", name: "sort" });

/** Keys of the piano that pointers hold: what each types. */
const held = new Map();

function pianoKey(event) {
  const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("#piano button");
  const semitone = under ? Number(under.dataset.semitone) : null;
  return state.piano.find((key) => key.semitone === semitone)?.typed[0]?.toLowerCase() ?? null;
}

function hold(pointer, key) {
  const before = held.get(pointer);
  if (before === key) return;
  if (before) tell({ type: "key", key: before, code: "", up: true });
  held.set(pointer, key);
  if (key) tell({ type: "key", key, code: "" });
}

$("piano").onpointerdown = (event) => {
  event.preventDefault();
  resume();
  $("piano").setPointerCapture(event.pointerId);
  hold(event.pointerId, pianoKey(event));
};
$("piano").onpointermove = (event) => {
  if (held.has(event.pointerId)) hold(event.pointerId, pianoKey(event));
};
$("piano").onpointerup = $("piano").onpointercancel = (event) => {
  hold(event.pointerId, null);
  held.delete(event.pointerId);
};

function wavePointer(action) {
  return (event) => {
    const box = $("wave").getBoundingClientRect();
    const columns = Math.max(1, Math.floor(box.width));
    const column = Math.min(columns - 1, Math.max(0, Math.floor(event.clientX - box.left)));
    const target = { on: "wave", column, columns, top: event.clientY - box.top < 14 };
    if (action === "down") $("wave").setPointerCapture(event.pointerId);
    if (action === "drag" && !event.buttons) return;
    if (action === "wheel") event.preventDefault();
    tell({ type: "pointer", action, target, steps: action === "wheel" ? Math.sign(event.deltaY) : 0 });
  };
}

$("wave").onpointerdown = wavePointer("down");
$("wave").onpointermove = wavePointer("drag");
$("wave").onpointerup = wavePointer("up");
$("wave").addEventListener("wheel", wavePointer("wheel"), { passive: false });

function cellOf(event) {
  const box = $("song").getBoundingClientRect();
  const { width, height } = letter();
  const column = Math.max(0, Math.floor((event.clientX - box.left) / width));
  return { on: "cell", column, row: Math.max(0, Math.floor((event.clientY - box.top) / height)) };
}

const songPointer = (action) => (event) => {
  if (action === "drag" && !event.buttons) return;
  tell({ type: "pointer", action, target: cellOf(event), steps: action === "wheel" ? Math.sign(event.deltaY) : 0 });
};
$("song").onpointerdown = (event) => songPointer(event.button === 2 ? "rightDown" : "down")(event);
$("song").onpointermove = songPointer("drag");
$("song").onpointerup = songPointer("up");
$("song").oncontextmenu = (event) => event.preventDefault();
$("song").addEventListener("wheel", (event) => { event.preventDefault(); songPointer("wheel")(event); },
  { passive: false });

function letter() {
  const probe = document.createElement("span");
  probe.textContent = "0".repeat(100);
  probe.style.cssText = "position:absolute;visibility:hidden;font:13px/1.25 ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace";
  document.body.append(probe);
  const { width, height } = probe.getBoundingClientRect();
  probe.remove();
  return { width: width / 100, height };
}

/** Tells the worker what is seen: as much is sent. */
function measure() {
  const list = $("list");
  if (list.clientHeight > 0) state.isMeasured = true;
  const { width, height } = letter();
  const box = $("instrument").getBoundingClientRect();
  tell({
    type: "seen",
    top: Math.max(0, Math.floor(list.scrollTop / ROW) - 10),
    rows: Math.ceil(list.clientHeight / ROW) + 20,
    columns: Math.max(50, Math.floor($("wave").clientWidth)),
    text: [Math.max(80, Math.min(240, Math.floor((box.width - 30) / width))),
      Math.max(24, Math.min(80, Math.floor((box.height - 150) / height)))],
  });
  drawWave();
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawWave);
$("list").onscroll = measure;
addEventListener("resize", measure);
new ResizeObserver(measure).observe($("wave"));

/** Asks for MIDI once something is open: a page that asks at once is refused. */
async function listenToMidi() {
  if (state.listens) return;
  state.listens = true;
  const access = await navigator.requestMIDIAccess?.().catch(() => null);
  if (!access) return;
  const listen = () => {
    for (const input of access.inputs.values()) {
      input.onmidimessage = ({ data }) => { resume(); tell({ type: "midi", bytes: [...data] }); };
    }
  };
  access.onstatechange = listen;
  listen();
}

begin().catch((error) => problem(`This browser cannot run it: ${error.message}`));
