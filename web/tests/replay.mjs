// Plays a script of messages with the program as the page has it, in Node. `web/examples/replay.rs` describes scripts,
// and does the same natively.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { Halves } from "./halves.mjs";

/** Returns what a script renders, left and right by turns, and what it measures. */
export function replay(module, script) {
  const files = [];
  const halves = new Halves(module, (file, at, into) => readSync(files[file], into, 0, into.length, at));
  const [rendered, measured] = [[], []];
  try {
    for (const step of script) {
      if (step.open) {
        files.push(...step.open.map((path) => openSync(path)));
        halves.open(step.open.map((path, id) => ({ id, path: basename(path), size: fstatSync(files[id]).size })));
      } else {
        const found = halves.step(step);
        if (step.render) rendered.push(found);
        if (step.time) measured.push(found);
      }
    }
  } finally {
    files.forEach((file) => closeSync(file));
  }
  return { rendered, measured };
}
