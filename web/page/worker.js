// The worker: runs the program, reads files, and hands bytes on between the program and the worklet.
"use strict";

let program = null;
/** Files by their numbers, which are not used again: what is open goes on reading its own while others are opened. */
const files = new Map();
let nextFile = 0;
/** The way to the worklet of an opening: a port for messages, or rings where threads may share memory. */
let link = null;
let isWorking = false;
const reader = new FileReaderSync();
const decoder = new TextDecoder();
const encoder = new TextEncoder();
const { port1: later, port2: now } = new MessageChannel();

const imports = {
  page: {
    read(file, at, into, length) {
      try {
        const bytes = new Uint8Array(reader.readAsArrayBuffer(files.get(file).slice(at, at + length)));
        new Uint8Array(program.memory.buffer, into, length).set(bytes);
        return bytes.length;
      } catch {
        return 0;
      }
    },
    panicked(text, length) {
      postMessage({ panic: decoder.decode(new Uint8Array(program.memory.buffer, text, length)) });
    },
  },
};

function output(length) {
  return new Uint8Array(program.memory.buffer, program.output(), length);
}

function input(bytes) {
  const at = program.allocate(bytes.length);
  new Uint8Array(program.memory.buffer, at, bytes.length).set(bytes);
}

/** Calls the program; if that ends it, says so to the page, which begins another. */
function call(act) {
  if (!program) return undefined;
  try {
    program.set_time(Date.now());
    return act();
  } catch (error) {
    program = null;
    postMessage({ over: String(error) });
    return undefined;
  }
}

/** Whether the worklet at its other end is that of what is open now. */
function isCurrent(link) {
  return link?.opening === program.openings();
}

/** Sends what there is for the worklet. */
function send() {
  if (!isCurrent(link)) return;
  for (let parts = 0; parts < 16; parts += 1) {
    // The next frame goes on.
    if (link.sender && !link.sender.isThrough()) return;
    const length = program.send();
    if (length === 0) return;
    const bytes = output(length);
    if (link.sender) link.sender.send(bytes);
    else link.port.postMessage(bytes.slice());
  }
  later.postMessage(null);
}

function receive(bytes) {
  input(bytes);
  program.receive(performance.now());
}

function show() {
  const length = program.show();
  if (length > 0) postMessage({ show: decoder.decode(output(length)) });
  const written = [];
  for (let length = program.take_file(); length > 0; length = program.take_file()) {
    const file = output(length);
    const end = file.indexOf(0);
    written.push({ name: decoder.decode(file.subarray(0, end)).replace(/^\.\//, ""), bytes: file.slice(end + 1) });
  }
  // What belongs together is written at once, the file that names the others last.
  if (written.some(({ name }) => name.includes("/"))) {
    const name = written[written.length - 1].name.replace(/\.[^.]*$/, ".zip");
    postMessage({ file: name, parts: zip(written) });
  } else {
    for (const { name, bytes } of written) postMessage({ file: name, parts: [bytes] }, [bytes.buffer]);
  }
  for (let length = program.take_kept(); length > 0; length = program.take_kept()) {
    const kept = output(length);
    const end = kept.indexOf(0);
    const path = decoder.decode(end < 0 ? kept : kept.subarray(0, end));
    postMessage({ kept: path, text: end < 0 ? null : decoder.decode(kept.subarray(end + 1)) });
  }
}

/** Does some of the work that nobody waits for, and lets messages come in between. */
function work() {
  isWorking = false;
  call(() => {
    const begun = performance.now();
    let worked = true;
    while (worked && performance.now() - begun < 8) worked = Boolean(program.work());
    send();
    if (worked) wake();
  });
}

function wake() {
  if (!isWorking) {
    isWorking = true;
    later.postMessage(null);
  }
}

now.onmessage = work;

function frame() {
  call(() => {
    const receiver = isCurrent(link) ? link.receiver : null;
    for (let bytes = receiver?.next(); bytes; bytes = receiver.next()) receive(bytes);
    program.frame(performance.now());
    send();
    show();
    wake();
  });
}

function handle(message) {
  call(() => {
    input(encoder.encode(JSON.stringify(message)));
    const length = program.handle(performance.now());
    if (length > 0) postMessage({ panic: decoder.decode(output(length)) });
    send();
    wake();
  });
}

function openFiles(data) {
  const entries = data.files.map(({ file, path }) => {
    files.set(nextFile, file);
    nextFile += 1;
    return { id: nextFile - 1, path, size: file.size };
  });
  handle({ type: "open", files: entries, rate: data.rate });
  call(() => {
    for (const id of [...files.keys()]) if (!program.reads(id)) files.delete(id);
  });
  frame();
}

onmessage = async ({ data }) => {
  if (data.module) {
    try {
      const instance = await WebAssembly.instantiate(data.module, imports);
      program = instance.exports;
    } catch (error) {
      postMessage({ failed: String(error) });
      return;
    }
    call(() => program.worker());
    postMessage({ commands: JSON.parse(decoder.decode(output(program.commands()))) });
    handle({ type: "kept", files: data.kept });
    setInterval(frame, 16);
    postMessage({ ready: true });
  } else if (data.rings) {
    const [toWorklet, toWorker] = data.rings;
    link = { opening: data.opening, sender: new RingSender(toWorklet), receiver: new RingReceiver(toWorker) };
    call(send);
  } else if (data.port) {
    const own = { opening: data.opening, port: data.port };
    own.port.onmessage = ({ data }) => call(() => {
      if (!isCurrent(own)) return;
      receive(data);
      send();
    });
    link = own;
    call(send);
  } else if (data.files) {
    openFiles(data);
  } else {
    handle(data);
    if (data.type === "demo") frame();
  }
};
