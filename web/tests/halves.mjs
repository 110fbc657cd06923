// Worker and worklet of the page without a browser: both halves of the program, and what goes between them. Nothing here
// is of Node, so that a page can run it, too.

const RATE = 48_000;
const BLOCK = 128;
/** Blocks between two frames of the page. */
const FRAME = 6;

class Half {
  constructor(module, read) {
    const imports = { page: {
      read: (file, at, into, length) => read(file, at, this.bytes(into, length)),
      panicked: (at, length) => { throw new Error(this.text(this.bytes(at, length))); },
    } };
    this.program = new WebAssembly.Instance(module, imports).exports;
  }

  text(bytes) {
    return new TextDecoder().decode(bytes);
  }

  bytes(at, length) {
    return new Uint8Array(this.program.memory.buffer, at, length);
  }

  output(length) {
    return this.bytes(this.program.output(), length).slice();
  }

  input(bytes) {
    const at = this.program.allocate(bytes.length);
    this.bytes(at, bytes.length).set(bytes);
  }
}

/** Both halves; `read` gets the number of a file, an offset and the bytes to fill, and returns how many it has filled. */
export class Halves {
  constructor(module, read = () => 0) {
    this.worker = new Half(module, read);
    this.audio = new Half(module, read);
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
    this.worker.input(new TextEncoder().encode(JSON.stringify(message)));
    const length = this.worker.program.handle(this.now);
    if (length > 0) throw new Error(this.worker.text(this.worker.output(length)));
    this.pump();
  }

  open(entries) {
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
    return length > 0 ? JSON.parse(this.worker.text(this.worker.output(length))) : {};
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
      this.report();
    }
    return out;
  }

  report() {
    const length = this.audio.program.send();
    if (length > 0) {
      this.worker.input(this.audio.output(length));
      this.worker.program.receive(this.now);
    }
    this.pump();
    this.blocks += 1;
    if (this.blocks % FRAME === 0) this.frame();
  }

  /** Renders frames, and returns the nanoseconds that one of them took. */
  time(frames) {
    const begun = performance.now();
    for (let block = 0; block < frames / BLOCK; block += 1) this.audio.program.render(BLOCK);
    const took = performance.now() - begun;
    this.report();
    return took * 1e6 / frames;
  }

  /** Does a step of a script; returns what it has rendered, or measured. */
  step({ wait, render, time, message }) {
    if (wait) return this.wait();
    if (render) return this.render(render);
    if (time) return this.time(time);
    return this.handle(message);
  }
}
