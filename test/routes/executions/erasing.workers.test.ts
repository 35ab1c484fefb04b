// Erased executions: gone from object, lists and tasks, and late projections do not restore them.
import { beforeEach, describe, expect, test } from "vitest";
import { purgeErased } from "#catalog/projections/erased.ts";
import { findExecution } from "#catalog/executions.ts";
import { applyProjections } from "#catalog/projections/projections.ts";
import { insertTask } from "#catalog/tasks/tasks.ts";
import { executionRow, runRow } from "#objects/execution/projections/catalog-rows.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { ERASURE_KEPT_MS } from "#schema/limits/upkeep/retention.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";
import { api, must, shop, type Api } from "#test/support/api.ts";
import { NOW, projection } from "#test/support/catalog.ts";
import { deadLetter } from "#test/support/dead-letter.ts";

let made: Api;
let owner: Awaited<ReturnType<typeof shop>>;
beforeEach(async () => {
  made = api();
  owner = await shop(made);
});

const ask = (method: string, path: string, body?: object) =>
  made.ask(method, path, { key: owner.key, ...(body === undefined ? {} : { body }) });
const stateOf = (id: string): ExecutionState => {
  const state = made.cells.states().find((each) => each.id === id);
  if (state === undefined) throw new Error(`no ${id}`);
  return state;
};
const told = (state: ExecutionState) =>
  projection({ executions: [executionRow(state, NOW)], runs: state.runs.map((run) => runRow(state, run)) });

/** A canceled execution with a dead letter and a task, all of them in the lists. */
async function ended() {
  const { id: letter, execution } = await deadLetter(made, owner, { correlationId: "ada@example.com" });
  await must(200, ask("POST", `/v1/executions/${execution}/cancel`, {}));
  const state = stateOf(execution);
  await applyProjections(made.world.db, [told(state)]);
  const never = { priority: null, escalatedAt: null, escalatedFrom: null, closedAt: null, closedBy: null };
  const closing = { ...never, reason: null, delivery: null, result: null, closedByVerified: null };
  const task = { tenant: owner.tenant, id: `tsk_${execution.slice(4)}.1.0`, execution, run: "1.0", action: "ask" };
  await insertTask(made.world.db, {
    ...task,
    ...closing,
    incarnation: state.createdAt,
    status: "open",
    title: "Call Ada",
    assignee: null,
    dueAt: null,
    createdAt: NOW,
    updatedAt: NOW,
    body: { description: null, payload: null, form: null },
  });
  return { execution, letter, state };
}

async function whatIsLeft(execution: string) {
  const lists = await Promise.all(
    [`/v1/executions`, `/v1/tasks`, `/v1/dead-letters?execution=${execution}`].map((path) =>
      must(200, ask("GET", path)),
    ),
  );
  return lists.map(({ body }) => body.data.length);
}

describe("erasing", () => {
  test("deletes history, list entries, dead letters and tasks, and is audited", async () => {
    const { execution } = await ended();
    expect(await whatIsLeft(execution)).toEqual([1, 1, 1]);
    const { body } = await must(200, ask("DELETE", `/v1/executions/${execution}?reason=asked%20by%20Ada`));
    expect(body).toEqual({ id: execution, deadLetters: 1, dryRun: false });
    expect(await whatIsLeft(execution)).toEqual([0, 0, 0]);
    for (const path of ["", "/journal", "/runs"]) {
      const gone = await must(404, ask("GET", `/v1/executions/${execution}${path}`));
      expect(gone.body).toMatchObject({
        detail: expect.stringMatching(new RegExp(`^${execution} .*\\d{4}-\\d\\d-\\d\\dT`)),
        hint: expect.stringContaining("/v1/audit"),
      });
    }
    expect(made.cells.states().map(({ id }) => id)).not.toContain(execution);
  });

  test("is not undone by late projections, which are deleted with the tombstone", async () => {
    const { execution, state } = await ended();
    await must(200, ask("DELETE", `/v1/executions/${execution}`));
    await applyProjections(made.world.db, [told(state)]);
    await must(404, ask("GET", `/v1/executions/${execution}`));
    const row = await findExecution(made.world.db, owner.tenant, execution, null);
    expect(row).toMatchObject({ correlationId: null, error: null, reason: null, states: [] });
    expect(await purgeErased(made.world.db, NOW + ERASURE_KEPT_MS - 1, 100)).toBe(0);
    expect(await purgeErased(made.world.db, NOW + 2 * ERASURE_KEPT_MS, 100)).toBeGreaterThan(1);
    expect(await findExecution(made.world.db, owner.tenant, execution, null)).toBeNull();
    expect(await whatIsLeft(execution)).toEqual([0, 0, 0]);
  });

  test("a dry run changes nothing", async () => {
    const { execution } = await ended();
    const { body } = await must(200, ask("DELETE", `/v1/executions/${execution}?dryRun=true`));
    expect(body).toEqual({ id: execution, deadLetters: 1, dryRun: true });
    expect(await whatIsLeft(execution)).toEqual([1, 1, 1]);
    await must(200, ask("GET", `/v1/executions/${execution}`));
  });

  test("of a live execution is refused with a hint", async () => {
    const started = await must(201, ask("POST", "/v1/executions", { definition: "order" }));
    const refused = await must(409, ask("DELETE", `/v1/executions/${started.body.execution.id}`));
    expect(refused.body).toMatchObject({ code: "execution_live", hint: expect.any(String) });
  });

  test("of an execution without object deletes its catalog rows; a repeat changes nothing", async () => {
    const { execution, state } = await ended();
    made.cells.remove(cellName(owner.tenant, execution), execution);
    await must(200, ask("GET", `/v1/executions/${execution}`));
    const { body } = await must(200, ask("DELETE", `/v1/executions/${execution}`));
    expect(body).toEqual({ id: execution, deadLetters: null, dryRun: false });
    await must(200, ask("DELETE", `/v1/executions/${execution}`));
    expect(await whatIsLeft(execution)).toEqual([0, 0, 0]);
    const audit = await must(200, ask("GET", `/v1/audit?target=${state.id}&verb=execution.erase`));
    expect(audit.body.data).toHaveLength(1);
  });

  test("is repeatable after the catalog did not answer", async () => {
    const { execution } = await ended();
    const { $client } = made.world.db;
    const batch = $client.batch.bind($client);
    $client.batch = async () => {
      throw new Error("D1_ERROR: the network is down");
    };
    const refused = await ask("DELETE", `/v1/executions/${execution}`);
    expect([refused.status, refused.body.retryable]).toEqual([503, true]);
    $client.batch = batch;
    await must(200, ask("DELETE", `/v1/executions/${execution}`));
    expect(await whatIsLeft(execution)).toEqual([0, 0, 0]);
  });

  test("of an unknown execution is 404", async () => {
    await must(404, ask("DELETE", "/v1/executions/exe_never"));
  });
});
