// The worklet: the engine's processor, on the browser's audio thread.
"use strict";

/** Blocks of 128 frames between two reports: 11 ms at 48 kHz. */
const REPORT = 4;

registerProcessor("usampler", class extends AudioWorkletProcessor {
  constructor({ processorOptions: { module } }) {
    super();
    const imports = { page: { read: () => 0, panicked: () => {} } };
    this.program = new WebAssembly.Instance(module, imports).exports;
    this.isOver = !this.program.audio(sampleRate);
    this.blocks = 0;
    this.link = null;
    this.port.onmessage = ({ data }) => {
      if (data.over) {
        this.isOver = true;
        return;
      }
      this.link = data.link;
      this.link.onmessage = ({ data }) => {
        const at = this.program.allocate(data.length);
        new Uint8Array(this.program.memory.buffer, at, data.length).set(data);
        if (!this.program.receive(0)) this.isOver = true;
      };
    };
  }

  process(_inputs, [sides]) {
    if (this.isOver) return false;
    const frames = sides[0].length;
    const at = this.program.render(frames);
    const planes = new Float32Array(this.program.memory.buffer, at, 2 * frames);
    sides[0].set(planes.subarray(0, frames));
    if (sides[1]) sides[1].set(planes.subarray(frames));
    this.blocks += 1;
    if (this.link && this.blocks % REPORT === 0) {
      const length = this.program.send();
      if (length > 0) {
        const bytes = new Uint8Array(this.program.memory.buffer, this.program.output(), length).slice();
        this.link.postMessage(bytes, [bytes.buffer]);
      }
    }
    return true;
  }
});
