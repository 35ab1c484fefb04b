// Tasks over HTTP: listed, completed once, canceled, reassigned.
import { describe, expect, test } from "vitest";
import type { StoredTask } from "#catalog/tasks/tasks.ts";
import { PAYLOAD_BYTES_MAX } from "#schema/limits/executions.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";
import { sweep } from "#services/upkeep/sweep.ts";
import { api, must, tenantWithKey } from "#test/support/api.ts";
import { storeTask } from "#test/services/tasks/task-rows.ts";
import { NOW } from "#test/support/catalog.ts";
import { naming } from "#test/support/matchers/naming.ts";

const waits = {
  kind: "machine",
  name: "waits",
  initial: "asking",
  states: {
    asking: { on: { task_completed: "done", task_canceled: "done", leave: "gone" } },
    gone: { on: { x: "done" } },
    done: { type: "final" },
  },
};

async function here() {
  const made = api();
  const owner = await tenantWithKey(made);
  const ask = (method: string, path: string, body?: unknown, headers = {}) =>
    made.ask(method, path, { key: owner.key, headers, ...(body === undefined ? {} : { body }) });
  await must(201, ask("POST", "/v1/definitions", waits));
  const started = await must(201, ask("POST", "/v1/executions", { definition: "waits" }));
  const execution: string = started.body.execution.id;
  const add = ({ run = "1.0", ...over }: Partial<StoredTask> = {}): Promise<StoredTask> =>
    storeTask(owner.tenant, run, { execution, ...over });
  return { ...made, ...owner, asRoot: made.ask, ask, execution, add };
}

describe("a list of tasks", () => {
  test("is newest first, paginated and filtered", async () => {
    const { ask, add, execution } = await here();
    await add({ run: "1.0", dueAt: NOW + 1_000 });
    await add({ run: "2.0", createdAt: NOW + 1, assignee: "grace", dueAt: NOW + 5_000 });
    await add({ run: "3.0", createdAt: NOW + 2, status: "completed", closedAt: NOW + 2, delivery: "delivered" });
    await add({ run: "1.0", execution: "exe_other" });
    const runs = async (query: string) =>
      (await must(200, ask("GET", `/v1/tasks?${query}`))).body.data.map(
        (task: { run: string; execution: string }) => `${task.execution === execution ? "" : "other "}${task.run}`,
      );
    expect((await runs("")).slice(0, 2)).toEqual(["3.0", "2.0"]);
    expect(await runs("")).toHaveLength(4);
    expect(await runs(`execution=${execution}`)).toEqual(["3.0", "2.0", "1.0"]);
    expect(await runs("status=completed")).toEqual(["3.0"]);
    expect(await runs("assignee=grace")).toEqual(["2.0"]);
    expect(await runs(`dueBefore=${new Date(NOW + 1_000).toISOString()}`)).toEqual(["1.0"]);
    expect(await runs(`dueAfter=${new Date(NOW + 1_001).toISOString()}`)).toEqual(["2.0"]);
    const first = await must(200, ask("GET", `/v1/tasks?execution=${execution}&limit=2`));
    const rest = await must(200, ask("GET", `/v1/tasks?execution=${execution}&cursor=${first.body.nextCursor}`));
    expect(rest.body).toMatchObject({ data: [{ run: "1.0" }], nextCursor: null });
    expect((await must(400, ask("GET", "/v1/tasks?asignee=x"))).body.errors[0]).toMatchObject({ pointer: "?asignee" });
    expect((await must(400, ask("GET", "/v1/tasks?cursor=zzz"))).body.code).toBe("invalid_input");
  });
});

describe("completing", () => {
  test("sends the execution one event, also when repeated", async () => {
    const { ask, add, execution } = await here();
    const { id } = await add();
    const body = { result: { approved: true } };
    const dry = await must(200, ask("POST", `/v1/tasks/${id}/complete?dryRun=true`, body));
    expect(dry.body).toMatchObject({ dryRun: true, task: { status: "completed", delivery: { status: "delivered" } } });
    expect((await must(200, ask("GET", `/v1/tasks/${id}`))).body.status).toBe("open");
    const done = await must(200, ask("POST", `/v1/tasks/${id}/complete`, body));
    expect(done.body).toMatchObject({
      repeated: false,
      dryRun: false,
      task: { id, status: "completed", result: { approved: true }, closedBy: expect.stringMatching(/^key:key_/) },
    });
    expect((await must(200, ask("GET", `/v1/executions/${execution}`))).body.status).toBe("completed");
    const again = await must(200, ask("POST", `/v1/tasks/${id}/complete`, body));
    expect(again.body).toEqual({ ...done.body, repeated: true });
    const other = await must(409, ask("POST", `/v1/tasks/${id}/complete`, { result: 2 }));
    expect(other.body).toMatchObject({ code: "task_closed", detail: naming(id, "completed") });
    await must(409, ask("POST", `/v1/tasks/${id}/cancel`));
    await must(409, ask("POST", `/v1/tasks/${id}/reassign`, { assignee: null }));
    const audit = await must(200, ask("GET", `/v1/audit?target=${id}`));
    expect(audit.body.data.map(({ verb }: { verb: string }) => verb)).toEqual(["task.complete"]);
  });

  test.each([
    ["the person of the key", { actor: "cfo@example.com" }, {}, "cfo@example.com", true],
    [
      "the same person, as the client says",
      { actor: "cfo@example.com" },
      { by: "cfo@example.com" },
      "cfo@example.com",
      true,
    ],
    ["another person, as the client says", { actor: "cfo@example.com" }, { by: "ada" }, "ada", false],
    ["a person, as a service says", {}, { by: "ada" }, "ada", false],
    ["the key of a service", {}, {}, /^key:key_/, true],
  ])("records who did it in the task, the event and the audit: %s", async (_case, owner, said, by, isVerified) => {
    const { asRoot, tenant, ask, add, execution } = await here();
    const body = { name: "an approver", scopes: ["tasks"], ...owner };
    const { body: made } = await must(201, asRoot("POST", "/v1/keys", { body, headers: { "X-Tenant": tenant } }));
    expect(made.key.actor).toBe("actor" in owner ? owner.actor : null);
    const { id } = await add();
    const result = { approved: true };
    const done = await must(
      200,
      asRoot("POST", `/v1/tasks/${id}/complete`, { key: made.secret, body: { ...said, result } }),
    );
    const who = { by: typeof by === "string" ? by : expect.stringMatching(by), byVerified: isVerified };
    expect(done.body.task).toMatchObject({ closedBy: who.by, closedByVerified: isVerified });
    const { body: audit } = await must(200, ask("GET", `/v1/audit?target=${id}`));
    const person = "actor" in owner ? owner.actor : null;
    expect(audit.data).toMatchObject([{ verb: "task.complete", person, details: { ...who, execution, result } }]);
    const { body: journal } = await must(200, ask("GET", `/v1/executions/${execution}/journal`));
    const received = journal.data.find(({ kind }: { kind: string }) => kind === "event_received");
    expect(received).toMatchObject({ event: { payload: { ...who, result } } });
    if (person !== null) expect(received.actor).toMatchObject({ kind: "key", person });
  });

  test("with an Idempotency-Key returns the first response again", async () => {
    const { ask, add } = await here();
    const { id } = await add();
    const headers = { "Idempotency-Key": "done-1" };
    const done = await must(200, ask("POST", `/v1/tasks/${id}/complete`, { result: 1 }, headers));
    expect((await must(200, ask("POST", `/v1/tasks/${id}/complete`, { result: 1 }, headers))).body).toEqual(done.body);
    await must(422, ask("POST", `/v1/tasks/${id}/complete`, { result: 2 }, headers));
  });

  test("completes although the execution does not accept the event any more", async () => {
    const { ask, add, execution } = await here();
    const { id } = await add();
    await ask("POST", `/v1/executions/${execution}/events`, { type: "leave" });
    const done = await must(200, ask("POST", `/v1/tasks/${id}/complete`, { by: "ada" }));
    expect(done.body.task).toMatchObject({
      status: "completed",
      closedBy: "ada",
      result: null,
      delivery: { status: "refused", code: "event_too_late" },
    });
  });

  test("is refused after the execution has ended; the task ends as withdrawn", async () => {
    const { ask, add, execution } = await here();
    const { id } = await add();
    await ask("POST", `/v1/executions/${execution}/cancel`);
    const dry = await must(409, ask("POST", `/v1/tasks/${id}/complete?dryRun=true`, {}));
    expect(dry.body.code).toBe("task_closed");
    expect((await must(200, ask("GET", `/v1/tasks/${id}`))).body.status).toBe("open");
    const headers = { "Idempotency-Key": `late-${id}` };
    const refused = await must(409, ask("POST", `/v1/tasks/${id}/complete`, { by: "ada" }, headers));
    expect(refused.body).toMatchObject({
      code: "task_closed",
      details: { status: "withdrawn", reason: "execution_ended" },
    });
    const shown = await must(200, ask("GET", `/v1/tasks/${id}`));
    expect(shown.body).toMatchObject({
      status: "withdrawn",
      reason: "execution_ended",
      result: null,
      closedBy: `engine:${execution}`,
      delivery: { status: "delivered" },
    });
    await must(409, ask("POST", `/v1/tasks/${id}/complete`, { by: "ada" }, headers));
    await must(409, ask("POST", `/v1/tasks/${id}/cancel`));
    await must(409, ask("POST", `/v1/tasks/${id}/reassign`, { assignee: "grace" }));
    expect((await must(200, ask("GET", "/v1/tasks?status=withdrawn"))).body.data).toMatchObject([{ id }]);
    const audit = await must(200, ask("GET", `/v1/audit?target=${id}`));
    expect(audit.body.data).toMatchObject([{ verb: "task.withdraw", actor: `engine:${execution}` }]);
  });

  test("is refused when the execution is canceled at the same moment, also for a repeat with the same key", async () => {
    const { ask, add, execution, cells } = await here();
    const { id } = await add();
    const cancel = { kind: "cancel", inputId: "c1", fingerprint: "c1", reason: null } as const;
    const real = cells.cell.bind(cells);
    // The check before completion fails to reach the object; when the task's end is delivered, the execution is
    // canceled.
    cells.cell = (name) => {
      cells.cell = real;
      const control = async () => {
        cells.take(name, execution, { ...cancel, actor: { kind: "key", id: "key_1" } });
        throw new Error("broken");
      };
      return { ...real(name), control };
    };
    const headers = { "Idempotency-Key": `race-${id}` };
    const refused = await must(409, ask("POST", `/v1/tasks/${id}/complete`, { result: 1 }, headers));
    expect(refused.body.code).toBe("task_closed");
    expect((await must(200, ask("GET", `/v1/tasks/${id}`))).body).toMatchObject({ status: "withdrawn", result: null });
    const again = await must(409, ask("POST", `/v1/tasks/${id}/complete`, { result: 1 }, headers));
    expect(again.body.code).toBe("task_closed");
  });

  test("succeeds while the object is unreachable; the sweeper delivers the event later", async () => {
    const { ask, add, execution, cells, world } = await here();
    const { id } = await add();
    const isDown = () => Object.assign(new Error("overloaded"), { overloaded: true });
    cells.failures = [isDown(), isDown()];
    const done = await must(200, ask("POST", `/v1/tasks/${id}/complete`, {}));
    expect(done.body.task.delivery).toEqual({ status: "pending", code: null });
    world.clock.now += 61_000;
    await sweep({ ...world, cell: (name) => cells.cell(name) });
    expect((await must(200, ask("GET", `/v1/tasks/${id}`))).body.delivery.status).toBe("delivered");
    expect((await must(200, ask("GET", `/v1/executions/${execution}`))).body.status).toBe("completed");
  });

  test("an undelivered completion becomes withdrawn if the execution has canceled the task", async () => {
    const { ask, add, execution, cells, world } = await here();
    const { id } = await add();
    cells.failures = [new Error("broken"), new Error("broken")];
    const done = await must(200, ask("POST", `/v1/tasks/${id}/complete`, { result: 1 }));
    expect(done.body.task).toMatchObject({ status: "completed", delivery: { status: "pending" } });
    await ask("POST", `/v1/executions/${execution}/cancel`);
    world.clock.now += 61_000;
    await sweep({ ...world, cell: (name) => cells.cell(name) });
    const shown = await must(200, ask("GET", `/v1/tasks/${id}`));
    expect(shown.body).toMatchObject({ status: "withdrawn", result: null, reason: "execution_ended" });
  });

  test("a repeat delivers an undelivered event", async () => {
    const { ask, add, cells, world } = await here();
    const { id } = await add();
    cells.failures = [new Error("broken"), new Error("broken")];
    await must(200, ask("POST", `/v1/tasks/${id}/complete`, {}));
    expect(world.lines).toContainEqual(expect.objectContaining({ event: "task_end_not_delivered", task: id }));
    const again = await must(200, ask("POST", `/v1/tasks/${id}/complete`, {}));
    expect(again.body).toMatchObject({ repeated: true, task: { delivery: { status: "delivered" } } });
  });

  test("sends no event to a later execution with the same id", async () => {
    const { ask, add, execution, cells, world, tenant } = await here();
    const { id } = await add({ incarnation: NOW });
    cells.remove(cellName(tenant, execution), execution);
    world.clock.now += 7 * 24 * 60 * 60_000;
    await must(201, ask("POST", "/v1/executions", { definition: "waits", id: execution }));
    const dry = await must(200, ask("POST", `/v1/tasks/${id}/complete?dryRun=true`, {}));
    expect(dry.body.task.delivery).toEqual({ status: "refused", code: "not_found" });
    const done = await must(200, ask("POST", `/v1/tasks/${id}/complete`, {}));
    expect(done.body.task).toMatchObject({ status: "completed", delivery: { status: "refused", code: "not_found" } });
    expect((await must(200, ask("GET", `/v1/executions/${execution}`))).body.status).toBe("waiting");
    const own = await add({ createdAt: world.clock.now, incarnation: world.clock.now });
    await must(200, ask("POST", `/v1/tasks/${own.id}/complete`, {}));
    expect((await must(200, ask("GET", `/v1/executions/${execution}`))).body.status).toBe("completed");
  });

  test("a result above the event's size limit is refused and changes nothing", async () => {
    const { ask, add } = await here();
    const { id } = await add();
    const result = "x".repeat(PAYLOAD_BYTES_MAX);
    const refused = await must(422, ask("POST", `/v1/tasks/${id}/complete`, { result }));
    expect(refused.body.code).toBe("limit_exceeded");
    expect((await must(200, ask("GET", `/v1/tasks/${id}`))).body.status).toBe("open");
  });
});

describe("canceling and reassigning", () => {
  test("store the reason in the audit log", async () => {
    const { ask, add, execution } = await here();
    const { id } = await add();
    const path = `/v1/tasks/${id}/reassign`;
    const dry = await must(200, ask("POST", `${path}?dryRun=true`, { assignee: "grace" }));
    expect(dry.body).toMatchObject({ dryRun: true, task: { assignee: "grace" } });
    const given = await must(200, ask("POST", path, { assignee: "grace", reason: "on holiday" }));
    expect(given.body).toMatchObject({ dryRun: false, task: { assignee: "grace", status: "open" } });
    const canceled = await must(200, ask("POST", `/v1/tasks/${id}/cancel`, { reason: "not needed" }));
    expect(canceled.body.task).toMatchObject({ status: "canceled", reason: "not needed", assignee: "grace" });
    const audit = await must(200, ask("GET", `/v1/audit?target=${id}`));
    expect(audit.body.data.map(({ verb, reason }: Record<string, string>) => [verb, reason]).toSorted()).toEqual([
      ["task.cancel", "not needed"],
      ["task.reassign", "on holiday"],
    ]);
    const journal = await must(200, ask("GET", `/v1/executions/${execution}/journal`));
    expect(JSON.stringify(journal.body)).toContain("task_canceled");
  });

  test("of a missing task is 404", async () => {
    const { ask } = await here();
    for (const verb of ["complete", "cancel"]) await must(404, ask("POST", `/v1/tasks/tsk_none.1.0/${verb}`, {}));
    await must(404, ask("POST", "/v1/tasks/tsk_none.1.0/reassign", { assignee: null }));
    await must(404, ask("GET", "/v1/tasks/tsk_none.1.0"));
  });
});
