// What the action queue's consumer makes of items over which a cell broke: they come again, their neighbours do not wait.
import { expect, it } from "vitest";
import { consumeActions } from "#queue/actions.ts";
import type { ClaimItem, SettleItem, Settled } from "#schema/engine/cell.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { refuse, type Result } from "#schema/refusal.ts";
import type { Deps } from "#services/deps.ts";

const outcome: Outcome = { ok: true, result: null, events: [], startedAt: 0, endedAt: 0 };
const runs = ["1.0", "1.1", "1.2"];
const broken = refuse({ code: "internal_error", message: "a mistake of ours" });

function ticketOf({ execution, run, attempt }: ClaimItem): Ticket {
  const action = { action: "a", type: "webhook", config: {}, idempotencyKey: `${execution}/${run}` };
  return { tenant: "acme", execution, run, attempt, ...action, timeoutMs: 1_000, deadlineAt: 1_000 };
}

type Answers = {
  readonly claim?: (item: ClaimItem) => Result<Ticket>;
  readonly settle?: (item: SettleItem, tries: number) => Result<Settled>;
};

async function consume({ claim, settle }: Answers) {
  const seen = {
    ran: [] as string[],
    acknowledged: [] as string[],
    retried: [] as string[],
    settled: [] as string[][],
  };
  const cell = {
    claimMany: async (items: readonly ClaimItem[]) =>
      items.map((item) => claim?.(item) ?? { ok: true, value: ticketOf(item) }),
    settleMany: async (items: readonly SettleItem[]) => {
      const tries = seen.settled.push(items.map(({ run }) => run));
      return items.map((item) => settle?.(item, tries) ?? { ok: true, value: { next: null } });
    },
  };
  const messages = runs.map((run) => ({
    id: run,
    body: { v: 1, kind: "action", tenant: "acme", execution: "exe_1", run, attempt: 1, priority: 0 },
    attempts: 1,
    ack: () => seen.acknowledged.push(run),
    retry: () => seen.retried.push(run),
  }));
  const deps = { now: () => 0, cell: () => cell, log: () => {} } as unknown as Deps; // all that is asked for here
  await consumeActions({ queue: "q", messages } as unknown as MessageBatch, deps, async ({ run }) => {
    seen.ran.push(run);
    return outcome;
  });
  return seen;
}

it("a claim that broke comes again; its claimed neighbours are carried out", async () => {
  const seen = await consume({ claim: (item) => (item.run === "1.1" ? broken : { ok: true, value: ticketOf(item) }) });
  expect(seen).toMatchObject({ ran: ["1.0", "1.2"], acknowledged: ["1.0", "1.2"], retried: ["1.1"] });
});

it("a claim that is refused does not come again", async () => {
  const stale = refuse({ code: "run_stale", message: "somebody else has it" });
  const seen = await consume({ claim: (item) => (item.run === "1.1" ? stale : { ok: true, value: ticketOf(item) }) });
  expect(seen).toMatchObject({ acknowledged: expect.arrayContaining(["1.1"]), retried: [] });
});

it("a settlement that broke is sent again alone, and its neighbours keep their answers and their next runs", async () => {
  const seen = await consume({
    settle: ({ execution, run, attempt }, tries) => {
      if (run === "1.1" && tries === 1) return broken;
      const next = run === "1.0" ? ticketOf({ execution, run: "2.0", attempt }) : null;
      return { ok: true, value: { next } };
    },
  });
  expect(seen.settled.slice(0, 2)).toEqual([runs, ["1.1"]]);
  expect(seen.ran).toEqual([...runs, "2.0"]);
  expect(seen).toMatchObject({ acknowledged: expect.arrayContaining(runs), retried: [] });
});

it("a settlement that breaks every time leaves its message to come again, and no other", async () => {
  const seen = await consume({ settle: ({ run }) => (run === "1.1" ? broken : { ok: true, value: { next: null } }) });
  expect(seen).toMatchObject({ acknowledged: ["1.0", "1.2"], retried: ["1.1"] });
});
