// The page: keys, pointers and MIDI, as messages to the worker. The last part: it begins the program.

function isTyping(target) {
  return target instanceof HTMLInputElement || document.querySelector("dialog[open]");
}

/** What the page shows itself. */
const PAGE_KEYS = new Map([["F1", showHelp], ["?", showHelp]]);
for (const key of ["F3", "Ctrl-F"]) PAGE_KEYS.set(key, () => $("search").focus());

/** Returns the name that a key with what is held has in the table of commands. */
function keyName(event) {
  const name = event.key.replace("Arrow", "").replace("Page", "Pg").replace("PgDown", "PgDn");
  const isLetter = name.length === 1;
  const held = `${event.altKey ? "Alt-" : ""}${event.ctrlKey ? "Ctrl-" : ""}${event.shiftKey && !isLetter ? "Shift-" : ""}`;
  return held + (isLetter && event.ctrlKey ? name.toUpperCase() : name);
}

/** Returns whether a key that goes down is one of the program's. */
function isOurs(event) {
  if (isTyping(event.target) || isTaken(keyName(event)) || event.metaKey) return false;
  const isButton = event.target instanceof HTMLButtonElement;
  if (isButton && (event.key === "Enter" || event.key === " ")) return false;
  return !event.ctrlKey || state.commands.some((command) => command.keys.includes(keyName(event)));
}

function onKey(event, up) {
  // A key that goes up ends its note, whatever is held with it.
  if (!up && !isOurs(event)) return;
  if (!up) {
    event.preventDefault();
    const act = PAGE_KEYS.get(keyName(event));
    if (act) {
      act();
      return;
    }
  }
  resume();
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
  return typedKey(under);
}

/** Returns what types a key of the piano: what is on the keyboard's key, and what a US keyboard has there. */
function typedKey(button) {
  const key = button && state.piano.find((key) => key.semitone === Number(button.dataset.semitone));
  return key?.typed.length ? { key: key.typed[0].toLowerCase(), place: key.places[0] } : null;
}

function hold(pointer, key) {
  const before = held.get(pointer);
  if (before?.place === key?.place) return;
  if (before) tell({ type: "key", ...before, code: "", up: true });
  held.set(pointer, key);
  if (key) tell({ type: "key", ...key, code: "" });
}

/** How long a key sounds that is clicked by what knows no press: speech, a screen reader. */
const CLICK = 300;

$("piano").onclick = (event) => {
  if (event.detail !== 0) return;
  resume();
  hold("click", typedKey(event.target.closest("button")));
  setTimeout(() => hold("click", null), CLICK);
};

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
