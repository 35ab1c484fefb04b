// Worlds for tests of the catalog and of what is built on it: a database, a clock that stands, rows with defaults.
import { openComputationSlots } from "#policy/computing/computation-slots.ts";
import { env } from "cloudflare:workers";
import { z } from "zod";
import { openDb, type Db } from "#catalog/db.ts";
import type { Env } from "#env";
import type { Cell } from "#schema/engine/cell.ts";
import type { Directory } from "#schema/directory/calls.ts";
import type { Gate } from "#schema/gate.ts";
import type { TriggerPort } from "#schema/inbound/delivery.ts";
import type { Operation } from "#schema/operation.ts";
import type { Recurring } from "#schema/recurring/calls.ts";
import type { AuditRow, ExecutionRow, ProjectionMessage, RunRow } from "#schema/engine/projection.ts";
import type { Caller, Deps, TenantCaller } from "#services/deps.ts";
import { hookTokenSecretsOf, signingSecretsOf, unsubscribeSecretsOf } from "#services/signing/signing-secret.ts";
import { memoryKeyLimits } from "#test/support/memory/key-limits.ts";
import { MemorySubjects } from "#test/support/memory/subjects.ts";
import { MemoryMeters } from "#test/support/meters.ts";
import { MemorySigners } from "#test/support/signers.ts";

export const NOW = Date.UTC(2026, 10, 18, 12);
export const ROOT_KEY = "root-key-of-the-tests";
export const SECRETS_KEYS = `k1:${btoa("k".repeat(32))}`;

export function database(): D1Database {
  return (env as unknown as { DB: D1Database }).DB; // bound in wrangler.toml
}

/** The real one: it keeps what it is told, and hands over to real executions. */
export function triggerObject(name: string): TriggerPort {
  const { TRIGGERS } = env as unknown as Env; // bound in wrangler.toml
  return TRIGGERS.getByName(name) as unknown as TriggerPort; // RPC stubs answer what the class declares
}

export function catalog(): Db {
  return openDb(database());
}

/** All tests share one database; a tenant of its own keeps each alone. */
export function newTenant(): string {
  return `tenant-${crypto.randomUUID()}`;
}

export type World = Deps & {
  readonly lines: Record<string, unknown>[];
  readonly clock: { now: number };
  readonly meters: MemoryMeters;
  readonly signers: MemorySigners;
  readonly subjects: MemorySubjects;
};

export function world(over: Partial<Deps> = {}): World {
  const clock = { now: NOW };
  const lines: Record<string, unknown>[] = [];
  const meters = new MemoryMeters(() => clock.now);
  const signers = new MemorySigners(() => clock.now);
  const subjects = new MemorySubjects(() => clock.now);
  return {
    now: () => clock.now,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    db: catalog(),
    cell: () => absentCell,
    gate: () => absentGate,
    operation: () => absentOperation,
    directory: () => absentDirectory,
    subject: (name) => subjects.subject(name),
    keyLimits: memoryKeyLimits(() => clock.now),
    recurring: () => absentRecurring,
    isRecurringOn: true,
    trigger: triggerObject,
    meter: (tenant) => meters.meter(tenant),
    signer: (tenant, chainId, address) => signers.signer(`${tenant}/${chainId}/${address}`),
    maintainAddress: refuseToAnswer,
    chainIdOf: (network) => (network === "base" ? 8453 : null),
    callOut: refuseToAnswer,
    live: refuseToAnswer,
    actionTypes: {
      webhook: { config: z.strictObject({ url: z.string() }), timeoutMs: 30_000, retryPolicy: "default" },
      email: { config: z.looseObject({}), timeoutMs: 20_000, retryPolicy: "email" },
    },
    allowLoopback: false,
    bindings: { services: ["shop"], databases: ["crm"] },
    configFindings: (type, config) =>
      type === "webhook" && !("url" in config) ? [{ pointer: "/url", code: "required", message: "is missing" }] : [],
    repeatsOf: () => ({ mode: "none" }),
    rehearse: () => refuseToAnswer,
    destinationOf: (_type, { url }) => ({ kind: "url", to: typeof url === "string" ? [url] : [] }),
    signingSecrets: (tenant, receiver) => signingSecretsOf("the key of the tests", tenant, receiver),
    hookTokenSecrets: () => hookTokenSecretsOf("the key of the tests"),
    unsubscribeSecrets: () => unsubscribeSecretsOf("the key of the tests"),
    signJwt: refuseToAnswer,
    secretsKeys: SECRETS_KEYS,
    rootKey: ROOT_KEY,
    installation: { backlogs: async () => [], publicUrl: null, missingBindings: () => [] },
    background: (work) => void work.catch(() => {}),
    yieldToOthers: async () => {},
    computations: openComputationSlots(),
    log: (line) => void lines.push(line),
    ...over,
    lines,
    clock,
    meters,
    signers,
    subjects,
  };
}

export const root: Caller = { actor: { kind: "root", id: "root" }, tenant: null, scopes: ["admin"] };

export function callerOf(tenant: string): TenantCaller {
  return {
    actor: { kind: "key", id: "key_test" },
    tenant,
    scopes: ["read", "payloads", "write", "tasks", "operate", "admin"],
  };
}

const fail = (): never => {
  throw new Error("D1_ERROR: Network connection lost.");
};
/** A D1 that is down: every statement fails. */
export const brokenBinding: D1Database = { prepare: fail, batch: fail, exec: fail, withSession: fail, dump: fail };

export function executionRow(over: Partial<ExecutionRow> & { readonly tenant: string }): ExecutionRow {
  return {
    id: "exe_1",
    createdAt: NOW,
    seq: 1,
    namespace: "default",
    definitionId: "def_1",
    definitionName: "order",
    definitionVersion: 1,
    placement: "own",
    status: "completed",
    states: ["done"],
    correlationId: null,
    updatedAt: NOW,
    finishedAt: NOW,
    wakeAt: null,
    reason: null,
    error: null,
    quarantine: null,
    quarantinedAt: null,
    erasedAt: null,
    triggerId: null,
    triggerKind: null,
    subject: null,
    nextAt: null,
    nextNode: null,
    parent: null,
    errors: null,
    search: null,
    waits: null,
    errorCode: null,
    ...over,
  };
}

export function runRow(over: Partial<RunRow> & { readonly tenant: string }): RunRow {
  return {
    execution: "exe_1",
    id: "1.1",
    seq: 1,
    action: "notify",
    type: "webhook",
    status: "ok",
    attempt: 1,
    priority: 50,
    createdAt: NOW,
    dueAt: null,
    finishedAt: NOW,
    errorType: null,
    error: null,
    reason: null,
    deadLetter: false,
    costEstimate: null,
    namespace: "default",
    definition: "order",
    correlationId: null,
    errorCode: null,
    connection: null,
    selfHeal: null,
    handled: false,
    incarnation: NOW,
    recipients: null,
    tags: null,
    uses: null,
    held: null,
    tookMs: null,
    ...over,
  };
}

export function auditRow(over: Partial<AuditRow> & { readonly tenant: string }): AuditRow {
  const said = { actor: "key:k", verb: "pause", target: "exe_1", reason: null, details: null };
  return { id: "aud_1", at: NOW, ...said, ...over };
}

export function projection(over: Partial<Omit<ProjectionMessage, "v">>): ProjectionMessage {
  return { v: 1, executions: [], runs: [], audit: [], ...over };
}

const refuseToAnswer = async (): Promise<never> => {
  throw new Error("this world has no cells");
};
export const absentGate: Gate = {
  acquire: refuseToAnswer,
  release: refuseToAnswer,
  token: refuseToAnswer,
  ownToken: refuseToAnswer,
  clearAttention: refuseToAnswer,
  read: refuseToAnswer,
  forget: refuseToAnswer,
};
const absentDirectory: Directory = { registerKeys: refuseToAnswer, post: refuseToAnswer, list: refuseToAnswer };
const absentOperation: Operation = {
  open: refuseToAnswer,
  read: refuseToAnswer,
  abort: refuseToAnswer,
  append: refuseToAnswer,
  start: refuseToAnswer,
  sample: refuseToAnswer,
  troubles: refuseToAnswer,
};
const absentRecurring: Recurring = {
  open: refuseToAnswer,
  control: refuseToAnswer,
  read: refuseToAnswer,
  history: refuseToAnswer,
  poke: refuseToAnswer,
  drop: refuseToAnswer,
};
export const absentCell: Cell = {
  start: refuseToAnswer,
  control: refuseToAnswer,
  claimMany: refuseToAnswer,
  settleMany: refuseToAnswer,
  undeliverable: refuseToAnswer,
  confirm: refuseToAnswer,
  wakeRuns: refuseToAnswer,
  place: refuseToAnswer,
  poke: refuseToAnswer,
  reproject: refuseToAnswer,
  read: refuseToAnswer,
  journal: refuseToAnswer,
  explain: refuseToAnswer,
};
