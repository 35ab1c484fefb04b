// The consumers of projections: acknowledged when written, tried again later when not, and let go when malformed.
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { expect, it } from "vitest";
import { alertChannelRows } from "#catalog/alert-channels.ts";
import { insertNamed } from "#catalog/named.ts";
import { listAudit } from "#catalog/audit.ts";
import { countDeadLetters } from "#catalog/dead-letters.ts";
import { openDb } from "#catalog/db.ts";
import { findExecution } from "#catalog/executions.ts";
import { consumeDeadProjections } from "#queue/projections-dead.ts";
import { consumeProjections, retryDelaySeconds } from "#queue/projections.ts";
import { configFindings } from "#runners/draft.ts";
import { actionTypes } from "#runners/registry.ts";
import { alertChannel } from "#schema/alert.ts";
import type { Deps } from "#services/deps.ts";
import {
  absentCell,
  auditRow,
  brokenBinding,
  executionRow,
  newTenant,
  NOW,
  projection,
  runRow,
  world,
} from "#test/support/catalog.ts";

type Consumer = (batch: MessageBatch, deps: Deps) => Promise<void>;

async function consume(consumer: Consumer, deps: Deps, bodies: readonly unknown[], attempts = 1) {
  const messages = bodies.map((body, n) => ({ id: `m${n}`, timestamp: new Date(NOW), attempts, body }));
  const batch = createMessageBatch("projections", messages);
  await consumer(batch, deps);
  const { explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext());
  return { acked: explicitAcks, retried: retryMessages };
}

it("what was written is acknowledged", async () => {
  const deps = world();
  const tenant = newTenant();
  const bodies = ["exe_1", "exe_2"].map((id) => projection({ executions: [executionRow({ tenant, id })] }));
  expect(await consume(consumeProjections, deps, bodies)).toEqual({ acked: ["m0", "m1"], retried: [] });
  expect(await findExecution(deps.db, tenant, "exe_2", null)).not.toBeNull();
});

it("with D1 down everything is tried again, after growing waits", async () => {
  const deps = world({ db: openDb(brokenBinding) });
  const body = projection({ executions: [executionRow({ tenant: newTenant() })] });
  expect(await consume(consumeProjections, deps, [body])).toMatchObject({ acked: [], retried: [{ msgId: "m0" }] });
  expect([1, 2, 3, 4, 8, 50].map(retryDelaySeconds)).toEqual([5, 10, 20, 40, 600, 600]);
});

it("a malformed message is let go loudly and does not hold up the others", async () => {
  const deps = world();
  const tenant = newTenant();
  const good = projection({ executions: [executionRow({ tenant })] });
  const { acked, retried } = await consume(consumeProjections, deps, [{ v: 2 }, good, "rubbish"]);
  expect([acked.toSorted(), retried]).toEqual([["m0", "m1", "m2"], []]);
  expect(deps.lines).toMatchObject([
    { level: "error", id: "m0" },
    { level: "error", id: "m2" },
  ]);
});

it("a message that D1 never takes goes alone in the end, and the others are written", async () => {
  const deps = world();
  const tenant = newTenant();
  const poison = projection({ executions: [executionRow({ tenant, id: "exe_bad", updatedAt: 0.5 })] });
  const good = projection({ executions: [executionRow({ tenant })] });
  expect(await consume(consumeProjections, deps, [poison, good], 3)).toMatchObject({ acked: [] });
  const { acked, retried } = await consume(consumeProjections, deps, [poison, good], 4);
  expect([acked, retried.map(({ msgId }) => msgId)]).toEqual([["m1"], ["m0"]]);
});

it("dead projections are told again by their cells, and their audit rows are written", async () => {
  const asked: Record<string, readonly string[]> = {};
  const tenant = newTenant();
  const deps = world({
    cell: (name) => ({
      ...absentCell,
      reproject: async (ids) => {
        if (name.endsWith("exe_broken")) throw new Error("overloaded");
        asked[name] = ids;
      },
    }),
  });
  const audit = auditRow({ tenant });
  const bodies = [
    projection({ executions: [executionRow({ tenant })], audit: [audit] }),
    projection({ executions: [executionRow({ tenant, id: "exe_broken" })] }),
    projection({ runs: [runRow({ tenant, execution: "exe_a_p1" }), runRow({ tenant, execution: "exe_b_p1" })] }),
    { v: 9 },
  ];
  const { acked, retried } = await consume(consumeDeadProjections, deps, bodies);
  expect([acked.toSorted(), retried.map(({ msgId }) => msgId)]).toEqual([["m0", "m2", "m3"], ["m1"]]);
  expect(asked).toEqual({ [`${tenant}/exe_1`]: ["exe_1"], [`${tenant}/pool/1`]: ["exe_a_p1", "exe_b_p1"] });
  expect(await listAudit(deps.db, tenant, {}, null, 9)).toMatchObject({ value: { data: [audit] } });
});

it("dead audit rows wait for D1, dead rows of executions do not", async () => {
  const tenant = newTenant();
  const deps = world({ db: openDb(brokenBinding), cell: () => ({ ...absentCell, reproject: async () => {} }) });
  const audit = auditRow({ tenant });
  const bodies = [projection({ audit: [audit] }), projection({ executions: [executionRow({ tenant })] })];
  const { acked, retried } = await consume(consumeDeadProjections, deps, bodies);
  expect([acked, retried.map(({ msgId }) => msgId)]).toEqual([["m1"], ["m0"]]);
});

it("what cannot be told to alert channels brings its message back three times; the rows are written at once", async () => {
  const deps = world({ actionTypes, configFindings, cell: () => ({ ...absentCell, start: refuseToStart }) });
  const tenant = newTenant();
  const channel = { kind: "webhook", config: { url: "https://ops.example.com" } };
  const { name, enabled, ...settings } = alertChannel.parse({ name: "ops", channel });
  const row = { tenant, id: `alc_${tenant}`, createdAt: NOW, updatedAt: NOW, deletedAt: null };
  await insertNamed(deps.db, alertChannelRows, { ...row, name, enabled, settings }, auditRow({ tenant }));
  const dead = runRow({ tenant, status: "failed", deadLetter: true, priority: 99 });
  const bodies = [projection({ runs: [dead] }), projection({ executions: [executionRow({ tenant })] })];
  for (const attempts of [1, 2, 3]) {
    const { acked, retried } = await consume(consumeProjections, deps, bodies, attempts);
    expect([acked, retried.map(({ msgId }) => msgId)]).toEqual([["m1"], ["m0"]]);
    expect(await countDeadLetters(deps.db, tenant, {})).toBe(1);
  }
  expect((await consume(consumeProjections, deps, bodies, 4)).acked.toSorted()).toEqual(["m0", "m1"]);
  expect(deps.lines.filter(({ event }) => event === "alerts_given_up")).toMatchObject([
    { level: "error", failures: [{ tenant, severity: "critical" }] },
  ]);
});

async function refuseToStart(): Promise<never> {
  throw Object.assign(new Error("moved"), { retryable: true });
}
