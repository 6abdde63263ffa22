// A bare MicroPython board on a terminal: node repl.mjs FD. Its prompt is what mpremote talks to.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const tools = process.env.MICROPYTHON_TOOLS ?? path.join(here, "..", "..", ".tools");
const module = path.join(tools, "node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs");
const { loadMicroPython } = await import(pathToFileURL(module));

const fd = Number(process.argv[2]);
const mp = await loadMicroPython({
  heapsize: 4 * 1024 * 1024,
  linebuffer: false,
  stdout: (data) => fs.writeSync(fd, typeof data === "number" ? Buffer.from([data]) : Buffer.from(data)),
});
mp.FS.mkdir("/board");
mp.FS.mkdir("/lib");
// The errors of this build have numbers of their own; a chip's are those of every other system.
mp.FS.writeFile("/lib/os.py", `
from uos import *
import uos
def _plain(call):
    def same(*path):
        try:
            return call(*path)
        except OSError as why:
            raise OSError({44: 2, 20: 17}.get(why.errno, why.errno))
    return same
stat, mkdir, remove = _plain(uos.stat), _plain(uos.mkdir), _plain(uos.remove)
`);
mp.runPython("import sys\nsys.path.insert(0, '/lib')\nimport os\nos.chdir('/board')");
mp.replInit();
const buffer = Buffer.alloc(4096);
setInterval(() => {
  let count = 0;
  try { count = fs.readSync(fd, buffer, 0, buffer.length, null); }
  catch (error) { if (!["EAGAIN", "EIO"].includes(error.code)) throw error; }
  for (let i = 0; i < count; i++) {
    // Paste mode reads while it runs, which this build cannot: say that the board has none.
    if (buffer[i] === 5 && buffer[i + 1] === 65 && buffer[i + 2] === 1) {
      fs.writeSync(fd, "R\0");
      i += 2;
    } else mp.replProcessChar(buffer[i]);
  }
}, 1);
