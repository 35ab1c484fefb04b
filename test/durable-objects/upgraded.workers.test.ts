// An upgrade in the midst of work, and a rollback: what the previous release has written is gone on with under load and
// written anew where it moves; what is written anew that release refuses to read, and nothing of it is lost.
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import type { Cell } from "#schema/engine/cell.ts";
import type { StartCommand } from "#schema/engine/input.ts";
import { stubOf, type Table } from "./every-kind.ts";
import { headAsBefore, identityAsBefore } from "./previous-reader.ts";
import { previous, restoredAs } from "./restored.ts";

const CROWD = 40;
const actor = { kind: "key", id: "key_1" } as const;
const table: Table = previous.own.stored.rows ?? { sql: "", rows: [] };
const [, tenant = ""] = /^([^/]+)/.exec(previous.own.name) ?? [];
const executions = Array.from({ length: CROWD }, (_, n) => `exe_l${n}_p7`);

/** A pool's cell of that release: its one execution with all that can be in it, many times over. */
async function crowded(pool: number): Promise<{ cell: Cell; name: string }> {
  const name = `${tenant}/pool/${pool}`;
  const isOf = (row: Table["rows"][number]): boolean => row.execution === "exe_a";
  const rows = [
    ...table.rows.filter((row) => !isOf(row)),
    ...executions.flatMap((execution) =>
      table.rows.filter(isOf).map((row) => ({
        ...row,
        execution,
        // It is the callers who come, and not its time.
        wake_at: null,
        body: String(row.body)
          .replaceAll('"exe_a"', `"${execution}"`)
          .replace('"placement":"own"', '"placement":"pooled"'),
      })),
    ),
  ];
  return { cell: await restoredAs<Cell>("pooled", name, { rows: { ...table, rows } }), name };
}

async function bodies(name: string, page = 0): Promise<ReadonlyMap<string, unknown>> {
  return runInDurableObject(stubOf("pooled", name), (_object: unknown, { storage }: DurableObjectState) => {
    const rows = storage.sql.exec("SELECT execution, body FROM rows WHERE page = ? AND turn > 0", page).toArray();
    return new Map(rows.map(({ execution, body }) => [String(execution), body]));
  });
}

const event = (type: string) => ({ id: type, type, payload: null, source: "test", correlationId: null }) as const;

function ask(cell: Cell, execution: string, verb: "resume" | "end") {
  const asked = { fingerprint: "f", actor, inputId: verb };
  const command =
    verb === "resume"
      ? ({ kind: "resume", reason: null, ...asked } as const)
      : ({ kind: "event", event: event("end"), ...asked } as const);
  return cell.control([{ execution, command, dryRun: false }]);
}

describe("rows of the previous release, under load", () => {
  test("go on, all at once and each by itself; what moves is packed, and what rests is not touched", async () => {
    const { cell, name } = await crowded(7);
    const before = await bodies(name);
    const moved = executions.slice(0, CROWD / 2);
    const fresh = Array.from({ length: 10 }, (_, n) => startOf(`exe_n${n}_p7`));
    const [resumed, started] = await Promise.all([
      Promise.all(moved.map((execution) => ask(cell, execution, "resume"))),
      cell.start(fresh.map((command) => ({ command, definition: null }))),
      Promise.all(executions.map((execution) => cell.read(execution))),
    ]);
    expect([...resumed.flat(), ...started].filter(({ ok }) => !ok)).toEqual([]);
    const ended = await Promise.all(moved.map((execution) => ask(cell, execution, "end")));
    expect(ended.flat().filter((answer) => !answer.ok || !answer.value.state.position.done)).toEqual([]);

    await evict(stubOf("pooled", name));
    const after = await bodies(name);
    for (const execution of [...moved, ...fresh.map((command) => command.execution)])
      expect(after.get(execution)).toBeInstanceOf(ArrayBuffer);
    for (const execution of executions.slice(CROWD / 2)) expect(after.get(execution)).toBe(before.get(execution));
    // Whatever form they have by now, everything that was asked is known again, and what ran is not forgotten.
    for (const execution of moved) {
      expect(await ask(cell, execution, "end")).toMatchObject([{ value: { repeated: true } }]);
      const { entries } = await history(cell, execution);
      expect(entries.map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(["started", "run_ok", "run_failed", "paused", "resumed", "completed"]),
      );
    }
    expect(await cell.start([{ command: startOf("exe_n3_p7"), definition: null }])).toMatchObject([
      { value: { repeated: true } },
    ]);
  });
});

describe("rows of today, after a rollback to the previous release", () => {
  test("are refused by its reader as what it cannot read; those that have not moved since the upgrade are not", async () => {
    const { cell, name } = await crowded(6);
    const [moved = "", rested = ""] = executions;
    await ask(cell, moved, "resume");
    const stored = await bodies(name);
    const packed = stored.get(moved) as string; // as that code takes every body to be
    expect(() => headAsBefore(packed)).toThrow("are no JSON");
    expect(identityAsBefore(packed)).toBeNull();
    expect(headAsBefore(String(stored.get(rested))).state).toMatchObject({ id: rested, status: "paused" });
  });

  test("stand beside the mark that it sets, and go on from where they were once newer code is back", async () => {
    const { cell, name } = await crowded(5);
    const [moved = "", rested = ""] = executions;
    await ask(cell, moved, "resume");
    const was = (await bodies(name)).get(moved);
    const mark = { kind: "unreadable", reason: "no JSON", since: 1, looks: 1, lookAt: 2 };
    // What that release does with what it cannot read: a row beside it. What it can read it goes on with, as text.
    await runInDurableObject(stubOf("pooled", name), (_object: unknown, { storage }: DurableObjectState) => {
      const put = "INSERT INTO rows (execution, page, wake_at, turn, sent, body) VALUES (?, -1, 2, 0, 0, ?)";
      storage.sql.exec(put, moved, JSON.stringify(mark));
      const [row] = storage.sql.exec("SELECT body FROM rows WHERE execution = ? AND page = 0", rested).toArray();
      const head = headAsBefore(String(row?.body));
      const written = { ...head, state: { ...head.state, variables: { n: 61 } } };
      storage.sql.exec("UPDATE rows SET body = ? WHERE execution = ? AND page = 0", JSON.stringify(written), rested);
    });
    await evict(stubOf("pooled", name));
    expect((await bodies(name)).get(moved)).toEqual(was);
    expect(await cell.poke([moved])).toMatchObject([{ ok: true }]);
    expect(await ask(cell, moved, "resume")).toMatchObject([{ value: { repeated: true } }]);
    expect(await ask(cell, moved, "end")).toMatchObject([{ value: { state: { status: "completed" } } }]);
    expect(await cell.read(rested)).toMatchObject({ value: { variables: { n: 61 } } });
    expect([...(await bodies(name, -1)).keys()]).toEqual([]);
  });
});

function startOf(execution: string): StartCommand {
  const { definition } = headAsBefore(
    String(table.rows.find((row) => row.page === 0 && row.execution === "exe_a")?.body),
  ).state;
  return {
    ...{ kind: "start", execution, tenant, namespace: "default", placement: "pooled", correlationId: null, definition },
    ...{ inputId: `key-${execution}`, fingerprint: "f", actor, variables: {} },
  };
}

async function history(cell: Cell, execution: string) {
  const answer = await cell.journal({ execution, after: null, limit: 200 });
  if (!answer.ok) throw new Error(answer.refusal.message);
  return answer.value;
}
