// The page: what the worker says, as elements.

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
  $("menu").close();
  $("machine").textContent = "";
  state.header = state.list = null;
  document.title = "usampler";
}

function show(news) {
  if (news.openings !== undefined && news.openings !== openings) {
    openings = news.openings;
    state.chosenRow = null;
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
  layout: "Layout", preview: "Preview", pick: "Pick", adjust: "Adjust", learn: "Learn MIDI", "zoom-in": "Zoom in",
  "zoom-out": "Zoom out", undo: "Undo", redo: "Redo", switches: "Switches",
  "show-song": "Song", "play-song": "Play song", help: "Help",
}));

/** Returns whether the browser or the desktop takes a key, by its name in the table of commands. */
const isTaken = (key) => /^(Alt-.*|Ctrl-[NTW]|(Shift-)?(Tab|F(5|6|11|12)))$/.test(key);

function showCommands(commands) {
  state.commands = commands.map((command) => ({ ...command, keys: command.keys.filter((key) => !isTaken(key)) }));
  commands = state.commands;
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
    ["Tab", "Tab", "The next page of the song, or what ends notes: release, the same key again, or the end of the sound"],
    ["Silence", "Escape", "Silence all voices"]];
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
    `  ${header.rate} Hz  velocity ${header.velocity}  ${header.mode}` +
    `${header.errors ? `  errors ${header.errors}` : ""}${header.midi.length ? `  MIDI ${header.midi.join(" ")}` : ""}`;
  pressed("take", header.take !== null);
  pressed("map", header.isKit);
  pressed("preview", header.previews);
}

function showList(list) {
  const heads = $("heads");
  if (heads.childElementCount === 0) {
    heads.append(cell("number", "#"), cell("own", "name"), ...list.heads.map((head) => cell("cell", head, head)));
  }
  $("list").removeAttribute("aria-activedescendant");
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
  line.setAttribute("aria-setsize", String(list.count));
  line.setAttribute("aria-posinset", String(number + 1));
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
  const choose = () => {
    resume();
    tell({ type: "pointer", action: "down", target: { on: "list", row: number } });
    tell({ type: "pointer", action: "up", target: { on: "list", row: number } });
  };
  // A finger that goes down may be about to scroll; a mouse is heard at once.
  line.onpointerdown = (event) => { if (event.pointerType === "mouse") choose(); };
  line.onclick = (event) => { if (event.pointerType !== "mouse") choose(); };
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
  pressed("adjust", knobs.pages.some((page) => page.knobs.some((knob) => knob.isTurned)));
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
    element.classList.toggle("turned", knob.isTurned);
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
  element.title = "Drag, wheel or arrows turn it, a double-click resets it, a right click learns a MIDI controller";
  element.append(document.createElement("b"), document.createElement("span"));
  const target = { on: "knob", page, place };
  const turn = (steps) => tell({ type: "pointer", action: "wheel", target, steps });
  let from = null;
  element.onpointerdown = (event) => {
    if (event.button !== 0) return;
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
  element.oncontextmenu = (event) => {
    event.preventDefault();
    tell({ type: "pointer", action: "down", target });
    tell({ type: "command", name: "learn" });
  };
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
    if (button.dataset.label !== label) {
      button.dataset.label = label;
      button.innerText = label;
    }
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
