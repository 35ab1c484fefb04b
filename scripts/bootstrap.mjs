// Runs a TypeScript script of this project on a machine that has only Node 20 and npm: installs what is missing,
// then hands over to the project's own Node 24, which strips types. Plain JavaScript, no dependencies.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, statSync, utimesSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const NODE_MAJOR_MIN = 20;
const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "node_modules", ".bin");
const onWindows = process.platform === "win32";
const node = join(root, "node_modules", "node", "bin", onWindows ? "node.exe" : "node");
const lock = join(root, "package-lock.json");
// npm writes this one last.
const marker = join(root, "node_modules", ".package-lock.json");

const [script, ...args] = process.argv.slice(2);
if (script === undefined) fail("usage: node scripts/bootstrap.mjs <script.ts> [arguments]");
if (Number(process.versions.node.split(".")[0]) < NODE_MAJOR_MIN) {
  fail(`this project needs Node ${NODE_MAJOR_MIN} or newer to install itself; this is ${process.version}`);
}
if (!installed()) install();
run(script, args);

function installed() {
  if (!existsSync(node) || !existsSync(marker)) return false;
  return !existsSync(lock) || statSync(marker).mtimeMs >= statSync(lock).mtimeMs;
}

/** `npm ci` where the lockfile is whole; `npm install` where there is none, or npm finds it incomplete. */
function install() {
  console.log("installing dependencies (once)…");
  const done = (existsSync(lock) && npm(["ci"], "ignore")) || npm(["install"], "inherit");
  if (!done) fail("npm could not install the dependencies; its output above says why");
  // An npm that runs no install scripts unasked leaves the package `node` without its binary.
  if (!existsSync(node)) npm(["rebuild", "--ignore-scripts=false"], "inherit");
  if (!existsSync(node)) fail("npm did not run install scripts; see: npm install-scripts ls");
  // An install that had nothing to do leaves the marker as old as it was.
  utimesSync(marker, new Date(), new Date());
}

function npm(words, output) {
  // --include=dev: NODE_ENV=production would otherwise leave out the tools that everything here runs on.
  const options = ["--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const stdio = ["ignore", output, output];
  return spawnSync("npm", [...words, ...options], { cwd: root, stdio, shell: onWindows }).status === 0;
}

function run(file, rest) {
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` };
  const child = spawn(node, ["--disable-warning=ExperimentalWarning", file, ...rest], { stdio: "inherit", env });
  // Ctrl-C reaches the child by itself (one terminal, one process group); a signal sent to us alone does not.
  // Either way we stay until the child has cleaned up.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => fail(`could not start ${node}: ${error.message}`));
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
