// The typed client against the API itself.
import { describe, expect, test } from "vitest";
import { createClient, pages, ProblemError, type DeadLetterFilters } from "#client/client.ts";
import type { Definition } from "#schema/definition/definition.ts";
import { api, order, shop, tenantWithKey } from "#test/support/api.ts";
import { deadLetter } from "#test/support/dead-letter.ts";
import type { Problem } from "#wire/problem.ts";
import { namingPattern } from "#test/support/matchers/naming.ts";

const definition = order as Definition; // written as a literal there; the API has checked it

async function client() {
  const made = api();
  const { key, tenant } = await shop(made);
  return { made, tenant, key, client: createClient({ baseUrl: "https://api.test/", key, fetch: made.fetch }) };
}

describe("the client", () => {
  test("walks through an execution's life", async () => {
    const { client: api } = await client();
    const { execution } = await api.executions.start({ definition: "order" }, { idempotencyKey: "o-1" });
    expect((await api.executions.start({ definition: "order" }, { idempotencyKey: "o-1" })).repeated).toBe(true);
    expect((await api.executions.pause(execution.id, { reason: "wait" })).execution.status).toBe("paused");
    expect((await api.executions.resume(execution.id)).execution.status).toBe("waiting");
    const dry = await api.executions.patch(execution.id, { variables: { total: 1 } }, { dryRun: true });
    expect(dry.dryRun).toBe(true);
    expect((await api.executions.send(execution.id, { type: "paid" })).execution.states).toEqual(["paid"]);
    expect((await api.executions.runs(execution.id)).data).toMatchObject([{ action: "notify" }]);
    expect((await api.executions.poke(execution.id)).id).toBe(execution.id);
    expect((await api.executions.runNow(execution.id, { action: "notify" })).execution.runs).toMatchObject({});
    expect((await api.executions.cancel(execution.id)).execution.status).toBe("canceled");
    expect((await api.executions.get(execution.id)).finishedAt).not.toBeNull();
    const kinds: string[] = [];
    for await (const entry of pages((page) => api.executions.journal(execution.id, { ...page, limit: 3 })))
      kinds.push(entry.kind);
    expect(kinds[0]).toBe("started");
    expect(kinds).toContain("canceled");
    expect((await api.executions.startMany({ executions: [{ definition: "order" }] })).started).toBe(1);
    expect((await api.executions.list({ status: "waiting" })).data).toEqual([]);
  });

  test("writes configuration by name", async () => {
    const { client: api } = await client();
    const body = { text: "Hello" };
    const write = () => api.configuration.put("templates", "hello", body);
    expect([(await write()).result, (await write()).result]).toEqual(["created", "unchanged"]);
    const onlyNew = api.configuration.put("templates", "hello", body, { ifNoneMatch: "*" });
    await expect(onlyNew).rejects.toMatchObject({ code: "precondition_failed" });
    const exported = await api.configuration.export(["templates"]);
    expect(exported.templates).toEqual([{ name: "hello", text: "Hello" }]);
    expect((await api.configuration.apply(exported, { prune: true, reason: "none" })).result).toBe("unchanged");
    const stale = api.configuration.put("templates", "hello", body, { ifMatch: '"0"' });
    await expect(stale).rejects.toMatchObject({ code: "precondition_failed" });
  });

  test("handles definitions, keys, tenants and audit", async () => {
    const { client: api, tenant, made } = await client();
    expect((await api.definitions.create(definition)).created).toBe(false);
    expect((await api.definitions.validate({})).valid).toBe(false);
    expect((await api.definitions.list()).data.length).toBe(2);
    expect((await api.definitions.get("order@1")).version).toBe(1);
    expect((await api.definitions.version("order", 1)).name).toBe("order");
    expect((await api.definitions.versions("order")).data.length).toBe(1);
    expect((await api.definitions.archive("order", { reason: "old" })).archived).toBe(1);
    const { key } = await api.keys.create({ name: "n", scopes: ["read"] });
    expect((await api.keys.revoke(key.id, "done")).revokedAt).not.toBeNull();
    expect((await api.keys.list()).data.length).toBe(2);
    expect((await api.tenants.get(tenant)).id).toBe(tenant);
    expect((await api.audit({ verb: "key.revoke" })).data).toMatchObject([{ target: key.id }]);
    expect((await api.health()).status).toBe("ok");
    const root = createClient({ baseUrl: "https://api.test", key: made.world.rootKey, tenant, fetch: made.fetch });
    expect((await root.keys.list()).data.length).toBe(2);
    expect((await root.tenants.list()).data.length).toBeGreaterThan(0);
  });

  test("reads a signer, and says which chain was meant where there is none", async () => {
    const { client: api, made, tenant } = await client();
    const address = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
    await made.world.signer(tenant, 8453, address).reserve({ key: "a", blockMs: 2_000, chainNonce: 4, gap: null });
    expect(await api.signers.get("base", address)).toMatchObject({ nextNonce: 5, reserved: [{ nonce: 4 }] });
    const refused = api.signers.reconcile(8453, address, { reason: "r" }, { dryRun: true });
    await expect(refused).rejects.toMatchObject({ problem: { code: "invalid_input" } });
  });

  test("posts events for whomever they concern", async () => {
    const { client: api } = await client();
    const { event } = await api.events.post({ type: "paid", correlationKey: "o-1" }, { idempotencyKey: "k" });
    expect(event.status).toBe("kept");
    expect((await api.events.list({ status: "kept", correlationKey: "o-1" })).data).toMatchObject([{ id: event.id }]);
  });

  test("sees what a reaction worker's console sees", async () => {
    const { client: api } = await client();
    const { execution } = await api.executions.start({ definition: "order" });
    expect((await api.worker.status()).running).toBe(true);
    expect((await api.worker.statistics({ since: "2026-01-01T00:00:00Z" })).byStatus.ok).toBe(0);
    expect((await api.worker.streamInfo()).queues).toHaveLength(2);
    expect((await api.worker.initializeStream()).initialized).toBe(true);
    expect((await api.worker.executions({ status: "queued", limit: 5 })).data).toEqual([]);
    expect((await api.worker.execution(execution.id)).status).toBe("QUEUED");
    expect((await api.worker.cancel(execution.id, "enough", { dryRun: true })).id).toBe(execution.id);
  });

  test("sees what a journey's monitor sees", async () => {
    const { client: api } = await client();
    const { execution } = await api.executions.start({ definition: "order" });
    expect((await api.monitor.status(execution.id)).data.status).toBe("waiting");
    expect((await api.monitor.process({ batchSize: 5 })).data.processed).toBe(0);
    expect((await api.monitor.metrics({ days: 3 })).data.trends).toHaveLength(3);
    expect((await api.monitor.days({ days: 3 })).data).toHaveLength(3);
    expect((await api.monitor.history(execution.id, { limit: 5 })).data).toEqual([]);
    expect((await api.monitor.pause(execution.id)).data.status).toBe("paused");
    expect((await api.monitor.resume(execution.id)).data.affectedNodes).toBe(1);
    await expect(api.monitor.retry(`${execution.id}.1.1`)).rejects.toThrow();
  });

  test("tries an action out", async () => {
    const { client: api } = await client();
    const answer = await api.actions.test({ action: { type: "webhok", config: {} } });
    expect(answer).toMatchObject({ success: false, validation: { findings: [{ pointer: "/action/type" }] } });
  });

  test("handles actions on their own", async () => {
    const { client: api } = await client();
    const body = { type: "webhook", config: { url: "https://example.com" }, delay: "PT1H" };
    const { action } = await api.actions.dispatch(body, { idempotencyKey: "one" });
    expect((await api.actions.dispatch(body, { idempotencyKey: "one" })).repeated).toBe(true);
    expect((await api.actions.dispatchMany({ actions: [body, { ...body, type: "none" }] })).refused).toBe(1);
    expect((await api.actions.get(action.id)).status).toBe("scheduled");
    expect((await api.actions.list({ status: "ok", limit: 5 })).data).toEqual([]);
    const retried = api.actions.retry(action.id, { reason: "again" });
    await expect(retried).rejects.toMatchObject({ code: "run_not_startable" });
    expect((await api.actions.cancel(action.id, { reason: "no need" })).action.status).toBe("canceled");
  });

  test("handles dead letters", async () => {
    const { client: api, made, tenant, key } = await client();
    const [first, second] = [await deadLetter(made, { tenant, key }), await deadLetter(made, { tenant, key })];
    expect((await api.deadLetters.list({ minPriority: 0, critical: false, limit: 1 })).data).toMatchObject([
      { id: second.id },
    ]);
    expect((await api.deadLetters.get(first.id)).standing).toBe("waiting");
    expect((await api.deadLetters.retry(first.id, {}, { dryRun: true })).standing).toBe("sent_again");
    expect((await api.deadLetters.archive(first.id, { reason: "settled" })).standing).toBe("archived");
    const { execution, run } = second;
    expect((await api.executions.retry(execution, { run })).execution.runs).toEqual({ queued: 1 });
  });

  test("handles templates and secrets", async () => {
    const { client: api } = await client();
    const body = { name: "welcome", text: "Hi {{ name }}", variables: [{ name: "name" }] };
    expect((await api.templates.create(body)).template.version).toBe(1);
    expect((await api.templates.create(body)).created).toBe(false);
    expect((await api.templates.preview("welcome", { variables: { name: "Ada" } })).text).toBe("Hi Ada");
    expect((await api.templates.preview("welcome")).valid).toBe(false);
    expect((await api.templates.list()).data.length).toBe(1);
    expect((await api.templates.get("welcome@1")).text).toBe("Hi {{ name }}");
    expect((await api.templates.versions("welcome")).data.length).toBe(1);
    expect((await api.templates.archive("welcome", { reason: "old" })).archived).toBe(1);
    expect((await api.secrets.set("token", { value: "a-token" })).version).toBe(1);
    expect((await api.secrets.list()).data).toMatchObject([{ name: "token" }]);
    expect((await api.secrets.reencrypt({ limit: 10 }, { dryRun: true })).remaining).toBe(0);
    expect((await api.secrets.delete("token", "unused")).dryRun).toBe(false);
  });

  test("handles operations over many dead letters", async () => {
    const { client: api } = await client();
    const body = { filter: { definition: "order" }, perSecond: 5 };
    expect(await api.operations.previewRetryAll(body)).toMatchObject({ dryRun: true, matching: 0 });
    expect(await api.operations.previewArchiveAll({ filter: {} })).toMatchObject({ dryRun: true });
    const { operation } = await api.operations.retryAll(body, { idempotencyKey: "all" });
    expect((await api.operations.retryAll(body, { idempotencyKey: "all" })).repeated).toBe(true);
    expect((await api.operations.get(operation.id)).perSecond).toBe(5);
    expect((await api.operations.archiveAll({ filter: {} })).operation.verb).toBe("archive");
    expect((await api.operations.list({ verb: "retry" })).data).toMatchObject([{ id: operation.id }]);
    expect((await api.operations.abort(operation.id, { reason: "enough" })).operation.status).toBe("aborted");
  });

  test("handles operations over many executions", async () => {
    const { client: api } = await client();
    const body = { verb: "pause", filter: { definition: "order" }, stopAt: { failedShare: 0.1 } } as const;
    expect(await api.operations.preview(body)).toMatchObject({ dryRun: true, matching: 0, sample: { of: 0 } });
    const { operation } = await api.operations.start(body, { idempotencyKey: "all" });
    expect(operation).toMatchObject({ of: "executions", verb: "pause", stopAt: { failedShare: 0.1, after: 20 } });
    expect((await api.operations.list({ verb: "pause" })).data).toMatchObject([{ id: operation.id }]);
  });

  test("enrols many subjects, looks at one and forgets it", async () => {
    const { client: api } = await client();
    const journey = {
      kind: "journey",
      name: "wedding",
      initial: "later",
      subject: { var: "execution.variables.coupleId" },
      nodes: { later: { type: "delay", for: "P30D" } },
    } as const;
    await api.definitions.create(journey);
    const { operation } = await api.subjects.openEnrolment("wedding", { perSecond: 5 });
    const line = { variables: { coupleId: "couple/1" } };
    expect(await api.subjects.appendPart(operation.id, 1, { lines: [line] })).toMatchObject({ lines: 1 });
    expect(await api.subjects.previewEnrolment(operation.id)).toMatchObject({ dryRun: true, enrolled: 1 });
    expect((await api.subjects.startEnrolment(operation.id)).operation.status).toBe("running");
    expect((await api.subjects.troubles(operation.id)).data).toEqual([]);
    const { execution } = await api.executions.start({ definition: "wedding", ...line });
    expect((await api.subjects.get("couple/1")).journeys).toMatchObject([
      { journey: "wedding", enrolments: [{ execution: execution.id, status: "live" }] },
    ]);
    const refused = await api.subjects.erase("couple/1").catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({ code: "execution_live" });
    expect(await api.subjects.erase("couple/2", "they asked")).toMatchObject({ executions: [], once: [] });
    const next = { definition: "wedding", nextBefore: "2400-01-01T00:00:00Z" };
    expect((await api.executions.list(next)).data).toEqual([]);
  });

  test("throws what was refused as a ProblemError", async () => {
    const made = api();
    const { key } = await tenantWithKey(made);
    const api1 = createClient({ baseUrl: "https://api.test", key, fetch: made.fetch });
    const error = await api1.executions
      .start({ definition: "none" }, { requestId: "r-7" })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ code: "not_found", status: 404, requestId: "r-7", retryable: false });
    expect(error).toMatchObject({ errors: [{ pointer: "/definition" }], message: expect.stringContaining("none") });
  });

  test("filters dead letters and executions as the API does", async () => {
    const { client: api, made, ...owner } = await client();
    const { id } = await deadLetter(made, owner);
    const ids = async (filters: DeadLetterFilters) => (await api.deadLetters.list(filters)).data.map((each) => each.id);
    expect(await ids({ handled: false })).toEqual([id]);
    expect(await ids({ handled: true })).toEqual([]);
    expect(await ids({ connection: "con_none" })).toEqual([]);
    expect((await api.executions.list({ quarantined: true })).data).toEqual([]);
  });

  test("separates an error and its hint into two sentences", () => {
    const problem = { error: "there is no timer here", hint: "Name one." } as Problem; // only these fields are read
    expect(new ProblemError(problem).message).toBe("there is no timer here. Name one.");
    expect(new ProblemError({ ...problem, error: "Done." }).message).toBe("Done. Name one.");
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])("sends no %d, which would arrive as null", async (total) => {
    const { client: api, made } = await client();
    const start = api.executions.start({ definition: "order", variables: { items: [{ total }] } });
    await expect(start).rejects.toThrow(namingPattern("total", String(total)));
    expect(made.cells.calls).toEqual([]);
  });

  test("takes an answer that is no problem document for what it is", async () => {
    const fetch = async () => new Response("<h1>Bad gateway</h1>", { status: 502 });
    const error = await createClient({ baseUrl: "https://api.test", key: "k", fetch })
      .health()
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "unavailable", status: 502, retryable: true });
  });

  test("an id cannot become an address", async () => {
    const asked: string[] = [];
    const fetch = async (url: string) => (asked.push(url), Response.json({}));
    await createClient({ baseUrl: "https://api.test", key: "k", fetch }).executions.get("../tenants?x=1");
    expect(asked).toEqual(["https://api.test/v1/executions/..%2Ftenants%3Fx%3D1"]);
  });
});
