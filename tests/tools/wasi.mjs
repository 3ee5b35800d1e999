// Runs a WebAssembly program made for WASI: node wasi.mjs PROGRAM ARGUMENTS...
// Its exit status is the program's.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [program, ...rest] = process.argv.slice(2);
const args = [program, ...rest];
const wasi = new WASI({ version: "preview1", args, env: {}, returnOnExit: true });
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
