// The action queue's consumer, with cells and runners made up.
import { expect, it } from "vitest";
import { consumeActions } from "#queue/actions.ts";
import type { SettleItem } from "#schema/engine/cell.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { Deps } from "#services/deps.ts";

const EXECUTION = "exe_1";
const outcome: Outcome = { ok: true, result: null, events: [], startedAt: 0, endedAt: 0 };

function ticketOf(run: string): Ticket {
  const execution = { tenant: "acme", execution: EXECUTION, run, attempt: 1 };
  const action = { action: "a", type: "webhook", config: {}, idempotencyKey: `${EXECUTION}/${run}` };
  return { ...execution, ...action, timeoutMs: 1_000, deadlineAt: 1_000 };
}

type World = {
  readonly ran: string[];
  readonly settled: SettleItem[];
  readonly acknowledged: string[];
  readonly lines: unknown[];
  readonly consume: (after: { readonly [run: string]: string | null }) => Promise<void>;
};

const body = { v: 1, kind: "action", tenant: "acme", execution: EXECUTION, run: "1.0", attempt: 1, priority: 0 };

/** One message for the run 1.0. `after` says which run each settlement brings; the clock moves `msARun` with each. */
function world(msARun: number, sent: unknown = body): World {
  const [ran, settled, acknowledged]: [string[], SettleItem[], string[]] = [[], [], []];
  let now = 0;
  const lines: World["lines"] = [];
  const message = { id: "m1", body: sent, attempts: 1, ack: () => acknowledged.push("m1"), retry: () => {} };
  const consume: World["consume"] = async (after) => {
    const cell = {
      claimMany: async () => [{ ok: true, value: ticketOf("1.0") }],
      settleMany: async (items: readonly SettleItem[]) => {
        settled.push(...items);
        const next = items[0]?.takesNext ? (after[items[0].run] ?? null) : null;
        return [{ ok: true, value: { next: next === null ? null : ticketOf(next) } }];
      },
    };
    const deps = { now: () => now, cell: () => cell, log: (line: unknown) => lines.push(line) } as unknown as Deps; // all that is asked for here
    await consumeActions({ queue: "q", messages: [message] } as unknown as MessageBatch, deps, async ({ run }) => {
      ran.push(run);
      now += msARun;
      return outcome;
    });
  };
  return { ran, settled, acknowledged, lines, consume };
}

it("the runs that settlements bring are carried out without messages of their own", async () => {
  const { ran, settled, acknowledged, consume } = world(1);
  await consume({ "1.0": "2.0", "2.0": "3.0", "3.0": null });
  expect(ran).toEqual(["1.0", "2.0", "3.0"]);
  expect(settled.map(({ run }) => run)).toEqual(["1.0", "2.0", "3.0"]);
  expect(acknowledged).toEqual(["m1"]);
});

it("a batch that has taken its time asks for no next run", async () => {
  const { ran, settled, acknowledged, consume } = world(2_000);
  await consume({ "1.0": "2.0" });
  expect(ran).toEqual(["1.0"]);
  expect(settled.map(({ takesNext }) => takesNext)).toEqual([false]);
  expect(acknowledged).toEqual(["m1"]);
});

it("a message without a kind is an action of the version before", async () => {
  const { kind: _kind, ...before } = body;
  const { ran, acknowledged, lines, consume } = world(1, before);
  await consume({ "1.0": null });
  expect(ran).toEqual(["1.0"]);
  expect(acknowledged).toEqual(["m1"]);
  expect(lines).toEqual([]);
});

it.each([
  ["of a kind nobody knows", { ...body, kind: "greeting" }],
  ["that lacks what its kind needs", { ...body, kind: "signal" }],
  ["that is no object", "1.0"],
])("a message %s is let go, loudly", async (_what, sent) => {
  const { ran, acknowledged, lines, consume } = world(1, sent);
  await consume({});
  expect(ran).toEqual([]);
  expect(acknowledged).toEqual(["m1"]);
  expect(lines).toMatchObject([{ event: "malformed_action_message", id: "m1" }]);
});
