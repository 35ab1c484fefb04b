// Tasks that stay open, through the real Worker: the machine is reminded and acts on it, they go to somebody else, and a
// process changes and withdraws what it has asked for itself.
import { expect, test } from "vitest";
import approval from "../../../examples/approval.json";
import { engine, hook, provider, until, type Engine } from "../engine.ts";

const set = (name: string) => ({ assign: { [name]: { var: "message.payload" } } });
const change = (actionId: string, config: object) => ({ actionId, type: "task", config });

const patient = {
  kind: "machine",
  name: "patient",
  initial: "asking",
  states: {
    asking: {
      on: {
        task_completed: "done",
        task_reminder: { ...set("reminded"), actions: ["nudge"] },
        task_escalated: set("escalated"),
        hand_over: { actions: ["hand_over"] },
        drop: { actions: ["drop"] },
      },
    },
    done: { type: "final" },
  },
  actions: [
    {
      actionId: "ask",
      type: "task",
      triggerState: "asking",
      config: {
        title: "Approve",
        assignee: "ada@example.com",
        priority: 10,
        dueDate: "P3D",
        reminder: { after: "PT0.3S" },
        escalateTo: { assignee: "{{ execution.variables.boss }}", after: "PT0.6S", priority: 90 },
      },
    },
    hook("nudge"),
    change("hand_over", { operation: "update", task: "ask", assignee: "linus@example.com", reason: "on holiday" }),
    change("drop", { operation: "withdraw", task: "ask", reason: "the customer has changed their mind" }),
  ],
};

const first = (here: Engine, execution: string) =>
  until("the task is there", async () => {
    const { data } = await here.must(200, "GET", `/v1/tasks?execution=${execution}`);
    return data[0] ?? null;
  });
const start = (here: Engine) => here.start("patient", { variables: { boss: "grace@example.com" } });

test("a task that stays open reminds its machine, which acts on it, and then goes to somebody else", async () => {
  const outside = provider();
  const here = await engine(patient);
  const execution = await start(here);
  const task = await first(here, execution);
  expect(task).toMatchObject({
    reminder: { after: "PT0.3S" },
    escalateTo: { assignee: "grace@example.com", after: "PT0.6S", priority: 90 },
  });
  const found = await until("it is escalated", async () => {
    const { variables } = await here.read(execution);
    return variables.escalated ? variables : null;
  });
  expect(found.reminded).toMatchObject({ taskId: task.id, actionId: "ask", title: "Approve", number: 1 });
  expect(found.escalated).toMatchObject({
    taskId: task.id,
    assignee: "grace@example.com",
    priority: 90,
    escalatedFrom: "ada@example.com",
  });
  await until("somebody is nudged", () => outside.calls.find(({ url }) => url.pathname === "/nudge") ?? null);
  expect(await first(here, execution)).toMatchObject({
    assignee: "grace@example.com",
    priority: 90,
    escalatedFrom: "ada@example.com",
    escalatedAt: expect.any(String),
  });
  const audit = await here.must(200, "GET", `/v1/audit?target=${task.id}`);
  expect(audit.data.map(({ verb }: { verb: string }) => verb)).toEqual(["task.escalate"]);
  await here.must(200, "POST", `/v1/tasks/${task.id}/complete`, { body: {} });
  await here.reaches(execution, "completed");
});

test("one that is done in time is neither reminded of nor escalated", async () => {
  provider();
  const config = { title: "Approve", reminder: { every: "P1D" }, escalateTo: { assignee: "grace", after: "P2D" } };
  const [ask, ...others] = patient.actions;
  const here = await engine({ ...patient, actions: [{ ...ask, config }, ...others] });
  const execution = await start(here);
  const task = await first(here, execution);
  expect(await here.cell(execution).read(execution)).toMatchObject({
    value: { tasks: [{ id: task.id, watch: { remind: { everyMs: 86_400_000, left: 3 } } }] },
  });
  await here.must(200, "POST", `/v1/tasks/${task.id}/complete`, { body: {} });
  const ended = await here.reaches(execution, "completed");
  expect(ended.variables).toEqual({ boss: "grace@example.com" });
  expect(await here.cell(execution).read(execution)).toMatchObject({ value: { tasks: [] } });
});

test("a process gives its own task to somebody else, and takes it back", async () => {
  provider();
  const here = await engine(patient);
  const execution = await start(here);
  const task = await first(here, execution);
  const send = (type: string) => here.must(200, "POST", `/v1/executions/${execution}/events`, { body: { type } });
  await send("hand_over");
  await until("it is handed over", async () =>
    (await first(here, execution)).assignee === "linus@example.com" ? true : null,
  );
  await send("drop");
  const withdrawn = await until("it is withdrawn", async () => {
    const shown = await first(here, execution);
    return shown.status === "withdrawn" ? shown : null;
  });
  expect(withdrawn).toMatchObject({ reason: "the customer has changed their mind", closedBy: `engine:${execution}` });
  const refused = await here.must(409, "POST", `/v1/tasks/${task.id}/complete`, { body: {} });
  expect(refused.detail).toContain("the customer has changed their mind");
  const { data } = await here.must(200, "GET", `/v1/audit?target=${task.id}`);
  expect(data.map(({ verb, reason }: { verb: string; reason: string | null }) => [verb, reason])).toEqual([
    ["task.withdraw", "the customer has changed their mind"],
    ["task.reassign", "on holiday"],
  ]);
  const dropped = await until("the run has ended", async () => {
    const runs = await here.runs(execution);
    return runs.find(({ action, status }) => action === "drop" && status === "ok") ?? null;
  });
  expect(dropped).toMatchObject({ result: { operation: "withdraw", task: "ask", taskIds: [task.id] } });
  await here.must(200, "POST", `/v1/executions/${execution}/cancel`);
});

test("the example asks, hands over, and lets go of the task when the request is withdrawn", async () => {
  provider();
  const { $schema: _schema, ...definition } = approval;
  const here = await engine(definition);
  const found = await here.must(200, "POST", "/v1/definitions/validate", { body: approval });
  expect(found.warnings).toEqual([]);
  const begin = () => here.start("approval", { variables: { project: "Apollo", amount: 1200 } });
  const send = (execution: string, type: string, payload: unknown = null) =>
    here.must(200, "POST", `/v1/executions/${execution}/events`, { body: { type, payload } });
  const execution = await begin();
  const task = await first(here, execution);
  expect(task).toMatchObject({ title: "Approve the budget of Apollo", assignee: "ada@example.com", status: "open" });
  await send(execution, "handed.over", { to: "grace@example.com" });
  await until("it is handed over", async () => (await first(here, execution)).assignee === "grace@example.com" || null);
  await here.must(200, "POST", `/v1/tasks/${task.id}/complete`, { body: { result: { approved: true } } });
  expect((await here.reaches(execution, "completed")).states).toEqual(["approved"]);
  const other = await begin();
  await first(here, other);
  await send(other, "request.withdrawn");
  await until("it is withdrawn", async () => (await first(here, other)).status === "withdrawn" || null);
});
