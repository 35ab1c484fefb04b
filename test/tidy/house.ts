// The walls: into which rooms each room may go, which packages it may use, and what it may not say. A room is a folder
// of src/ or durable-objects/, and the sandbox; runners and services have walls inside, too: each folder there has a rule.
import type { Word } from "./words.ts";

export type Rule = {
  /** Folders and files of other rooms (or of other folders of its own), without their ending. */
  readonly enters: readonly string[];
  readonly except?: readonly string[];
  readonly packages: readonly string[];
  readonly words: readonly Word[];
};

/** Rooms in which each folder has a rule of its own; the room's is that of the files that lie in it directly. */
export const divided: readonly string[] = ["src/runners", "src/services"];

const edge: readonly Word[] = ["clock", "chance", "globalThis", "require"];
const pure: readonly Word[] = [...edge, "crypto", "fetch", "timers", "logging", "process", "async", "class"];

/** A durable object decides with the kernel and the policies, and enters no folder of another one but the host's. */
const object: Rule = {
  enters: ["src/schema", "src/kernel", "src/policy", "src/env", "durable-objects/host"],
  packages: ["cloudflare:workers"],
  words: [...edge, "D1"],
};

const behindQueues: Rule = {
  enters: ["src/schema", "src/runners", "src/services", "src/catalog", "src/env"],
  except: ["src/catalog/tables"],
  packages: ["cloudflare:workers"],
  words: edge,
};

const usedByRunners = ["src/schema", "src/runners/core"];
/** A family of runners knows what all share, and no other family. */
const family: Rule = { enters: [...usedByRunners, "src/runners/http"], packages: ["zod"], words: edge };

/** A noun's services reach what the catalog keeps of other nouns through the services of those. */
const noun = (...catalog: readonly string[]): Rule => ({
  enters: [
    ...["src/schema", "src/kernel", "src/policy", "src/services"],
    ...["db", "page", ...catalog].map((file) => `src/catalog/${file}`),
  ],
  packages: ["zod"],
  words: [...edge, "Response"],
});

export const rules: { readonly [folder: string]: Rule } = {
  "src/index.ts": {
    enters: ["src/entrypoints", "src/queue", "src/routes", "src/schema", "src/services", "src/env", "durable-objects"],
    packages: ["cloudflare:workers"],
    words: edge,
  },
  "src/env.ts": { enters: ["src/schema", "durable-objects"], packages: [], words: edge },
  "src/schema": { enters: [], packages: ["zod"], words: edge },
  "src/wire": { enters: ["src/schema", "src/kernel/waiting"], packages: ["zod"], words: edge },
  "src/kernel": {
    enters: ["src/schema"],
    packages: ["xstate", "liquidjs", "json-logic-engine", "temporal-polyfill"],
    words: pure,
  },
  "src/policy": { enters: ["src/schema", "src/kernel"], packages: ["temporal-polyfill", "cronstrue"], words: pure },
  "src/runners": { enters: ["src/schema"], packages: ["zod"], words: edge },
  "src/runners/core": { enters: ["src/schema"], packages: ["zod"], words: edge },
  "src/runners/http": { enters: usedByRunners, packages: ["zod"], words: edge },
  "src/runners/database": family,
  "src/runners/docusign": family,
  "src/runners/email": family,
  "src/runners/engine": family,
  "src/runners/evm": { ...family, packages: ["zod", "viem"] },
  "src/runners/push": family,
  "src/runners/rehearsal": { enters: ["src/schema", "src/runners"], packages: ["zod", "viem"], words: edge },
  "src/runners/slack": family,
  "src/runners/sms": family,
  "src/runners/worker": { ...family, enters: usedByRunners },
  "src/catalog": { enters: ["src/schema"], packages: ["drizzle-orm", "zod"], words: edge },
  "src/services": noun(),
  "src/services/actions": noun("actions", "runs", "prices"),
  "src/services/alerts": noun("alert-channels", "named"),
  "src/services/audit": noun("audit"),
  "src/services/caller": noun("keys", "pools", "access", "tenants", "stored-responses"),
  "src/services/calendars": noun("calendars", "named"),
  "src/services/cells": noun(),
  "src/services/computing": noun(),
  "src/services/configuration": noun(),
  "src/services/connections": noun("connections", "named"),
  "src/services/dead-letters": noun("dead-letters"),
  "src/services/definitions": noun("definitions", "versioned", "publications"),
  "src/services/events": noun(),
  "src/services/executions": noun("executions", "runs", "projections", "operation-executions"),
  "src/services/hooks": noun("reports"),
  "src/services/monitor": noun("metrics"),
  "src/services/named": noun("named"),
  "src/services/operations": noun("operations"),
  "src/services/policies": noun("policies", "named"),
  "src/services/pools": noun("pools"),
  "src/services/preview": noun(),
  "src/services/quotas": noun("pools", "quotas", "tenants"),
  "src/services/reconcilers": noun(),
  "src/services/recurring": noun("recurring"),
  "src/services/rehearsal": noun(),
  "src/services/secrets": noun("secrets"),
  "src/services/signers": noun(),
  "src/services/signing": noun("signing"),
  "src/services/key-limits": noun(),
  "src/services/subjects": noun(),
  "src/services/suppressions": noun("suppressions"),
  "src/services/tasks": noun("tasks"),
  "src/services/templates": noun("templates", "versioned"),
  "src/services/triggers": noun("triggers", "named"),
  "src/services/upkeep": noun(),
  "src/services/versioned": noun("quotas", "versioned"),
  "src/services/worker": noun("worker"),
  "src/routes": {
    enters: ["src/schema", "src/wire", "src/services"],
    packages: ["hono", "@hono/zod-openapi", "zod"],
    words: edge,
  },
  "src/queue": { ...behindQueues, enters: [...behindQueues.enters, "src/policy"] },
  "src/entrypoints": behindQueues,
  "src/client": { enters: ["src/schema", "src/wire"], packages: [], words: edge },
  "durable-objects/connection": object,
  "durable-objects/directory": object,
  // Rows are packed by the platform's own zlib, which answers at once; its streams do not.
  "durable-objects/execution": { ...object, packages: [...object.packages, "node:zlib"] },
  "durable-objects/host": object,
  "durable-objects/operation": object,
  "durable-objects/recurring": object,
  "durable-objects/signer": object,
  "durable-objects/subject": object,
  "durable-objects/tenant": object,
  "durable-objects/trigger": object,
  sandbox: { enters: [], packages: ["itty-router", "zod", "cloudflare:workers"], words: [] },
};

/** Time and chance come in at the edges, and here they are read; everything behind is given both. */
export const clockReaders: readonly string[] = [
  "durable-objects/connection/connection.ts",
  "durable-objects/execution/execution.ts",
  "durable-objects/host/hosted-object.ts",
  "durable-objects/signer/signer.ts",
  "durable-objects/subject/subject.ts",
  "durable-objects/tenant/tenant.ts",
  "src/entrypoints/deps.ts",
];

/**
 * Workspaces. They speak to the engine over HTTP: the dashboard and the command line use the client package, and no
 * workspace imports the Worker's sources. The Worker never imports a workspace.
 */
export const workspaces: readonly { readonly folder: string; readonly enters: readonly string[] }[] = [
  { folder: "packages", enters: [] },
  { folder: "dashboard", enters: ["packages/escapement"] },
];

export type Passage = { readonly from: string; readonly to: string; readonly because: string };

/** Doors in a wall, one import each. One that nobody uses any more is closed: the test asks for it. */
export const passages: readonly Passage[] = [
  {
    from: "durable-objects/execution/live.ts",
    to: "src/wire/history/present-entry.ts",
    because: "the object speaks to a client's socket itself, in the words that the API has for an entry",
  },
];
