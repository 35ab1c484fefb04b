// OpenAPI check: runs two linters on the API's description, generates types from it, and compiles a program that calls
// every operation. It uses no network.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { described } from "#test/tidy/generated/described.ts";
import { typesOf } from "./openapi/generate.ts";

const PROGRAM = "test/client/generated";
/**
 * Inside the project, so that the program finds its packages, and redocly.yaml and .spectral.yaml beside package.json
 * apply.
 */
const folder = "dist/openapi";

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const document = described();
const file = join(folder, "openapi.json");
writeFileSync(file, document);
const ok = await Promise.all([
  run("redocly", ["lint", file, "--format=stylish"]),
  run("spectral", ["lint", file, "--fail-severity=hint", "--quiet"]),
  compiles(),
]);
process.exit(ok.every(Boolean) ? 0 : 1);

async function compiles(): Promise<boolean> {
  const operations = operationsOf(document);
  const missing = uncalled(operations);
  for (const { id, method, path } of missing)
    console.log(`${PROGRAM}: does not call ${id}; add client.${method}("${path}", …)`);
  const types = await typesOf(document);
  cpSync(PROGRAM, folder, { recursive: true });
  writeFileSync(join(folder, "api.ts"), types);
  const compilerOptions = { types: [], lib: ["ES2024", "DOM", "DOM.Iterable"], skipLibCheck: false };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: "../../tsconfig.json", compilerOptions, include: ["*.ts"], exclude: [] }),
  );
  const untyped = types.split("\n").filter((line) => /: .*Record<string, never>/.test(line));
  for (const line of untyped) console.log(`an object without a description of its fields: ${line.trim()}`);
  console.log(`${operations.length} operations, ${Math.round(types.length / 1_024)} KiB of types`);
  return (await run("tsc", ["-p", join(folder, "tsconfig.json")])) && missing.length === 0 && untyped.length === 0;
}

type Described = { readonly method: string; readonly path: string; readonly id: string };

function operationsOf(text: string): readonly Described[] {
  type Operations = { readonly [method: string]: { readonly operationId: string } };
  const { paths } = JSON.parse(text) as { readonly paths: { readonly [path: string]: Operations } }; // the engine generates this document
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => ({ method: method.toUpperCase(), path, id: operationId })),
  );
}

/** Lists the operations that no file of the program calls. */
function uncalled(all: readonly Described[]): readonly Described[] {
  const program = readdirSync(PROGRAM).map((name) => readFileSync(join(PROGRAM, name), "utf8"));
  const text = program.join("\n");
  return all.filter(({ method, path }) => !text.includes(`.${method}("${path}"`));
}

function run(command: string, words: readonly string[]): Promise<boolean> {
  // Turns off the telemetry of both linters.
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", CI: "true" };
  return new Promise((resolve) => {
    const said: Buffer[] = [];
    const child = spawn(command, words, { env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => said.push(chunk));
    child.once("error", (error) => said.push(Buffer.from(String(error))));
    child.once("close", (status) => {
      const text = Buffer.concat(said).toString().trim();
      if (text !== "") console.log(`${command}: ${text}`);
      resolve(status === 0);
    });
  });
}
