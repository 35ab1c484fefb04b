// What an execution asks of a person, through the real Worker: the task is made once, and its end moves the execution.
import { expect, test } from "vitest";
import { createTask } from "#services/tasks/create-task.ts";
import { openDb } from "#catalog/db.ts";
import { bindings, engine, until, type Engine } from "./engine.ts";

const approval = {
  kind: "machine",
  name: "approval",
  initial: "asking",
  states: {
    asking: {
      on: {
        task_completed: {
          target: "done",
          assign: { approved: { var: "message.payload.result.approved" }, by: { var: "message.payload.by" } },
        },
        task_canceled: "dropped",
      },
    },
    done: { type: "final" },
    dropped: { type: "final", outcome: "failed" },
  },
  actions: [
    {
      actionId: "ask",
      type: "task",
      triggerState: "asking",
      config: {
        title: "Approve {{ execution.variables.what }}",
        assignee: "ada@example.com",
        dueDate: "P3D",
        payload: { what: "{{ execution.variables.what }}" },
        form: { approved: { type: "boolean" } },
      },
    },
  ],
};

async function asked(here: Engine) {
  const execution = await here.start("approval", { variables: { what: "the budget" } });
  const task = await until("the task is there", async () => {
    const { data } = await here.must(200, "GET", `/v1/tasks?execution=${execution}`);
    return data[0] ?? null;
  });
  return { execution, task };
}

test("nobody but the engine says that a task has ended; then the person completes it, and is heard", async () => {
  const here = await engine(approval);
  const { execution, task } = await asked(here);
  const path = `/v1/executions/${execution}/events`;
  await here.must(400, "POST", path, { body: { type: "task_completed", payload: { result: { approved: true } } } });
  await here.must(400, "POST", path, { body: { type: "anything", id: `task/${task.run}` } });
  const body = { result: { approved: false } };
  await here.must(200, "POST", `/v1/tasks/${task.id}/complete`, { body });
  expect((await here.reaches(execution, "completed")).variables).toMatchObject({ approved: false });
});

test("a person completes it, and the execution goes on with the result", async () => {
  const here = await engine(approval);
  const { execution, task } = await asked(here);
  expect(task).toMatchObject({
    status: "open",
    execution,
    actionId: "ask",
    title: "Approve the budget",
    assignee: "ada@example.com",
    payload: { what: "the budget" },
    form: { approved: { type: "boolean" } },
    delivery: { status: "none" },
  });
  expect(Date.parse(task.dueAt) - Date.parse(task.createdAt)).toBe(3 * 24 * 60 * 60_000);
  const body = { result: { approved: true }, by: "ada@example.com" };
  const closed = await here.must(200, "POST", `/v1/tasks/${task.id}/complete`, { body });
  expect(closed).toMatchObject({ repeated: false, task: { status: "completed", delivery: { status: "delivered" } } });
  const ended = await here.reaches(execution, "completed");
  expect(ended.variables).toMatchObject({ approved: true, by: "ada@example.com" });

  const again = await here.must(200, "POST", `/v1/tasks/${task.id}/complete`, { body });
  expect(again).toMatchObject({ repeated: true, task: { closedAt: closed.task.closedAt } });
  const journal = await here.journal(execution);
  expect(journal.filter(({ kind }) => kind === "event_received")).toHaveLength(1);
});

test("a canceled one tells the execution, too", async () => {
  const here = await engine(approval);
  const { execution, task } = await asked(here);
  await here.must(200, "POST", `/v1/tasks/${task.id}/cancel`, { body: { reason: "not needed" } });
  await here.reaches(execution, "failed");
});

test("a run that is tried again finds the task it made", async () => {
  const here = await engine(approval);
  const { execution, task } = await asked(here);
  const deps = { db: openDb(bindings.DB), now: () => Date.now(), log: () => {} };
  const config = {};
  const ticket = {
    tenant: here.tenant,
    execution,
    run: task.run,
    attempt: 2,
    action: "ask",
    type: "task",
    config,
    idempotencyKey: `${execution}/${task.run}`,
    timeoutMs: 1_000,
    deadlineAt: Date.now() + 1_000,
    incarnation: Date.parse((await here.must(200, "GET", `/v1/executions/${execution}`)).createdAt),
  };
  const other = { title: "Another", assignee: null, description: null, payload: null, form: null, timezone: null };
  const unwatched = { priority: null, reminder: null, escalateTo: null };
  const made = await createTask(deps, ticket, { ...other, ...unwatched, dueDate: "2027-01-01" });
  expect(made).toMatchObject({ ok: true, task: { id: task.id, dueAt: Date.parse(task.dueAt) } });
  expect((await here.must(200, "GET", `/v1/tasks?execution=${execution}`)).data).toHaveLength(1);
});
