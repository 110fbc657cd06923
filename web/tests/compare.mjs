// Compares what the page's program plays with what the native one does, sample by sample:
// `node web/tests/compare.mjs REPLAY PROGRAM.wasm demo:|FILE|FOLDER…`. REPLAY is the example `replay`, built natively.
//
// They differ where AVX2 rounds a fused multiply-add once and WebAssembly rounds twice; half a step of 16 bits is allowed.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { replay } from "./replay.mjs";

const [native, program, ...paths] = process.argv.slice(2);
assert(paths.length > 0, "usage: compare.mjs REPLAY PROGRAM.wasm demo:|FILE|FOLDER…");
const module = new WebAssembly.Module(readFileSync(program));
const folder = mkdtempSync(join(tmpdir(), "compared-"));
const MODULES = [".mod", ".s3m", ".xm", ".it", ".umx"];
const files = paths.flatMap((path) => (path !== "demo:" && statSync(path).isDirectory()
  ? readdirSync(path, { recursive: true }).map((name) => join(path, name)).filter((name) => statSync(name).isFile())
  : [path])).sort();

const midi = (...bytes) => ({ message: { type: "midi", bytes } });
/** Turns the knob of the quality by so many steps. */
const quality = (steps) => ({
  message: { type: "pointer", action: "wheel", target: { on: "knob", page: 0, place: 7 }, steps },
});

function scripts(path) {
  const open = path === "demo:" ? { message: { type: "demo", rate: 48_000 } } : { open: [path] };
  const begin = [open, { wait: true }];
  if (MODULES.includes(extname(path).toLowerCase())) return [["", [...begin, { render: 96_000 }]]];
  const notes = [midi(0x90, 63, 100), { render: 12_800 }, midi(0x90, 70, 90), { render: 25_600 }, midi(0x80, 63, 0),
    { render: 12_800 }];
  return [-3, -2, -1, 0, 1].map((steps) => [
    ` (quality ${steps})`,
    [...begin, ...Array.from({ length: Math.abs(steps) }, () => quality(Math.sign(steps))), ...notes],
  ]);
}

let [compared, silent, worst, failed] = [0, 0, 0, 0];
for (const path of files) {
  for (const [name, script] of scripts(path)) {
    const [steps, out] = [join(folder, "script.json"), join(folder, "out.f32")];
    writeFileSync(steps, JSON.stringify(script));
    // Both run at the same time.
    const running = promisify(execFile)(native, [steps, out]);
    const ended = running.catch((error) => error);
    let here;
    try {
      here = replay(module, script).rendered;
    } catch (error) {
      if (!/never came/.test(error.message)) throw error;
      // Nothing in it is played; the native program would wait for ten seconds, with the files of the next.
      running.child.kill();
      await ended;
      silent += 1;
      continue;
    }
    const result = await ended;
    assert(!(result instanceof Error), `${path}: ${result}`);
    const bytes = readFileSync(out);
    const there = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const all = here.flatMap((part) => [...part]);
    assert.equal(all.length, there.length, path);
    let most = 0;
    let peak = 0;
    for (let at = 0; at < all.length; at += 1) {
      most = Math.max(most, Math.abs(all[at] - there[at]));
      peak = Math.max(peak, Math.abs(there[at]));
    }
    compared += 1;
    worst = Math.max(worst, most * 32_768);
    if (!(most * 32_768 <= 0.5)) {
      failed += 1;
      console.log(`FAILED  ${path}${name}: ${(most * 32_768).toFixed(3)} steps of 16 bits, at a peak of ${peak.toFixed(3)}`);
    }
  }
}
rmSync(folder, { recursive: true });
console.log(`${compared} compared, ${silent} without a sound, ${failed} differ; ${worst.toFixed(4)} steps of 16 bits at most`);
process.exit(failed === 0 && compared > 0 ? 0 : 1);
