// Runs Python under the official MicroPython: node run.mjs HEAP_KB [FD] < {"files": {...}, "main": "..."}
//
// Without FD: runs main, prints what it prints. With FD, an inherited terminal: main defines
// `feed(hex)` and `step(milliseconds) -> hex`; the bytes go over it until the program is ended.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const tools = process.env.MICROPYTHON_TOOLS ?? path.join(here, "..", "..", ".tools");
const module = path.join(tools, "node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs");
const { loadMicroPython } = await import(pathToFileURL(module));

process.on("uncaughtException", (error) => {  // without the minified source that Node would quote
  fs.writeSync(2, String(error.stack ?? error) + "\n");
  process.exit(1);
});
const [heap, terminal] = process.argv.slice(2);
const job = JSON.parse(fs.readFileSync(0, "utf8"));
const mp = await loadMicroPython({
  heapsize: Number(heap) * 1024,
  linebuffer: true,
  stdout: (line) => fs.writeSync(terminal ? 2 : 1, line + "\n"),
});
for (const [name, text] of Object.entries(job.files)) {
  let folder = "";
  for (const part of path.dirname("lib/" + name).split("/")) {
    folder += "/" + part;
    if (!mp.FS.analyzePath(folder).exists) mp.FS.mkdir(folder);
  }
  mp.FS.writeFile("/lib/" + name, text);
}
mp.runPython("import sys\nsys.path.insert(0, '/lib')");
// This build collects garbage only between two programs, so a test that measures gives several.
for (const program of [job.main].flat()) mp.runPython(program);

if (terminal) {
  const fd = Number(terminal);
  const feed = mp.globals.get("feed");
  const step = mp.globals.get("step");
  const buffer = Buffer.alloc(4096);
  const start = performance.now();
  const timer = setInterval(() => {
    try {
      let count = 0;
      try { count = fs.readSync(fd, buffer, 0, buffer.length, null); }
      catch (error) { if (!["EAGAIN", "EIO"].includes(error.code)) throw error; }  // nobody there
      if (count) feed(buffer.subarray(0, count).toString("hex"));
      const out = step(Math.floor(performance.now() - start));
      if (out) fs.writeSync(fd, Buffer.from(out, "hex"));
    } catch (error) {
      clearInterval(timer);
      throw error;
    }
  }, 2);
}
