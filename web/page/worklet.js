// The worklet: the engine's processor, on the browser's audio thread.
"use strict";

/** Blocks of 128 frames between two reports: 11 ms at 48 kHz. */
const REPORT = 4;
/** Messages that a block takes from a ring at most, so that it is in time. */
const MESSAGES = 16;

registerProcessor("usampler", class extends AudioWorkletProcessor {
  constructor({ processorOptions: { module } }) {
    super();
    const imports = { page: { read: () => 0, panicked: () => {} } };
    this.program = new WebAssembly.Instance(module, imports).exports;
    this.isOver = true;
    this.blocks = 0;
    /** The way to the worker: a port for messages, or rings where threads may share memory. */
    this.link = null;
    this.port.onmessage = ({ data }) => {
      this.isOver = Boolean(data.over) || !this.program.audio(sampleRate);
      if (this.link?.port) this.link.port.onmessage = null;
      this.link = null;
      if (this.isOver) return;
      if (data.rings) {
        const [toWorklet, toWorker] = data.rings;
        this.link = { sender: new RingSender(toWorker), receiver: new RingReceiver(toWorklet) };
      } else {
        this.link = { port: data.port };
        this.link.port.onmessage = ({ data }) => this.receive(data);
      }
    };
  }

  receive(bytes) {
    const at = this.program.allocate(bytes.length);
    new Uint8Array(this.program.memory.buffer, at, bytes.length).set(bytes);
    if (!this.program.receive(0)) this.isOver = true;
  }

  report() {
    if (this.link.sender && !this.link.sender.isThrough()) return;
    const length = this.program.send();
    if (length === 0) return;
    const bytes = new Uint8Array(this.program.memory.buffer, this.program.output(), length);
    if (this.link.sender) this.link.sender.send(bytes);
    else this.link.port.postMessage(bytes.slice());
  }

  process(_inputs, [sides]) {
    if (this.isOver) return true;
    const receiver = this.link?.receiver;
    for (let left = MESSAGES; receiver && left > 0; left -= 1) {
      const bytes = receiver.next();
      if (!bytes) break;
      this.receive(bytes);
    }
    const frames = sides[0].length;
    const at = this.program.render(frames);
    const planes = new Float32Array(this.program.memory.buffer, at, 2 * frames);
    sides[0].set(planes.subarray(0, frames));
    if (sides[1]) sides[1].set(planes.subarray(frames));
    this.blocks += 1;
    if (this.link && this.blocks % REPORT === 0) this.report();
    return true;
  }
});
