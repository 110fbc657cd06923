// Drops files that were damaged by chance, one by one: `node web/tests/hostile.mjs PAGE.html COUNT SEED FILE|FOLDER…`. The
// page must live through all of them: what is read is shown or refused, and the demo plays at the end. Files of more than
// 400 kB are left out.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./chromium.mjs";

const [page, count, seed, ...paths] = process.argv.slice(2);
assert(paths.length > 0, "usage: hostile.mjs PAGE.html COUNT SEED FILE|FOLDER…");
const all = paths.flatMap((path) => (statSync(path).isDirectory()
  ? readdirSync(path, { recursive: true }).map((name) => join(path, name))
  : [path])).filter((name) => statSync(name).isFile() && statSync(name).size < 400_000).sort();

/** A generator of whole numbers below a bound, by xorshift. */
let bits = Number(seed) * 2_654_435_761 >>> 0 || 1;
const below = (bound) => {
  bits ^= bits << 13;
  bits ^= bits >>> 17;
  bits ^= bits << 5;
  return (bits >>> 0) % bound;
};

function damaged(bytes) {
  const out = Buffer.from(bytes);
  if (out.length === 0) return out;
  for (let changes = 1 + below(16); changes > 0; changes -= 1) {
    // Half of them at the start, where the tables are.
    const at = below(2) === 0 ? below(Math.min(out.length, 512)) : below(out.length);
    const value = [below(256), 0, 255, out[at] ^ (1 << below(8))][below(4)];
    out.fill(value, at, Math.min(out.length, at + 1 + below(4)));
  }
  return below(4) === 0 ? out.subarray(0, below(out.length)) : out;
}

const folder = mkdtempSync(join(tmpdir(), "damaged-"));
const browser = await Browser.launch();
const tab = await browser.open(pathToFileURL(resolve(page)).href);
await tab.until("worker && worker.isReady");
const found = { listed: 0, refused: 0, traps: [] };
let slowest = [0, ""];
for (let number = 0; number < Number(count); number += 1) {
  const source = all[below(all.length)];
  const file = join(folder, basename(source));
  writeFileSync(file, damaged(readFileSync(source)));
  await tab.value("state.list = null; $('message').textContent = ''; $('message').className = ''");
  await tab.drop([file]);
  const took = await tab.until("state.list && !state.header.isListing || $('message').className === 'warning'", 30_000)
    .catch((error) => { throw new Error(`${number}: ${source}: ${error.message}`); });
  if (took > slowest[0]) slowest = [took, source];
  const said = await tab.value("$('message').className === 'warning' ? $('message').textContent : ''");
  if (/The program has begun anew/.test(said)) {
    found.traps.push(`${number}: ${source}: ${said}`);
    await tab.until("worker && worker.isReady");
  } else if (said) {
    found.refused += 1;
  } else {
    found.listed += 1;
  }
  rmSync(file);
}
console.log(`${count} files of ${all.length}: ${found.listed} listed, ${found.refused} refused, ${found.traps.length} traps, `
  + `slowest ${slowest[0]} ms (${basename(slowest[1])})`);
found.traps.forEach((trap) => console.log(trap));
tab.logged.filter((line) => /panicked/.test(line)).forEach((line) => console.log(line));
await tab.value("state.list = state.wave = null");
await tab.click("#demo");
await tab.until("state.wave && state.wave.channels && !state.header.isListing && state.header.package === 'demo.uax'");
await tab.value("tell({ type: 'search', words: 'Warm' })");
await tab.until("state.list.count === 1");
await tab.value("tell({ type: 'pointer', action: 'down', target: { on: 'list', row: 0 } })");
await tab.until("state.wave.name === 'Pads.Warm' && state.wave.channels");
await tab.value("tell({ type: 'midi', bytes: [0x90, 60, 100] })");
await tab.until("state.header.voices[0] === 1");
await browser.close();
rmSync(folder, { recursive: true });
process.exit(found.traps.length === 0 ? 0 : 1);
