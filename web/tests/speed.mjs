// Measures what a frame of a voice costs natively, in Node and in Chromium, in one run:
// `node web/tests/speed.mjs REPLAY PROGRAM.wasm PAGE.html`. 64 voices play the demo's stereo pad in `high`, an octave around
// its pitch. REPLAY is the example `replay`, built with --release.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./chromium.mjs";
import { replay } from "./replay.mjs";

const [native, program, page] = process.argv.slice(2);
assert(page, "usage: speed.mjs REPLAY PROGRAM.wasm PAGE.html");
const ROUNDS = 15;
const FRAMES = 96_000;
const VOICES = 64;

const message = (message) => ({ message });
const script = [
  message({ type: "demo", rate: 48_000 }),
  { wait: true },
  message({ type: "search", words: "Warm" }),
  message({ type: "pointer", action: "down", target: { on: "list", row: 0 } }),
  { wait: true },
  // Eight notes on each of eight channels: a note of a channel is one voice.
  ...Array.from({ length: VOICES }, (_, voice) =>
    message({ type: "midi", bytes: [0x90 + (voice >> 3), 55 + voice % 8, 100] })),
  { render: 12_800 },
  ...Array.from({ length: 3 }, () => ({ time: FRAMES })),
];

const folder = mkdtempSync(join(tmpdir(), "measured-"));
writeFileSync(join(folder, "script.json"), JSON.stringify(script));
const module = new WebAssembly.Module(readFileSync(program));
const browser = await Browser.launch();
const tab = await browser.open(pathToFileURL(resolve(page)).href);
await tab.until("module && worker && worker.isReady");
const source = readFileSync(new URL("./halves.mjs", import.meta.url), "utf8").replaceAll("export class", "window.Halves = class");
await tab.value(`(() => { ${source} })()`);

const least = (times) => Math.min(...times) / VOICES;
const lanes = {
  native: () => least(execFileSync(native, [join(folder, "script.json"), join(folder, "out.f32")])
    .toString().trim().split("\n").map(Number)),
  Node: () => least(replay(module, script).measured),
  Chromium: async () => least(await tab.value(`(() => {
    const halves = new Halves(module);
    return ${JSON.stringify(script)}.flatMap((step) => { const found = halves.step(step); return step.time ? [found] : []; });
  })()`)),
};
const rounds = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const times = {};
  for (const [name, measure] of Object.entries(lanes)) times[name] = await measure();
  rounds.push(times);
}
await browser.close();
rmSync(folder, { recursive: true });

const median = (values) => values.toSorted((one, other) => one - other)[values.length >> 1];
console.log(`ns for a frame of one of ${VOICES} stereo voices in high: least (median) of ${ROUNDS} rounds, ratios within a round`);
for (const name of Object.keys(lanes)) {
  const times = rounds.map((times) => times[name]);
  const ratios = rounds.map((times) => times[name] / times.native);
  console.log(`${name.padEnd(9)} ${Math.min(...times).toFixed(2)} (${median(times).toFixed(2)})  `
    + `to native ${Math.min(...ratios).toFixed(2)} (${median(ratios).toFixed(2)})`);
}
