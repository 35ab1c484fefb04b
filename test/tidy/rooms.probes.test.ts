// Each wall is leant on with a file that breaks it and lies on no disk: a wall that gives way fails here, by name.
import { describe, expect, it } from "vitest";
import { divided, rules } from "./house.ts";
import { inspect } from "./inspect.ts";
import type { words } from "./words.ts";

const said = (path: string, text: string) => inspect(path, text).map(({ says }) => says);
const importing = (name: string) => `import { it } from "${name}";`;

describe("a wall holds", () => {
  it.each([
    ["schema from kernel", "src/schema/x.ts", "#kernel/assert.ts", "enters src/kernel/assert.ts"],
    ["wire from kernel", "src/wire/x/shape.ts", "#kernel/assert.ts", "enters src/kernel/assert.ts"],
    ["wire from services", "src/wire/x/shape.ts", "#services/hash.ts", "enters src/services/hash.ts"],
    ["kernel from policy", "src/kernel/x.ts", "#policy/gates/rate.ts", "enters src/policy/gates/rate.ts"],
    ["kernel from services", "src/kernel/x.ts", "#services/hash.ts", "enters src/services/hash.ts"],
    ["kernel from zod", "src/kernel/x.ts", "zod", "uses the package zod"],
    ["policy from catalog", "src/policy/x.ts", "#catalog/db.ts", "enters src/catalog/db.ts"],
    ["policy from xstate", "src/policy/x.ts", "xstate", "uses the package xstate"],
    ["runners from kernel", "src/runners/run.ts", "#kernel/assert.ts", "enters src/kernel/assert.ts"],
    ["a family from catalog", "src/runners/sms/x.ts", "#catalog/db.ts", "enters src/catalog/db.ts"],
    ["a family from env", "src/runners/sms/x.ts", "#env", "enters src/env.ts"],
    ["e-mail from viem", "src/runners/email/x.ts", "viem/utils", "uses the package viem/utils"],
    ["catalog from services", "src/catalog/x.ts", "#services/hash.ts", "enters src/services/hash.ts"],
    ["catalog from hono", "src/catalog/x.ts", "hono", "uses the package hono"],
    ["services from wire", "src/services/tasks/x.ts", "#wire/problem.ts", "enters src/wire/problem.ts"],
    ["services from routes", "src/services/tasks/x.ts", "#routes/app.ts", "enters src/routes/app.ts"],
    ["services from runners", "src/services/tasks/x.ts", "#runners/run.ts", "enters src/runners/run.ts"],
    ["services from hono", "src/services/tasks/x.ts", "hono", "uses the package hono"],
    ["services from the platform", "src/services/x.ts", "cloudflare:workers", "uses the package cloudflare:workers"],
    ["routes from catalog", "src/routes/x.ts", "#catalog/db.ts", "enters src/catalog/db.ts"],
    ["routes from kernel", "src/routes/x.ts", "#kernel/assert.ts", "enters src/kernel/assert.ts"],
    ["routes from policy", "src/routes/x.ts", "#policy/gates/rate.ts", "enters src/policy/gates/rate.ts"],
    ["routes from objects", "src/routes/x.ts", "#objects/signer/signer.ts", "enters durable-objects/signer/signer.ts"],
    ["routes from drizzle", "src/routes/x.ts", "drizzle-orm", "uses the package drizzle-orm"],
    ["queue from tables", "src/queue/x.ts", "#catalog/tables/runs.ts", "enters src/catalog/tables/runs.ts"],
    ["queue from kernel", "src/queue/x.ts", "#kernel/assert.ts", "enters src/kernel/assert.ts"],
    ["entrypoints from tables", "src/entrypoints/x.ts", "#catalog/tables/keys.ts", "enters src/catalog/tables/keys.ts"],
    ["entrypoints from wire", "src/entrypoints/x.ts", "#wire/problem.ts", "enters src/wire/problem.ts"],
    ["client from services", "src/client/x.ts", "#services/hash.ts", "enters src/services/hash.ts"],
    ["client from zod", "src/client/x.ts", "zod", "uses the package zod"],
    ["env from services", "src/env.ts", "#services/hash.ts", "enters src/services/hash.ts"],
    ["the Worker from kernel", "src/index.ts", "#kernel/assert.ts", "enters src/kernel/assert.ts"],
    ["an object from runners", "durable-objects/signer/x.ts", "#runners/run.ts", "enters src/runners/run.ts"],
    ["an object from catalog", "durable-objects/signer/x.ts", "#catalog/db.ts", "enters src/catalog/db.ts"],
    ["an object from wire", "durable-objects/execution/x.ts", "#wire/problem.ts", "enters src/wire/problem.ts"],
    ["an object from hono", "durable-objects/execution/x.ts", "hono", "uses the package hono"],
    ["the sandbox from schema", "sandbox/x.ts", "#schema/json.ts", "enters src/schema/json.ts"],
    ["the sandbox from hono", "sandbox/x.ts", "hono", "uses the package hono"],
    ["code from tests", "src/services/x.ts", "#test/support/d1.ts", "enters test/support/d1.ts"],
    ["code from Node", "src/services/x.ts", "node:fs", "uses the package node:fs"],
  ])("that keeps %s", (_wall, path, name, says) => {
    expect(said(path, importing(name))).toEqual([says]);
  });

  it("between one durable object and another", () => {
    const says = "enters durable-objects/execution/cell.ts";
    expect(said("durable-objects/signer/x.ts", importing("#objects/execution/cell.ts"))).toEqual([says]);
  });

  it("between one family of runners and another, and below them", () => {
    expect(said("src/runners/sms/x.ts", importing("../email/config.ts"))).toEqual([
      "enters src/runners/email/config.ts",
    ]);
    expect(said("src/runners/sms/x.ts", importing("../registry.ts"))).toEqual(["enters src/runners/registry.ts"]);
    expect(said("src/runners/http/x.ts", importing("../sms/sms.ts"))).toEqual(["enters src/runners/sms/sms.ts"]);
    expect(said("src/runners/core/x.ts", importing("../http/call.ts"))).toEqual(["enters src/runners/http/call.ts"]);
    expect(said("src/runners/sms/x.ts", importing("../http/call.ts"))).toEqual([]);
    expect(said("src/runners/registry.ts", importing("./sms/sms.ts"))).toEqual([]);
    expect(said("src/runners/rehearsal/x.ts", importing("../sms/sms.ts"))).toEqual([]);
  });

  it("between a noun and what the catalog keeps of another", () => {
    const keys = importing("#catalog/keys.ts");
    expect(said("src/services/tasks/x.ts", keys)).toEqual(["enters src/catalog/keys.ts"]);
    expect(said("src/services/hash.ts", keys)).toEqual(["enters src/catalog/keys.ts"]);
    expect(said("src/services/tasks/x.ts", importing("#catalog/tables/runs.ts"))).toEqual([
      "enters src/catalog/tables/runs.ts",
    ]);
    expect(said("src/services/caller/x.ts", keys)).toEqual([]);
    expect(said("src/services/tasks/x.ts", importing("#catalog/page.ts"))).toEqual([]);
    expect(said("src/services/tasks/x.ts", importing("../caller/fingerprint.ts"))).toEqual([]);
  });

  it("around the room: a relative import stays in it, a # import leaves it", () => {
    const left = "leaves its room by ../services/hash.ts: another room is imported as #room/…";
    expect(said("src/kernel/x.ts", importing("../services/hash.ts"))).toEqual([left]);
    expect(said("src/routes/x.ts", importing("../schema/json.ts"))[0]).toMatch(/^leaves its room/);
    expect(said("durable-objects/signer/x.ts", importing("../execution/cell.ts"))[0]).toMatch(/^leaves its room/);
    expect(said("src/kernel/x.ts", importing("#kernel/assert.ts"))[0]).toMatch(/^goes round/);
    expect(said("src/kernel/x.ts", importing("#schema/../services/hash.ts"))).toEqual(["enters src/services/hash.ts"]);
  });

  it("against a folder that nobody has named", () => {
    for (const path of ["src/newroom/x.ts", "src/x.ts", "durable-objects/newcomer/x.ts", "durable-objects/x.ts"])
      expect(said(path, "const now = Date.now();")[0]).toMatch(/has no rule/);
    for (const room of divided) expect(said(`${room}/newcomer/x.ts`, "")[0]).toMatch(/newcomer has no rule/);
  });
});

describe("an import is seen", () => {
  it.each([
    ["of a type", 'import type { It } from "#services/hash.ts";'],
    ["of a type among values", 'import { type It } from "#services/hash.ts";'],
    ["for its side effects", 'import "#services/hash.ts";'],
    ["over several lines", 'import {\n  it,\n  that,\n} from "#services/hash.ts";'],
    ["after a semicolon", 'const a = 1; import { it } from "#services/hash.ts";'],
    ["with a comment in between", 'import { it } from /* "zod" */ "#services/hash.ts";'],
    ["in single quotes", "import { it } from '#services/hash.ts';"],
    ["as a namespace", 'import * as it from "#services/hash.ts";'],
    ["that is exported again", 'export { it } from "#services/hash.ts";'],
    ["of a type that is exported again", 'export type { It } from "#services/hash.ts";'],
    ["of which all is exported again", 'export * from "#services/hash.ts";'],
    ["in the midst of code", 'const it = () => import("#services/hash.ts");'],
    ["within a type", 'type It = import("#services/hash.ts").It;'],
  ])("%s", (_kind, text) => {
    expect(said("src/kernel/x.ts", text)).toEqual(["enters src/services/hash.ts"]);
  });

  it("unless it is none", () => {
    const text = '// import "#services/hash.ts"\nconst says = `import { it } from "#services/hash.ts"`;';
    expect(said("src/kernel/x.ts", text)).toEqual([]);
  });

  it("and refused where its name is computed", () => {
    expect(said("src/kernel/x.ts", "const it = () => import(name);")[0]).toMatch(/computed name/);
  });
});

describe("a word is found", () => {
  const spoken: { readonly [word in keyof typeof words]: readonly string[] } = {
    clock: [
      "Date.now()",
      'Date["now"]()',
      "const { now } = Date",
      "new Date()",
      "Date()",
      "Temporal.Now.instant()",
      "performance.now()",
    ],
    chance: ["Math.random()", 'Math["random"]()', "const { random } = Math"],
    globalThis: ["globalThis.Date.now()"],
    crypto: ["crypto.randomUUID()"],
    fetch: ["fetch(url)", "const call = fetch"],
    timers: ["setTimeout(f, 1)", "setInterval(f, 1)", "setImmediate(f)", "queueMicrotask(f)"],
    logging: ["console.log(1)"],
    process: ["process.env", "Buffer.from([])"],
    async: [
      "const f = async () => 1",
      "async function f() {}",
      "await f()",
      "export {}; for await (const a of f) g(a)",
    ],
    class: ["class A {}", "export abstract class A {}", "const a = class {}"],
    Response: ["new Response()", "Response.json(1)"],
    D1: ["const f = (db: D1Database) => db", "const rows = this.env.DB"],
    require: ['require("node:fs")'],
  };
  const rooms = Object.entries(rules).map(([place, rule]) => ({
    path: place.endsWith(".ts") ? place : `${place}/x.ts`,
    rule,
  }));

  it.each(Object.entries(spoken))("wherever it is forbidden: %s", (word, texts) => {
    const forbidding = rooms.filter(({ rule }) => rule.words.some((each) => each === word));
    expect(forbidding).not.toEqual([]);
    for (const { path } of forbidding)
      for (const text of texts)
        expect(said(path, `${text};`), `${path}: ${text}`).toContain(`says what it may not: ${word}`);
  });

  it("unless it is none: a key, a type, a comment, a string, an instant that is given", () => {
    const text = [
      "// Date.now()",
      'const says = "Date.now() and Math.random()";',
      "const keys = { fetch: 1, process: 2, crypto: 3 };",
      "const held = keys.process + Math.max(1, 2) + Date.parse(says) + new Date(0).getTime();",
      "type Known = { readonly Response: Date; readonly console: string };",
    ].join("\n");
    expect(said("src/kernel/x.ts", text)).toEqual([]);
  });

  it("and time and chance are forbidden everywhere but in the sandbox", () => {
    const lenient = rooms.filter(({ rule }) => !rule.words.includes("clock") || !rule.words.includes("chance"));
    expect(lenient.map(({ path }) => path)).toEqual(["sandbox/x.ts"]);
  });
});
