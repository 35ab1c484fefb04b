// Published events over HTTP: matched executions, waiting events, refusals, and the list.
import { describe, expect, test } from "vitest";
import { WAITING_EVENTS_MAX } from "#schema/limits/published-events.ts";
import { api, must, tenantWithKey, type Parsed } from "#test/support/api.ts";
import { isDelivered } from "#test/support/outbox/deliver.ts";

const purchase = {
  kind: "machine",
  name: "purchase",
  initial: "open",
  correlation: { key: { var: "execution.variables.order" } },
  states: {
    open: { on: { paid: "done", rename: { assign: { order: { var: "message.payload" } } } } },
    done: { type: "final" },
  },
};

async function here() {
  const made = api();
  const { tenant, key } = await tenantWithKey(made);
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    made.ask(method, path, { key, headers, ...(body === undefined ? {} : { body }) });
  await must(201, ask("POST", "/v1/definitions", purchase));
  const { world, cells, directories } = made;
  const deps = { cell: (name: string) => cells.cell(name), directory: (name: string) => directories.directory(name) };
  const tell = (execution: string) => isDelivered(deps, tenant, execution);
  const start = async (order: string): Promise<string> => {
    const body = { definition: "purchase", variables: { order } };
    const { execution } = (await must(201, ask("POST", "/v1/executions", body))).body;
    await tell(execution.id);
    return execution.id;
  };
  const pass = async (ms = 1) => {
    world.clock.now += ms;
    await directories.ring();
  };
  const statusOf = async (id: string) => (await must(200, ask("GET", `/v1/executions/${id}`))).body.status;
  const list = async (query = ""): Promise<Parsed[]> => (await must(200, ask("GET", `/v1/events${query}`))).body.data;
  return { ...made, made, ask, start, tell, pass, statusOf, list };
}
const paid = { type: "paid", correlationKey: "o-1", payload: { amount: 42 } };

describe("an event with a correlation key", () => {
  test("reaches all executions with this key, and no other", async () => {
    const { ask, start, pass, statusOf, list } = await here();
    const [first, second, other] = [await start("o-1"), await start("o-1"), await start("o-2")];
    const { event, repeated } = (await must(202, ask("POST", "/v1/events", paid))).body;
    expect(repeated).toBe(false);
    expect(event).toMatchObject({ status: "delivering", correlationKey: "o-1", keptUntil: null });
    expect(event.recipients.map(({ execution }: Parsed) => execution).sort()).toEqual([first, second].sort());
    await pass();
    expect(await Promise.all([first, second, other].map(statusOf))).toEqual(["completed", "completed", "waiting"]);
    expect(await list("?status=delivered")).toMatchObject([{ id: event.id, payload: null }]);
  });

  test("matches the execution's current key", async () => {
    const { ask, start, tell, pass, statusOf } = await here();
    const execution = await start("o-1");
    await must(200, ask("POST", `/v1/executions/${execution}/events`, { type: "rename", payload: "o-9" }));
    await tell(execution);
    const late = (await must(202, ask("POST", "/v1/events", { ...paid, keep: false }))).body.event;
    expect(late).toMatchObject({ status: "undeliverable", reason: "no_matching_execution", recipients: [] });
    await must(202, ask("POST", "/v1/events", { ...paid, correlationKey: "o-9" }));
    await pass();
    expect(await statusOf(execution)).toBe("completed");
  });

  test("waits for the first matching start until `keep` ends", async () => {
    const { ask, start, tell, pass, statusOf, list } = await here();
    const { event } = (await must(202, ask("POST", "/v1/events", { ...paid, keep: "PT1H" }))).body;
    expect(event).toMatchObject({ status: "kept", keptUntil: "2026-11-18T13:00:00.000Z" });
    expect(await list("?status=kept&correlationKey=o-1")).toMatchObject([{ id: event.id, payload: { amount: 42 } }]);
    const execution = await start("o-1");
    await pass();
    expect(await statusOf(execution)).toBe("completed");
    // The directory has not yet received the end of this execution.
    await must(202, ask("POST", "/v1/events", { ...paid, keep: "PT1H" }));
    await pass();
    expect(await list("?status=kept")).toMatchObject([{ recipients: [] }]);
    await tell(execution);
    await pass(3_600_001);
    expect(await list("?status=undeliverable")).toMatchObject([{ reason: "keep_expired", payload: { amount: 42 } }]);
    expect(await statusOf(await start("o-1"))).toBe("waiting");
  });

  test("that no execution accepts lists each execution's refusal", async () => {
    const { ask, start, pass, list } = await here();
    const execution = await start("o-1");
    await must(202, ask("POST", "/v1/events", { ...paid, type: "shipped" }));
    await pass();
    const recipients = [{ execution, outcome: "refused", code: "event_unknown" }];
    expect(await list()).toMatchObject([{ status: "undeliverable", reason: "not_accepted", recipients }]);
  });

  test("is retried while an object does not answer, and delivered once", async () => {
    const { ask, start, pass, statusOf, cells, directories, list } = await here();
    const execution = await start("o-1");
    await must(202, ask("POST", "/v1/events", paid));
    cells.failures = [new Error("gone"), new Error("gone")];
    await pass();
    expect(await list()).toMatchObject([{ status: "delivering", recipients: [{ outcome: "pending" }] }]);
    directories.evict();
    await pass(1_000);
    await pass(10_000);
    expect(await statusOf(execution)).toBe("completed");
    expect(await list()).toMatchObject([{ status: "delivered" }]);
  });

  test("a repeat with the same id or key publishes nothing; other content is refused", async () => {
    const { ask, start, pass } = await here();
    await start("o-1");
    const first = (await must(202, ask("POST", "/v1/events", { ...paid, id: "pay-1" }))).body;
    await pass();
    const second = (await must(202, ask("POST", "/v1/events", { ...paid, id: "pay-1" }))).body;
    expect(second).toMatchObject({ repeated: true, event: { id: first.event.id, status: "delivered" } });
    const conflict = await must(422, ask("POST", "/v1/events", { ...paid, id: "pay-1", payload: 2 }));
    expect(conflict.body).toMatchObject({ code: "idempotency_conflict", errors: [{ pointer: "/id" }] });
    const headers = { "Idempotency-Key": "k-1" };
    const keyed = (await must(202, ask("POST", "/v1/events", paid, headers))).body;
    expect(keyed.event.id).toBe("k-1");
    expect((await must(202, ask("POST", "/v1/events", paid, headers))).body.repeated).toBe(true);
  });

  test("a dry run lists the matched executions and publishes nothing", async () => {
    const { ask, start, list } = await here();
    const execution = await start("o-1");
    const { event, dryRun } = (await must(200, ask("POST", "/v1/events?dryRun=true", paid))).body;
    expect([dryRun, event.recipients[0].execution]).toEqual([true, execution]);
    expect(await list()).toEqual([]);
  });

  test("of another tenant matches nothing here, and is not listed", async () => {
    const { made, start, statusOf, pass, list } = await here();
    const execution = await start("o-1");
    const other = await tenantWithKey(made);
    const { event } = (await must(202, made.ask("POST", "/v1/events", { key: other.key, body: paid }))).body;
    await pass();
    expect([event.status, await statusOf(execution), await list()]).toEqual(["kept", "waiting", []]);
  });
});

describe("an invalid event is refused with the field", () => {
  test.each([
    [{ ...paid, type: "action.x.ok" }, "/type"],
    [{ ...paid, type: "task_completed" }, "/type"],
    [{ ...paid, correlationKey: "" }, "/correlationKey"],
    [{ ...paid, correlationKey: "x".repeat(201) }, "/correlationKey"],
    [{ type: "paid" }, "/correlationKey"],
    [{ ...paid, keep: "P1Y" }, "/keep"],
    [{ ...paid, keep: "P8D" }, "/keep"],
    [{ ...paid, keep: 5 }, "/keep"],
    [{ ...paid, kept: true }, "/kept"],
    [{ ...paid, id: "child/1" }, "/id"],
  ])("%j", async (body, pointer) => {
    const { ask, list } = await here();
    const refused = await must(400, ask("POST", "/v1/events", body));
    expect(refused.body.errors.map((found: Parsed) => found.pointer)).toContain(pointer);
    expect(await list()).toEqual([]);
  });

  test("a payload that is too large", async () => {
    const { ask } = await here();
    const refused = await must(422, ask("POST", "/v1/events", { ...paid, payload: "x".repeat(70_000) }));
    expect(refused.body).toMatchObject({ code: "limit_exceeded", errors: [{ pointer: "/payload" }] });
  });

  test("more waiting events than the limit", async () => {
    const { ask, directories } = await here();
    const { event } = (await must(202, ask("POST", "/v1/events", paid))).body;
    const disk = [...directories.disks.values()].find(({ posted }) => posted.has(event.id));
    const row = disk?.posted.get(event.id);
    if (!disk || !row) throw new Error("it was posted");
    for (let n = 1; n < WAITING_EVENTS_MAX; n++)
      disk.posted.set(`e${n}`, { ...row, event: { ...row.event, id: `e${n}` } });
    const refused = await must(429, ask("POST", "/v1/events", paid));
    expect(refused.body.code).toBe("event_buffer_full");
  });
});

test("the list is paginated over all keys, newest first", async () => {
  const { ask, world, list } = await here();
  for (let n = 0; n < 7; n++) {
    world.clock.now += 1_000;
    await must(202, ask("POST", "/v1/events", { ...paid, id: `e-${n}`, correlationKey: `o-${n}` }));
  }
  const ids: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const from: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { body: page }: { body: Parsed } = await must(200, ask("GET", `/v1/events?limit=3${from}`));
    ids.push(...page.data.map(({ id }: Parsed) => id));
    cursor = page.nextCursor;
  }
  expect(ids).toEqual(["e-6", "e-5", "e-4", "e-3", "e-2", "e-1", "e-0"]);
  expect(await list("?correlationKey=o-3")).toHaveLength(1);
  const refused = await must(400, ask("GET", "/v1/events?cursor=nonsense"));
  expect(refused.body.errors[0].pointer).toBe("?cursor");
});
