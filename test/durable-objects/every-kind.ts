// Creates objects of every kind with values in each of their rows, and reads these rows. It only uses calls that every
// version has, so that it works with each version of the code.
import { runInDurableObject } from "cloudflare:test";
import { vi } from "vitest";
import { OperationWork } from "#entrypoints/operation-work.ts";
import { ConnectionWork } from "#entrypoints/connection-work.ts";
import type { Cell } from "#schema/engine/cell.ts";
import type { Command, StartCommand } from "#schema/engine/input.ts";
import type { Gate } from "#schema/gate.ts";
import type { Operation, OperationRequest } from "#schema/operation.ts";
import type { Signer } from "#schema/signer.ts";
import type { Subject } from "#schema/subject/calls.ts";
import type { Directory } from "#schema/directory/calls.ts";
import type { TriggerPort } from "#schema/inbound/delivery.ts";
import type { Recurring } from "#schema/recurring/calls.ts";
import { bindings, until } from "#test/flows/engine.ts";
import { fillDirectory, fillRecurring, fillTrigger } from "./calendar-kinds.ts";
import { plainRow } from "./plain-row.ts";

/** The statement that created a table, and the table's rows. Text that is JSON is parsed. */
export type Table = { readonly sql: string; readonly rows: readonly { readonly [column: string]: unknown }[] };
export type Stored = { readonly [table: string]: Table };
export const kinds = [
  ...(["own", "pooled", "connection", "signer", "operation", "subject"] as const),
  ...(["recurring", "trigger", "directory"] as const),
];
export type Kind = (typeof kinds)[number];

export type StoredObjects = { readonly [kind in Kind]: { readonly name: string; readonly stored: Stored } };

const actor = { kind: "key", id: "key_1" } as const;
const DAY_MS = 24 * 60 * 60_000;
export const YEARS_MS = 3_650 * DAY_MS;

export const terms = {
  rate: { calls: 10, perMs: DAY_MS, burst: 10 },
  concurrency: 5,
  breaker: { failureRatio: 0.5, windowMs: 60_000, minimumCalls: 2, openMs: 60_000, halfOpenProbes: 1 },
};

/** Stores the rows that this version writes. The name of each object begins with `tenant`. */
export async function storeEveryKind(tenant: string): Promise<StoredObjects> {
  return {
    own: await storeOwn(`${tenant}/exe_a`),
    pooled: await storePooled(`${tenant}/pool/101`),
    connection: await storeConnection(`${tenant}/con_1`),
    signer: await storeSigner(`${tenant}/1/0x1`),
    operation: await storeOperation(`${tenant}/op_1`),
    subject: await storeSubject(`${tenant}/couple-1`),
    recurring: await storeRecurring(`${tenant}/rec_1`),
    trigger: await storeTrigger(`${tenant}/trg_1`),
    directory: await storeDirectory(`${tenant}/0`),
  };
}

export function stubOf(kind: Kind, name: string) {
  switch (kind) {
    case "own":
    case "pooled":
      return bindings.EXECUTIONS.getByName(name);
    case "connection":
      return bindings.CONNECTIONS.getByName(name);
    case "signer":
      return bindings.SIGNERS.getByName(name);
    case "operation":
      return bindings.OPERATIONS.getByName(name);
    case "subject":
      return bindings.SUBJECTS.getByName(name);
    case "recurring":
      return bindings.RECURRING.getByName(name);
    case "trigger":
      return bindings.TRIGGERS.getByName(name);
    case "directory":
      return bindings.DIRECTORIES.getByName(name);
  }
}

const definition = {
  kind: "machine",
  name: "every",
  variables: { n: 0, due: "2400-01-01T00:00:00Z" },
  delays: { later: { anchor: { var: "execution.variables.due" }, offset: "P1D" } },
  concurrency: 3,
  lane: "queue",
  initial: "open",
  states: {
    open: {
      on: { add: { assign: { n: { "+": [{ var: "execution.variables.n" }, 1] } } }, go: "busy" },
      after: { later: "late" },
    },
    busy: { on: { again: "open", end: "done" }, after: { later: "late" } },
    late: { on: { answered: "done" } },
    done: { type: "final" },
  },
  actions: ["good", "bad", "slow"].map((actionId) => ({
    actionId,
    type: "webhook",
    triggerState: "busy",
    retryPolicy: { maxAttempts: 1 },
    config: { url: "https://example.com/{{ execution.id }}" },
  })),
};

/** The digest of the dedup key that two actions share, and the id of the first action. */
export const DIGEST = "0123456789ABCDEFGHJKMNPQRS";
export const FIRST = `exe_d${DIGEST}01M7R98P2J_p101`;

let inputs = 0;
const from = () => ({ inputId: `in_${++inputs}`, fingerprint: "f", actor });

function startOf(name: string, execution: string, placement: "own" | "pooled"): StartCommand {
  const [tenant = ""] = name.split("/");
  const command = { kind: "start", execution, tenant, namespace: "default", placement, correlationId: "c-1" } as const;
  return {
    ...command,
    ...from(),
    definition: { id: "def_every", name: "every", version: 1 },
    variables: { who: "Ada" },
  };
}

const event = (type: string): Command => {
  const asked = from();
  return {
    kind: "event",
    event: { id: asked.inputId, type, payload: 7, source: "test", correlationId: null },
    ...asked,
  };
};

async function storeOwn(name: string) {
  const execution = "exe_a";
  const cell = stubOf("own", name) as unknown as Cell; // RPC stubs answer what the class declares
  const ask = async (command: Command): Promise<void> => {
    const [answer] = await cell.control([{ execution, command: command as never, dryRun: false }]); // this is a command that a client may send
    if (!answer?.ok) throw new Error(JSON.stringify(answer));
  };
  const [begun] = await cell.start([
    { command: startOf(name, execution, "own"), definition: JSON.stringify(definition) },
  ]);
  if (!begun?.ok) throw new Error(JSON.stringify(begun));
  for (let n = 0; n < 60; n++) await ask(event("add"));
  // The queue's consumer would claim and perform the three runs before this function does.
  const queues = Object.getPrototypeOf(bindings.ACTIONS) as Queue; // every queue binding shares its methods
  const sent = vi.spyOn(queues, "sendBatch").mockResolvedValue(undefined as never); // the engine reads no answer
  await ask(event("go"));
  const state = await cell.read(execution);
  if (!state.ok) throw new Error("it is not there");
  const [good, bad, slow] = state.value.runs.map(({ id }) => ({ execution, run: id, attempt: 1 }));
  if (!good || !bad || !slow) throw new Error("it has three runs");
  await cell.claimMany([good, bad, slow]);
  const span = { startedAt: 1, endedAt: 2 };
  const error = { type: "malformed_request", code: "http_400", message: "no", retryable: false } as const;
  await cell.settleMany([
    { ...good, outcome: { ok: true, result: { id: 1 }, events: [], ...span } },
    { ...bad, outcome: { ok: false, error, ...span } },
  ]);
  await ask(event("answered"));
  await ask({ kind: "pause", reason: "look", ...from() });
  sent.mockRestore();
  return { name, stored: await rowsOf("own", name) };
}

async function storePooled(name: string) {
  const cell = stubOf("pooled", name) as unknown as Cell; // RPC stubs answer what the class declares
  const ended = startOf(name, "exe_b_p101", "pooled");
  await cell.start([{ command: ended, definition: JSON.stringify(definition) }]);
  for (const type of ["go", "end"])
    await cell.control([{ execution: "exe_b_p101", command: event(type) as never, dryRun: false }]);
  const action = { actionId: "call", type: "webhook", config: { url: "https://example.com" }, lane: "queue" } as const;
  const standalone = { action, dedup: { key: "k", windowMs: YEARS_MS } };
  const ref = { id: "$action", name: "$action", version: 1 };
  const alone = { ...startOf(name, FIRST, "pooled"), inputId: "begin", definition: ref, standalone };
  await cell.start([{ command: alone as StartCommand, definition: null }]);
  return { name, stored: await rowsOf("pooled", name) };
}

async function storeConnection(name: string) {
  const gate = stubOf("connection", name) as unknown as Gate; // RPC stubs answer what the class declares
  const spy = vi.spyOn(ConnectionWork.prototype, "renew");
  spy.mockResolvedValue({ ok: true, token: "sealed", refresh: "sealed too", expiresAt: Date.now() + YEARS_MS });
  await gate.token([{ key: "k", refused: null }]);
  spy.mockRestore();
  const expiresAt = Date.now() + YEARS_MS;
  await gate.acquire(
    terms,
    ["a", "x", "y"].map((key) => ({ key, expiresAt, promisedAt: null })),
  );
  const failed = ["x", "y"].map((lease) => ({ lease, outcome: "failed", retryAfterMs: null }) as const);
  await gate.release(terms, failed);
  // The object writes its token, its gate and the outage within a second.
  await until("its rows", async () => ((await rowsOf("connection", name)).rows?.rows.length === 3 ? true : null));
  return { name, stored: await rowsOf("connection", name) };
}

async function storeSigner(name: string) {
  const signer = stubOf("signer", name) as unknown as Signer; // RPC stubs answer what the class declares
  const fees = { maxFeePerGas: "10", maxPriorityFeePerGas: "1" };
  for (const [nonce, key] of ["a", "b", "c"].entries()) {
    await signer.reserve({ key, blockMs: 2_000, chainNonce: nonce === 0 ? 0 : null, gap: null });
    const signed = { raw: `raw ${key}`, hash: `0x${key}`, fees, gas: "21000", replaces: null };
    if (key !== "c") await signer.store({ key, nonce, ...signed });
  }
  const paid = { gasUsed: "21000", effectiveGasPrice: "5", feeWei: "105000", tokenId: "1" };
  await signer.confirm("a", { transactionHash: "0xa", blockNumber: 7, ...paid });
  return { name, stored: await rowsOf("signer", name) };
}

async function storeOperation(name: string) {
  const operation = stubOf("operation", name) as unknown as Operation; // RPC stubs answer what the class declares
  const [tenant = "", id = ""] = name.split("/");
  const list = vi.spyOn(OperationWork.prototype, "list").mockResolvedValue({ ids: ["d1", "d2"], cursor: "next" });
  const act = vi.spyOn(OperationWork.prototype, "act").mockImplementation(async (_terms, ids) => {
    return ids.map((each) => ({ id: each, kind: "unreached", error: "away" }) as const);
  });
  const asked: OperationRequest = {
    id,
    tenant,
    verb: "retry",
    filter: { type: "email" },
    perSecond: 2,
    reason: "it is back",
    actor,
    createdAt: Date.now(),
    matched: 2,
    fingerprint: "f",
  };
  await operation.open(asked);
  await until("the first slice", () => (act.mock.calls.length > 0 ? true : null));
  await until("what came of it", async () => ((await operation.read())?.trouble ? true : null));
  const stored = await rowsOf("operation", name);
  await operation.abort({ actor, reason: "enough", dryRun: false });
  list.mockRestore();
  act.mockRestore();
  return { name, stored };
}

async function storeSubject(name: string) {
  const subject = stubOf("subject", name) as unknown as Subject; // RPC stubs answer what the class declares
  const ask = { journey: "wedding", reentry: "once", found: [], isGone: false, dryRun: false } as const;
  await subject.enroll({ ...ask, execution: "exe_a" });
  const end = { status: "completed", at: Date.now() } as const;
  await subject.endEnrolment({ journey: "wedding", execution: "exe_a", incarnation: Date.now(), end });
  await subject.enroll({ ...ask, journey: "reminders", reentry: "after_finish", execution: "exe_b" });
  const slot = { cap: "gentle", max: 1, window: { kind: "rolling", ms: YEARS_MS } } as const;
  await subject.takeSlot({ ...slot, key: "exe_b/1.0" });
  return { name, stored: await rowsOf("subject", name) };
}

async function storeRecurring(name: string) {
  await fillRecurring(stubOf("recurring", name) as unknown as Recurring, tenantOf(name)); // RPC stubs answer what the class declares
  return { name, stored: await rowsOf("recurring", name) };
}

async function storeTrigger(name: string) {
  await fillTrigger(stubOf("trigger", name) as unknown as TriggerPort, tenantOf(name)); // RPC stubs answer what the class declares
  return { name, stored: await rowsOf("trigger", name) };
}

async function storeDirectory(name: string) {
  await fillDirectory(stubOf("directory", name) as unknown as Directory); // RPC stubs answer what the class declares
  return { name, stored: await rowsOf("directory", name) };
}

export function tenantOf(name: string): string {
  return name.split("/")[0] ?? "";
}

export async function rowsOf(kind: Kind, name: string): Promise<Stored> {
  return runInDurableObject(stubOf(kind, name), (_object: unknown, { storage }: DurableObjectState) => {
    const tables = storage.sql
      .exec<{ name: string; sql: string }>(
        "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL",
      )
      .toArray()
      .filter((each) => !each.name.startsWith("_cf_"));
    return Object.fromEntries(
      tables.map((table) => [
        table.name,
        { sql: table.sql, rows: storage.sql.exec(`SELECT * FROM ${table.name}`).toArray().map(plainRow) },
      ]),
    ) as Stored;
  });
}
