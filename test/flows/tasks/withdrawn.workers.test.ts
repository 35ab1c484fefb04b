// Tasks that nobody needs any more, through the real Worker: withdrawn with what asked for them, whatever is lost, doubled
// or down on the way, and never both completed and withdrawn.
import { expect, test } from "vitest";
import { openDb } from "#catalog/db.ts";
import { taskId } from "#schema/ids.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import { createTask } from "#services/tasks/create-task.ts";
import { bindings, engine, until, type Engine } from "../engine.ts";
import { deliver, replace } from "../queues.ts";

const rounds = (action: object = {}, more: object = {}) => ({
  kind: "machine",
  name: "rounds",
  initial: "asking",
  states: {
    asking: { on: { task_completed: "done", again: { target: "asking", reenter: true }, leave: "resting" } },
    resting: { on: { finish: "done", task_completed: "done" } },
    done: { type: "final" },
  },
  actions: [{ actionId: "ask", type: "task", triggerState: "asking", config: { title: "Approve" }, ...action }],
  ...more,
});

const taskOf = (here: Engine, execution: string, status: string) =>
  until(`a task of ${execution} is ${status}`, async () => {
    const { data } = await here.must(200, "GET", `/v1/tasks?execution=${execution}&status=${status}`);
    return data[0] ?? null;
  });
const read = (here: Engine, id: string) => here.must(200, "GET", `/v1/tasks/${id}`);
const send = (here: Engine, execution: string, type: string) =>
  here.must(200, "POST", `/v1/executions/${execution}/events`, { body: { type } });
const cancel = (here: Engine, execution: string) => here.must(200, "POST", `/v1/executions/${execution}/cancel`);
const kinds = async (here: Engine, execution: string, kind: string) =>
  (await here.journal(execution)).filter((entry) => entry.kind === kind);

type Body = { readonly kind: string; readonly execution: string };

/** Messages of this kind go nowhere but here; all others go their way. */
function hold(wanted: string): Body[] {
  const held: Body[] = [];
  replace(bindings.ACTIONS, "sendBatch", (real, batch) => {
    const messages = [...(batch as Iterable<{ readonly body: Body }>)];
    held.push(...messages.map(({ body }) => body).filter(({ kind }) => kind === wanted));
    const others = messages.filter(({ body }) => body.kind !== wanted);
    return others.length === 0 ? Promise.resolve() : real(others);
  });
  return held;
}

test.each(["own", "pooled"])(
  "one whose execution (%s) is canceled says so everywhere, and completing it is refused with what happened",
  async (placement) => {
    const here = await engine(rounds({}, { placement }));
    const execution = await here.start("rounds");
    const open = await taskOf(here, execution, "open");
    await cancel(here, execution);
    expect(await taskOf(here, execution, "withdrawn")).toMatchObject({
      id: open.id,
      reason: "execution_canceled",
      closedBy: `engine:${execution}`,
      delivery: { status: "delivered", code: null },
    });
    const refused = await here.must(409, "POST", `/v1/tasks/${open.id}/complete`, { body: { result: 1 } });
    expect(refused).toMatchObject({
      code: "task_closed",
      details: { status: "withdrawn", reason: "execution_canceled" },
    });
    const audit = await here.must(200, "GET", `/v1/audit?target=${open.id}`);
    expect(audit.data).toMatchObject([{ verb: "task.withdraw", reason: "execution_canceled" }]);
    expect(await kinds(here, execution, "task_withdrawn")).toMatchObject([
      { run: open.run, action: "ask", reason: "execution_canceled" },
    ]);
    await until("it has heard of that", async () => (await kinds(here, execution, "task_updated"))[0] ?? null);
  },
);

test("one whose state is left is withdrawn, and the one that the state asks for again is another", async () => {
  const here = await engine(rounds());
  const execution = await here.start("rounds");
  const first = await taskOf(here, execution, "open");
  await send(here, execution, "again");
  expect(await taskOf(here, execution, "withdrawn")).toMatchObject({ id: first.id, reason: "state_left" });
  const second = await taskOf(here, execution, "open");
  await here.must(409, "POST", `/v1/tasks/${first.id}/complete`, { body: {} });
  await here.must(200, "POST", `/v1/tasks/${second.id}/complete`, { body: {} });
  await here.reaches(execution, "completed");
  expect((await read(here, second.id)).status).toBe("completed");
});

test("one that outlives its state is withdrawn with its execution only", async () => {
  const here = await engine(rounds({ cancelOnExit: false }));
  const execution = await here.start("rounds");
  const { id } = await taskOf(here, execution, "open");
  await send(here, execution, "leave");
  expect((await read(here, id)).status).toBe("open");
  await send(here, execution, "finish");
  expect(await taskOf(here, execution, "withdrawn")).toMatchObject({ id, reason: "execution_completed" });
});

test("the errand may be lost and doubled: it stays owed until it is done, and is done once", async () => {
  const here = await engine(rounds());
  const execution = await here.start("rounds");
  const { id } = await taskOf(here, execution, "open");
  const held = hold("outbox");
  await cancel(here, execution);
  const message = await until("the errand goes out", () => held.find((each) => each.execution === execution) ?? null);
  const owing = await here.cell(execution).read(execution);
  expect(owing).toMatchObject({
    ok: true,
    value: { tasks: [{ run: "1.0" }], outbox: [{ key: "withdraw/1.0", tries: 1 }] },
  });
  expect((await read(here, id)).status).toBe("open");
  // A person is told all the same, for their execution is asked first.
  await here.must(409, "POST", `/v1/tasks/${id}/complete?dryRun=true`, { body: {} });
  const { explicitAcks } = await deliver("actions", [message, message]);
  expect(explicitAcks).toHaveLength(2);
  expect(await read(here, id)).toMatchObject({ status: "withdrawn", reason: "execution_canceled" });
  expect(await kinds(here, execution, "task_updated")).toHaveLength(1);
  const done = await here.cell(execution).read(execution);
  expect(done).toMatchObject({ ok: true, value: { tasks: [], outbox: [] } });
  expect((await here.must(200, "GET", `/v1/audit?target=${id}`)).data).toHaveLength(1);
});

test("while the catalog is down the execution goes on, and the errand comes again", async () => {
  const here = await engine(rounds());
  const execution = await here.start("rounds");
  const { id } = await taskOf(here, execution, "open");
  const held = hold("outbox");
  await cancel(here, execution);
  const message = await until("the errand goes out", () => held.find((each) => each.execution === execution) ?? null);
  const down = replace(bindings.DB, "batch", () => Promise.reject(new Error("D1_ERROR: Network connection lost.")));
  const { retryMessages } = await deliver("actions", [message]);
  expect(retryMessages).toHaveLength(1);
  down();
  expect((await here.read(execution)).status).toBe("canceled");
  expect((await read(here, id)).status).toBe("open");
  await deliver("actions", [message], 2);
  expect((await read(here, id)).status).toBe("withdrawn");
});

test("one that its run makes after its execution has been canceled is withdrawn as well", async () => {
  const here = await engine(rounds({ lane: "queue" }));
  const held = hold("action");
  const execution = await here.start("rounds");
  await until("the action goes out", () => held.find((each) => each.execution === execution) ?? null);
  const attempt = { execution, run: "1.0", attempt: 1 };
  const [claimed] = await here.cell(execution).claimMany([attempt]);
  if (!claimed?.ok) throw new Error("it is there to be claimed");
  await cancel(here, execution);
  const made = await createTask(depsHere(), claimed.value, plain);
  if (!made.ok) throw new Error("it can be written");
  expect((await read(here, taskId(execution, "1.0"))).status).toBe("open");
  const tasks = [made.task.touched];
  const outcome: Outcome = { ok: true, result: null, events: [], tasks, startedAt: 0, endedAt: 0 };
  await here.cell(execution).settleMany([{ ...attempt, outcome }]);
  expect(await taskOf(here, execution, "withdrawn")).toMatchObject({ reason: "execution_canceled" });
});

test("one that is completed as its execution is canceled is one or the other, on both sides", async () => {
  const here = await engine(rounds());
  for (let n = 0; n < 12; n++) {
    const execution = await here.start("rounds");
    const { id, run } = await taskOf(here, execution, "open");
    const completing = here.ask("POST", `/v1/tasks/${id}/complete`, { body: { result: n } });
    // Sooner and later, so that either may win.
    if (n % 3 > 0) await scheduler.wait(n);
    const canceling = here.ask("POST", `/v1/executions/${execution}/cancel`);
    const [completed] = await Promise.all([completing, canceling]);
    const ended = await until("it is settled", async () => {
      const state = await here.cell(execution).read(execution);
      return state.ok && state.value.tasks?.length === 0 ? await read(here, id) : null;
    });
    const taken = (await kinds(here, execution, "event_received")).some(({ event }) => event.id === `task/${run}`);
    expect([completed.status, ended.status]).toEqual(taken ? [200, "completed"] : [409, "withdrawn"]);
  }
});

const plain = {
  title: "Approve",
  assignee: null,
  description: null,
  dueDate: null,
  timezone: null,
  payload: null,
  form: null,
  priority: null,
  reminder: null,
  escalateTo: null,
};

function depsHere() {
  return { db: openDb(bindings.DB), now: () => Date.now(), log: () => {} };
}
