// Plays a script of messages with the program as the page has it: `node replay.mjs PROGRAM.wasm SCRIPT.json OUT.f32`.
// `web/examples/replay.rs` describes scripts, and does the same natively.
import { closeSync, fstatSync, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { basename } from "node:path";

const RATE = 48_000;
const BLOCK = 128;
/** Blocks between two frames of the page. */
const FRAME = 6;

const files = [];

class Half {
  constructor(module) {
    const imports = { page: {
      read: (file, at, into, length) => readSync(files[file], this.bytes(into, length), 0, length, at),
      panicked: (at, length) => { throw new Error(Buffer.from(this.bytes(at, length)).toString()); },
    } };
    this.program = new WebAssembly.Instance(module, imports).exports;
  }

  bytes(at, length) {
    return new Uint8Array(this.program.memory.buffer, at, length);
  }

  output(length) {
    return this.bytes(this.program.output(), length).slice();
  }

  input(bytes) {
    this.bytes(this.program.allocate(bytes.length), bytes.length).set(bytes);
  }
}

/** A worker and a worklet without a browser. */
export class Replay {
  constructor(module) {
    this.worker = new Half(module);
    this.audio = new Half(module);
    this.worker.program.worker();
    this.audio.program.audio(RATE);
    this.now = 0;
    this.blocks = 0;
  }

  pump() {
    while (this.worker.program.work());
    for (let length = this.worker.program.send(); length > 0; length = this.worker.program.send()) {
      this.audio.input(this.worker.output(length));
      if (!this.audio.program.receive(this.now)) throw new Error("bytes of another build");
    }
  }

  handle(message) {
    this.worker.input(Buffer.from(JSON.stringify(message)));
    const length = this.worker.program.handle(this.now);
    if (length > 0) throw new Error(Buffer.from(this.worker.output(length)).toString());
    this.pump();
  }

  open(paths) {
    files.push(...paths.map((path) => openSync(path)));
    const entries = paths.map((path, id) => ({ id, path: basename(path), size: fstatSync(files[id]).size }));
    this.handle({ type: "open", files: entries, rate: RATE });
  }

  frame() {
    this.now += 16;
    this.worker.program.set_time(this.now);
    this.worker.program.frame(this.now);
    this.pump();
  }

  /** Returns what has changed of what is shown. */
  show() {
    const length = this.worker.program.show();
    return length > 0 ? JSON.parse(Buffer.from(this.worker.output(length)).toString()) : {};
  }

  wait() {
    for (let frames = 0; frames < 10_000; frames += 1) {
      this.frame();
      if (this.show().wave?.channels?.[0]?.length) return;
    }
    throw new Error("the chosen sound never came");
  }

  render(frames) {
    const out = new Float32Array(2 * BLOCK * Math.floor(frames / BLOCK));
    for (let block = 0; block < frames / BLOCK; block += 1) {
      const at = this.audio.program.render(BLOCK);
      const planes = new Float32Array(this.audio.program.memory.buffer, at, 2 * BLOCK);
      for (let frame = 0; frame < BLOCK; frame += 1) {
        out[2 * (BLOCK * block + frame)] = planes[frame];
        out[2 * (BLOCK * block + frame) + 1] = planes[BLOCK + frame];
      }
      const length = this.audio.program.send();
      if (length > 0) {
        this.worker.input(this.audio.output(length));
        this.worker.program.receive(this.now);
      }
      this.pump();
      this.blocks += 1;
      if (this.blocks % FRAME === 0) this.frame();
    }
    return out;
  }

  close() {
    files.splice(0).forEach((file) => closeSync(file));
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [program, script, output] = process.argv.slice(2);
  const replay = new Replay(new WebAssembly.Module(readFileSync(program)));
  const parts = [];
  for (const step of JSON.parse(readFileSync(script, "utf8"))) {
    if (step.open) replay.open(step.open);
    else if (step.wait) replay.wait();
    else if (step.render) parts.push(replay.render(step.render));
    else replay.handle(step.message);
  }
  replay.close();
  writeFileSync(output, Buffer.concat(parts.map((part) => Buffer.from(part.buffer))));
}
