// Tests that this version reads and continues the rows of the previous release. Also tests that this version's rows
// have everything that the previous release reads, so that a rollback by one version works.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { TriggerWork } from "#entrypoints/trigger-work.ts";
import type { Directory } from "#schema/directory/calls.ts";
import type { Cell } from "#schema/engine/cell.ts";
import type { Gate } from "#schema/gate.ts";
import type { Operation } from "#schema/operation.ts";
import type { TriggerPort } from "#schema/inbound/delivery.ts";
import type { Recurring } from "#schema/recurring/calls.ts";
import type { Signer } from "#schema/signer.ts";
import type { Subject } from "#schema/subject/calls.ts";
import { arrivalOf, askOf, FAR, pending, posted, triggerTerms } from "./calendar-kinds.ts";
import {
  DIGEST,
  FIRST,
  kinds,
  type Stored,
  type StoredObjects,
  storeEveryKind,
  tenantOf,
  terms,
  YEARS_MS,
} from "./every-kind.ts";
import { previous, restored } from "./restored.ts";

let today: StoredObjects;
const { RECORD_STATEMENTS: to } = env as unknown as { RECORD_STATEMENTS: string }; // vitest.config.ts provides this binding

beforeAll(async () => {
  today = await storeEveryKind(`today-${crypto.randomUUID()}`);
});

test.runIf(to !== "")("what is stored today is recorded", async () => {
  const told = await fetch(to, { method: "POST", body: JSON.stringify(today) });
  expect(told.ok).toBe(true);
});

describe.skipIf(to !== "")("rows of the previous release", () => {
  const actor = { kind: "key", id: "key_1" } as const;

  test("an execution keeps its state and history, and runs to its end", async () => {
    const cell = await restored<Cell>("own");
    const execution = "exe_a";
    expect(await cell.read(execution)).toMatchObject({
      value: {
        status: "paused",
        variables: { n: 60, who: "Ada" },
        position: { states: ["busy"] },
        runs: [{ status: "ok" }, { status: "failed", deadLetter: true }, { status: "running" }],
        timers: [{ at: Date.UTC(2400, 0, 2) }],
        buffer: [{ message: { type: "answered" } }],
      },
    });
    const journal = await cell.journal({ execution, after: null, limit: 200 });
    expect(journal).toMatchObject({ ok: true });
    const ask = (command: object) =>
      cell.control([{ execution, command: { fingerprint: "f", actor, ...command } as never, dryRun: false }]);
    expect(await ask({ kind: "resume", reason: null, inputId: "r" })).toMatchObject([{ ok: true }]);
    const event = { id: "e", type: "end", payload: null, source: "test", correlationId: null };
    expect(await ask({ kind: "event", event, inputId: "e" })).toMatchObject([
      { value: { state: { position: { states: ["done"], done: true } } } },
    ]);
    expect(await ask({ kind: "event", event, inputId: "e" })).toMatchObject([{ value: { repeated: true } }]);
  });

  test("a pool cell finds ended executions, and actions by their dedup key", async () => {
    const cell = await restored<Cell>("pooled");
    expect(await cell.read("exe_b_p101")).toMatchObject({ value: { status: "completed" } });
    const known = await cell.read(FIRST);
    if (!known.ok) throw new Error("it is not there");
    const { tenant, namespace, definition, standalone } = known.value;
    const again = {
      kind: "start",
      inputId: "other",
      fingerprint: "f",
      execution: `exe_d${DIGEST}01M7R98P2K_p101`,
      actor,
    } as const;
    const command = {
      ...again,
      tenant,
      namespace,
      definition,
      placement: "pooled",
      variables: {},
      correlationId: null,
    } as const;
    const [answer] = await cell.start([
      { command: { ...command, ...(standalone ? { standalone } : {}) }, definition: null },
    ]);
    expect(answer).toMatchObject({ value: { repeated: true, state: { id: FIRST } } });
  });

  test("a connection keeps its token, its breaker and its leases", async () => {
    const gate = await restored<Gate>("connection");
    expect(await gate.token([{ key: "k", refused: null }])).toMatchObject([{ ok: true, token: "sealed" }]);
    expect((await gate.read(terms)).token).not.toBeNull();
    expect(await gate.acquire(terms, [{ key: "z", expiresAt: Date.now() + YEARS_MS, promisedAt: null }])).toHaveLength(
      1,
    );
  });

  test("a signer keeps signed and confirmed transactions, and the next nonce", async () => {
    const signer = await restored<Signer>("signer");
    expect(await signer.find({ key: "a", blockMs: 2_000 })).toMatchObject({
      kind: "confirmed",
      receipt: { blockNumber: 7 },
    });
    expect(await signer.find({ key: "b", blockMs: 2_000 })).toMatchObject({ kind: "signed", tx: { raw: "raw b" } });
    // The nonce of an old reservation that was never used is assigned again.
    const reserved = await signer.reserve({ key: "d", blockMs: 2_000, chainNonce: null, gap: null });
    expect([2, 3]).toContain(reserved.kind === "reserved" ? reserved.nonce : reserved.kind);
  });

  test("an operation keeps its progress, and can be aborted", async () => {
    const operation = await restored<Operation>("operation");
    expect(await operation.read()).toMatchObject({
      verb: "retry",
      status: "running",
      matched: 2,
      filter: { type: "email" },
    });
    expect(await operation.abort({ actor, reason: "enough", dryRun: false })).toMatchObject({ ok: true });
  });

  test("a subject keeps its journeys and the slots taken of its caps", async () => {
    const subject = await restored<Subject>("subject");
    const ask = { reentry: "once", found: [], isGone: false, dryRun: false } as const;
    expect(await subject.enroll({ ...ask, journey: "wedding", execution: "exe_c" })).toMatchObject({
      kind: "enrolled",
      by: { execution: "exe_a", ended: { status: "completed" } },
    });
    const again = { ...ask, journey: "reminders", reentry: "after_finish", execution: "exe_c" } as const;
    expect(await subject.enroll(again)).toMatchObject({ kind: "doubt", of: { execution: "exe_b" } });
    const window = { kind: "rolling", ms: YEARS_MS } as const;
    expect(await subject.takeSlot({ cap: "gentle", max: 1, window, key: "exe_c/1.0" })).toMatchObject({ ok: false });
  });

  test("a recurring action keeps its next occurrence, its past ones and its receipts", async () => {
    const recurring = await restored<Recurring>("recurring");
    expect(await recurring.read()).toMatchObject({ status: "active", next: { nominal: FAR }, count: 0 });
    expect(await recurring.history(9, null)).toMatchObject({ data: [{ outcome: "dispatched", reason: "triggered" }] });
    const tenant = tenantOf(previous.recurring.name);
    const again = await recurring.control(askOf(tenant, { verb: "trigger" }, "t1"));
    expect(again).toMatchObject({ value: { repeated: true, occurrence: { execution: "exe_1" } } });
    expect(await recurring.control(askOf(tenant, { verb: "skip", nominal: null }, "s1"))).toMatchObject({ ok: true });
  });

  test("a trigger recognizes its deliveries, and a poller keeps its cursor", async () => {
    const trigger = await restored<TriggerPort>("trigger");
    const tenant = tenantOf(previous.trigger.name);
    const away = vi.spyOn(TriggerWork.prototype, "deliver").mockRejectedValue(new Error("away"));
    expect(await trigger.view()).toMatchObject({
      pending: 1,
      stuck: 1,
      poller: { backlog: 2, seen: 2, cursor: "next" },
    });
    expect(await trigger.receiveDeliveries(triggerTerms(tenant), [arrivalOf("d1", pending)])).toMatchObject({
      value: [{ id: "trd_1", status: "pending", duplicate: true }],
    });
    expect(await trigger.read("trd_2")).toMatchObject({ status: "unmappable", request: { body: { n: 1 } } });
    away.mockRestore();
  });

  test("a directory keeps its registrations and its waiting events", async () => {
    const directory = await restored<Directory>("directory");
    expect(await directory.post([posted], false)).toMatchObject([
      { value: { repeated: true, row: { status: "kept" } } },
    ]);
    await directory.registerKeys([{ execution: "exe_1", incarnation: 1, key: "late", since: 2 }]);
    const found = await directory.post([{ ...posted, id: "evt_2", key: "o-1" }], true);
    expect(found).toMatchObject([{ value: { row: { recipients: [{ execution: "exe_1" }] } } }]);
  });
});

describe.skipIf(to !== "")("rows of today, for the previous release", () => {
  test.each(kinds)("%s: the recorded rows have the current tables and columns", (kind) => {
    for (const [table, { sql }] of Object.entries(previous[kind].stored))
      expect(today[kind].stored[table]?.sql).toBe(sql);
    const now = shapeOf(today[kind].stored);
    const missing = [...shapeOf(previous[kind].stored)].filter(([path, types]) => {
      const found = now.get(path);
      return !found || ![...types].every((type) => type === "null" || found.has(type));
    });
    expect(missing.map(([path]) => path)).toEqual([]);
  });
});

/** Returns every path in the JSON of the rows, with the types found there. All items of a list share one path. */
function shapeOf(stored: Stored): Map<string, Set<string>> {
  const shape = new Map<string, Set<string>>();
  const walk = (path: string, value: unknown): void => {
    const type = value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
    shape.set(path, (shape.get(path) ?? new Set()).add(type));
    if (Array.isArray(value)) for (const item of value) walk(`${path}[]`, item);
    else if (typeof value === "object" && value !== null)
      for (const [key, item] of Object.entries(value)) walk(`${path}.${key}`, item);
  };
  for (const [table, { rows }] of Object.entries(stored)) for (const row of rows) walk(table, parsed(row));
  return shape;
}

/** Parses the columns that are JSON. */
function parsed(row: { readonly [column: string]: unknown }): unknown {
  const columns = Object.entries(row).map(([column, value]) => {
    const isJson = typeof value === "string" && /^[[{]/.test(value);
    return [column, isJson ? JSON.parse(value) : value];
  });
  return Object.fromEntries(columns);
}
