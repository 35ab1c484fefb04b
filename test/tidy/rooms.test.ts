// The house rules that a type checker cannot know: who may import whom, who may read the clock, how long a file is.
// A failure names the file, the line and the rule.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

type Room = { readonly may: readonly (string | RegExp)[]; readonly mustNot?: readonly RegExp[] };

const object: Room = {
  may: [/^#schema\//, /^#kernel\//, /^#policy\//, "#wire/history/present.ts", "#env", "cloudflare:workers"],
  mustNot: [/\bD1Database\b/],
};

/** What each room may import besides its own files; anything else is a broken wall. */
const rooms: { readonly [folder: string]: Room } = {
  "src/schema": { may: ["zod"] },
  "src/wire": { may: [/^#schema\//, "zod"] },
  "src/kernel": {
    may: [/^#schema\//, "xstate", "croner", "liquidjs", "json-logic-engine", "temporal-polyfill"],
    mustNot: [
      /\bDate\.now\b/,
      /\bnew Date\(\)/,
      /\bMath\.random\b/,
      /\bcrypto\b\./,
      /\bfetch\(/,
      /\bsetTimeout\b/,
      /\basync\b/,
      /\bawait\b/,
      /^\s*(export )?(abstract )?class \b/,
      /\bconsole\./,
    ],
  },
  "src/policy": {
    may: [/^#schema\//, /^#kernel\//, "temporal-polyfill"],
    mustNot: [
      /\bDate\.now\b/,
      /\bnew Date\(\)/,
      /\bMath\.random\b/,
      /\bcrypto\b\./,
      /\bfetch\(/,
      /\bsetTimeout\b/,
      /\basync\b/,
      /\bawait\b/,
      /^\s*(export )?(abstract )?class \b/,
      /\bconsole\./,
    ],
  },
  "src/runners": { may: [/^#schema\//, "zod", /^viem(\/|$)/, "jose"] },
  "src/catalog": { may: [/^#schema\//, /^drizzle-orm/, "zod"] },
  "src/services": {
    may: [/^#schema\//, /^#kernel\//, /^#policy\//, /^#catalog\//, "zod"],
    mustNot: [/\bDate\.now\b/, /\bnew Response\b/, /\bMath\.random\b/],
  },
  "src/routes": {
    may: [/^#schema\//, /^#wire\//, /^#services\//, /^hono/, "@hono/zod-openapi", "zod"],
    mustNot: [/\bDate\.now\b/],
  },
  "src/queue": {
    may: [/^#schema\//, /^#runners\//, /^#services\//, /^#catalog\//, "#env", "cloudflare:workers"],
    mustNot: [/\bfrom "#catalog\/tables/],
  },
  "src/entrypoints": {
    may: [/^#schema\//, /^#runners\//, /^#services\//, /^#catalog\//, "#env", "cloudflare:workers"],
    mustNot: [/\bfrom "#catalog\/tables/],
  },
  "src/client": { may: [/^#schema\//, /^#wire\//] },
  "durable-objects/execution": object,
  "durable-objects/signer": object,
  "durable-objects/connection": object,
  "durable-objects/operation": object,
  sandbox: { may: ["itty-router", "zod", "cloudflare:workers"] },
};

/** Time and chance come in at the edges; everything behind them is given both. */
const clockReaders = new Set([
  "durable-objects/execution/execution.ts",
  "durable-objects/connection/connection.ts",
  "durable-objects/operation/operation.ts",
  "durable-objects/signer/signer.ts",
  "src/entrypoints/deps.ts",
]);

const files = Object.keys(rooms).flatMap((folder) => sourcesIn(join(root, folder)).map((path) => ({ folder, path })));

describe("the rooms", () => {
  it.each(Object.keys(rooms))("%s imports only what it may", (folder) => {
    const allowed = rooms[folder]?.may ?? [];
    const broken = files
      .filter((file) => file.folder === folder)
      .flatMap(({ path }) =>
        importsOf(path)
          .filter((name) => !isAllowed(name, allowed))
          .map((name) => `${short(path)} imports ${name}`),
      );
    expect(broken).toEqual([]);
  });

  it.each(Object.keys(rooms))("%s does nothing its rules forbid", (folder) => {
    const forbidden = rooms[folder]?.mustNot ?? [];
    const broken = files
      .filter((file) => file.folder === folder)
      .flatMap(({ path }) => linesMatching(path, forbidden).filter(() => !clockReaders.has(short(path))));
    expect(broken).toEqual([]);
  });

  it("only the edges read the clock", () => {
    const broken = files
      .filter(({ folder, path }) => folder !== "sandbox" && !clockReaders.has(short(path)))
      .flatMap(({ path }) => linesMatching(path, [/\bDate\.now\b/, /\bMath\.random\b/]));
    expect(broken).toEqual([]);
  });
});

describe("every file", () => {
  const all = ["src", "durable-objects", "sandbox", "scripts", "bench", "test"].flatMap((folder) =>
    sourcesIn(join(root, folder)),
  );

  it("has at most 300 lines: longer ones hide a second room", () => {
    const long = all
      .map((path) => [short(path), readFileSync(path, "utf8").split("\n").length] as const)
      .filter(([, lines]) => lines > 301);
    expect(long).toEqual([]);
  });

  it("begins by saying what it is", () => {
    const silent = all
      .filter((path) => !/\.(d|test)\.ts$/.test(path) && !/^(#!.*\n)?(\/\/|\/\*)/.test(readFileSync(path, "utf8")))
      .map(short);
    expect(silent).toEqual([]);
  });

  it("has a place of its own: no utils, lib, common, helpers, no barrels", () => {
    const vague = all
      .map(short)
      .filter(
        (path) =>
          /\/(utils?|lib|common|helpers?)(\/|\.ts$)/.test(path) ||
          (path.endsWith("/index.ts") && path !== "src/index.ts"),
      );
    expect(vague).toEqual([]);
  });

  it("silences no checker: no any, no ts-expect-error, no skipped or focused test", () => {
    const debts = [
      /@ts-(expect-error|ignore|nocheck)/,
      /\bas any\b/,
      /: any\b/,
      /\.(skip|only)\(/,
      /\b(TODO|FIXME|XXX)\b/,
    ];
    expect(all.filter((path) => !path.includes("/test/tidy/")).flatMap((path) => linesMatching(path, debts))).toEqual(
      [],
    );
  });
});

it("the Worker's entry is a table of contents of at most 80 lines", () => {
  expect(readFileSync(join(root, "src/index.ts"), "utf8").split("\n").length).toBeLessThanOrEqual(81);
});

it("the lockfile names no download address", () => {
  expect(readFileSync(join(root, "package-lock.json"), "utf8")).not.toMatch(/"resolved": "https?:/);
});

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" || entry.name === ".wrangler" ? [] : sourcesIn(path);
    return /\.(ts|tsx|mjs)$/.test(entry.name) && statSync(path).isFile() ? [path] : [];
  });
}

function importsOf(path: string): string[] {
  const text = readFileSync(path, "utf8");
  return [
    ...text.matchAll(/^(?:import|export)\b[^"';]*?from\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

/** Same-room imports are relative and stay inside; rooms with folders inside may go up within themselves. */
function isAllowed(name: string, allowed: readonly (string | RegExp)[]): boolean {
  if (name.startsWith("./") || name.startsWith("../")) return !name.includes("../../../");
  return allowed.some((rule) => (typeof rule === "string" ? rule === name : rule.test(name)));
}

function linesMatching(path: string, rules: readonly RegExp[]): string[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line, index) => {
      const code = line.trimStart();
      if (code.startsWith("//") || code.startsWith("*") || code.startsWith("/*")) return [];
      const rule = rules.find((each) => each.test(line));
      return rule ? [`${short(path)}:${index + 1} ${rule.source}: ${code.slice(0, 80)}`] : [];
    });
}

function short(path: string): string {
  return relative(root, path).replaceAll("\\", "/");
}
