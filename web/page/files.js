// The page: files and folders that the user opens.

function open(files) {
  if (files.length === 0) return;
  walks += 1;
  resume();
  const go = () => worker.postMessage({ files, rate: audio.sampleRate });
  if (worker?.isReady) go(); else waiting = go;
}

function openDemo() {
  walks += 1;
  resume();
  const go = () => tell({ type: "demo", rate: audio.sampleRate });
  if (worker?.isReady) go(); else waiting = go;
}

/** Opens the file that is in the page, if there is one, once. */
async function openEmbedded() {
  const element = $("file");
  const { name } = element.dataset;
  if (!name) return;
  element.dataset.name = "";
  try {
    const bytes = await gunzipped(element.textContent);
    open([{ file: new File([bytes], name), path: name }]);
  } catch (error) {
    problem(`${name} cannot be unpacked: ${error.message}`);
  }
}

/** Counts what was opened, so that a folder that is still being listed does not take its place. */
let walks = 0;

/** Lists a folder that was dropped. */
async function below(folder, path) {
  const parts = [];
  for await (const [name, child] of folder.entries()) {
    const at = `${path}/${name}`;
    const isFolder = child.kind === "directory";
    parts.push(isFolder ? below(child, at) : child.getFile().then((file) => [{ file, path: at }]));
  }
  return (await Promise.all(parts)).flat();
}

/** The same in browsers without handles; entries come in parts. */
async function belowEntry(entry) {
  if (entry.isFile) {
    const file = await new Promise((done, failed) => entry.file(done, failed));
    return [{ file, path: entry.fullPath.replace(/^\//, "") }];
  }
  const reader = entry.createReader();
  const parts = [];
  for (;;) {
    const part = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (part.length === 0) return (await Promise.all(parts)).flat();
    parts.push(...part.map(belowEntry));
  }
}

/** Returns a file or the files of a folder, or what promises them; an item answers only while it is dropped. */
function dropped(item) {
  const entry = item.webkitGetAsEntry?.();
  const file = item.getAsFile();
  // Pages opened from disk may list folders by handles only.
  const handle = entry?.isDirectory ? item.getAsFileSystemHandle?.() : null;
  if (!entry?.isDirectory) return file ? [{ file, path: file.name }] : [];
  return handle ? handle.then((folder) => below(folder, folder.name)) : belowEntry(entry);
}

// What lies beneath changes with each frame; a drag goes over one element that stays.
for (const type of ["dragenter", "dragover"]) {
  addEventListener(type, (event) => { event.preventDefault(); $("over").hidden = false; });
}
addEventListener("dragleave", (event) => { if (!event.relatedTarget) $("over").hidden = true; });
addEventListener("drop", async (event) => {
  event.preventDefault();
  $("over").hidden = true;
  const items = [...event.dataTransfer.items].filter((item) => item.kind === "file").map(dropped);
  walks += 1;
  const own = walks;
  notice("Reading what was dropped …");
  let found = [];
  try {
    found = (await Promise.all(items)).flat();
  } catch (error) {
    if (own === walks) problem(`What was dropped cannot be listed: ${error.message}. Use Open folder.`);
    return;
  }
  if (own !== walks) return;
  notice("");
  if (found.length === 0) problem("Nothing in what was dropped is a file.");
  open(found);
});

// A take is a file only when it has ended.
addEventListener("beforeunload", (event) => { if (state.header?.take != null) event.preventDefault(); });

$("open").onclick = () => $("files").click();
$("folder").onclick = () => $("folders").click();
$("demo").onclick = $("demo2").onclick = openDemo;
for (const input of [$("files"), $("folders")]) {
  input.onchange = () => {
    open([...input.files].map((file) => ({ file, path: file.webkitRelativePath || file.name })));
    input.value = "";
  };
}
