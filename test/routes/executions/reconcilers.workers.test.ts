// Reconcilers over HTTP: desired and observed state with revisions, conditions, sizes and repeats.
import { describe, expect, test } from "vitest";
import { OBSERVED_BYTES_MAX } from "#schema/limits/definition-sizes.ts";
import { api, must, tenantWithKey } from "#test/support/api.ts";
import { naming } from "#test/support/matchers/naming.ts";

const lamp = {
  kind: "reconciler",
  name: "lamp",
  initial: "Off",
  tick: "PT1S",
  desired: { on: false, at: { house: 1 } },
  states: {
    Off: { reason: "not lit", rules: [{ when: { var: "observed.lit" }, target: "On", reason: "somebody lit it" }] },
    On: { reason: "lit" },
  },
};

async function lit() {
  const made = api();
  const { tenant, key } = await tenantWithKey(made);
  await must(201, made.ask("POST", "/v1/definitions", { key, body: lamp }));
  const start = (body: object) => made.ask("POST", "/v1/executions", { key, body: { definition: "lamp", ...body } });
  const { execution } = (await must(201, start({ desired: { at: { floor: 2 } } }))).body;
  const at = `/v1/executions/${execution.id}`;
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    made.ask(method, at + path, { key, headers, ...(body === undefined ? {} : { body }) });
  return { made, tenant, key, ask, at, start };
}

describe("reading", () => {
  test("state, reason, the seven fields of the action's status, desired and observed state", async () => {
    const { ask } = await lit();
    const { body } = await must(200, ask("GET", ""));
    expect(body).toMatchObject({
      waitingFor: [{ for: "tick", at: body.wakeAt }],
      state: "Off",
      reason: "not lit",
      states: ["Off"],
      observed: { value: null, revision: 0 },
    });
    expect(body.desired).toMatchObject({ value: { on: false, at: { house: 1, floor: 2 } }, revision: 1 });
    expect(body.actionStatus).toEqual({
      inProgress: false,
      actionName: "",
      startedAt: null,
      succeeded: false,
      failed: false,
      errorMessage: null,
      retries: 0,
    });
  });

  test("desired and observed state have their revision as ETag", async () => {
    const { ask } = await lit();
    const desired = await must(200, ask("GET", "/desired"));
    expect([desired.headers.get("ETag"), desired.body.revision]).toEqual(['"1"', 1]);
    const observed = await must(200, ask("GET", "/observed"));
    expect([observed.headers.get("ETag"), observed.body]).toEqual(['"0"', { value: null, revision: 0, at: null }]);
  });

  test("of another kind of execution neither can be read or set", async () => {
    const { made, key } = await lit();
    const switcher = { kind: "machine", name: "switcher", initial: "a", states: { a: { on: { go: "a" } } } };
    await must(201, made.ask("POST", "/v1/definitions", { key, body: switcher }));
    const begun = (body: object) =>
      made.ask("POST", "/v1/executions", { key, body: { definition: "switcher", ...body } });
    const { body } = await must(201, begun({}));
    expect(body.execution).not.toHaveProperty("actionStatus");
    const at = `/v1/executions/${body.execution.id}`;
    expect((await must(409, made.ask("GET", `${at}/desired`, { key }))).body).toMatchObject({
      code: "verb_not_applicable",
      detail: naming("machine", "switcher"),
    });
    const put = made.ask("PUT", `${at}/observed`, { key, body: { value: {} } });
    expect((await must(409, put)).body.code).toBe("verb_not_applicable");
    const refused = await must(400, begun({ desired: { on: true } }));
    expect(refused.body.errors).toMatchObject([{ pointer: "/desired", code: "not_a_reconciler" }]);
  });
});

describe("setting", () => {
  test("replaces or merges, and increments the revision at each change", async () => {
    const { ask } = await lit();
    const merged = await must(200, ask("PUT", "/desired", { value: { on: true, at: null }, mode: "merge" }));
    expect(merged.headers.get("ETag")).toBe('"2"');
    expect(merged.body.execution.desired).toMatchObject({ value: { on: true }, revision: 2 });
    await must(200, ask("PUT", "/desired", { value: { on: true } }));
    const replaced = await must(200, ask("PUT", "/desired", { value: { dim: 3 } }));
    expect(replaced.body.execution.desired).toMatchObject({ value: { dim: 3 }, revision: 3 });
  });

  test("with If-Match changes only that revision; 412 has the current one", async () => {
    const { ask } = await lit();
    const put = (revision: string, value: object) => ask("PUT", "/desired", { value }, { "If-Match": revision });
    await must(200, put('"1"', { on: true }));
    const { body } = await must(412, put('"1"', { on: false }));
    expect(body).toMatchObject({ code: "revision_mismatch", details: { revision: 2 }, retryable: false });
    await must(200, put('"2"', { on: false }));
    const first = ask("PUT", "/observed", { value: { lit: false } }, { "If-Match": '"0"' });
    expect((await must(200, first)).headers.get("ETag")).toBe('"1"');
    await must(412, ask("PUT", "/observed", { value: { lit: true } }, { "If-Match": '"0"' }));
  });

  test.each(["3", '"x"', 'W/"1"', '"1", "2"', "*", '"01"', '"-1"'])(
    "a condition that is none (%s) is refused, and nothing is changed",
    async (condition) => {
      const { ask } = await lit();
      for (const half of ["/desired", "/observed"]) {
        const refused = await must(400, ask("PUT", half, { value: { on: true } }, { "If-Match": condition }));
        expect(refused.body.errors).toMatchObject([{ pointer: "If-Match", code: "invalid_format" }]);
      }
      expect((await must(200, ask("GET", "/desired"))).body.revision).toBe(1);
    },
  );

  test("other conditional headers are refused", async () => {
    const { ask } = await lit();
    await must(400, ask("PUT", "/desired", { value: {} }, { "If-None-Match": "*" }));
  });

  test("an older or equal observation changes nothing", async () => {
    const { made, ask } = await lit();
    const seen = (ms: number, lit: boolean) =>
      ask("PUT", "/observed", { value: { lit }, observedAt: new Date(made.world.clock.now + ms).toISOString() });
    made.world.clock.now += 10_000;
    await must(200, seen(0, false));
    const late = await must(200, seen(-5_000, true));
    expect(late.body.execution.observed).toMatchObject({ value: { lit: false }, revision: 1 });
    const same = await must(200, seen(0, false));
    expect(same.body).toMatchObject({ seq: null, execution: { observed: { revision: 1 } } });
  });

  test("rules are evaluated at the next tick", async () => {
    const { made, ask } = await lit();
    await must(200, ask("PUT", "/observed", { value: { lit: true } }));
    made.world.clock.now += 1_000;
    await must(200, ask("POST", "/poke"));
    expect((await must(200, ask("GET", ""))).body).toMatchObject({ state: "On", reason: "somebody lit it" });
  });

  test("a repeat with the same key applies once; another body is refused", async () => {
    const { ask } = await lit();
    const headers = { "Idempotency-Key": "on-1" };
    await must(200, ask("PUT", "/desired", { value: { on: true } }, headers));
    await must(200, ask("PUT", "/desired", { value: { on: false } }));
    const again = await must(200, ask("PUT", "/desired", { value: { on: true } }, headers));
    expect(again.body).toMatchObject({ repeated: true, execution: { desired: { value: { on: false }, revision: 3 } } });
    const other = await must(422, ask("PUT", "/desired", { value: { on: 1 } }, headers));
    expect(other.body.code).toBe("idempotency_conflict");
  });

  test("a dry run returns the result and changes nothing", async () => {
    const { ask } = await lit();
    const { body } = await must(200, ask("PUT", "/desired?dryRun=true", { value: { on: true }, reason: "dark" }));
    expect(body).toMatchObject({ dryRun: true, entries: [{ kind: "desired", revision: 2, reason: "dark" }] });
    expect((await must(200, ask("GET", "/desired"))).body.revision).toBe(1);
  });

  test("the size limit counts bytes, not characters", async () => {
    const { ask, start } = await lit();
    const value = { text: "é".repeat(OBSERVED_BYTES_MAX / 2) };
    for (const half of ["/desired", "/observed"]) {
      const { body } = await must(422, ask("PUT", half, { value }));
      expect(body).toMatchObject({ code: "limit_exceeded", errors: [{ pointer: "/value" }] });
      expect(body.details).toMatchObject({ limit: OBSERVED_BYTES_MAX, size: OBSERVED_BYTES_MAX + 11 });
    }
    expect((await must(422, start({ desired: value }))).body.errors).toMatchObject([{ pointer: "/desired" }]);
  });

  test.each([
    [{ value: 3 }, "/value"],
    [{ value: {}, mode: "mix" }, "/mode"],
    [{ vale: {} }, "/vale"],
  ])("a body like %j is refused with a pointer", async (body, pointer) => {
    const { ask } = await lit();
    const refused = await must(400, ask("PUT", "/desired", body));
    expect(refused.body.errors.map((each: { pointer: string }) => each.pointer)).toContain(pointer);
  });

  test("the journal has the actor and reason of each desired state", async () => {
    const { ask } = await lit();
    await must(200, ask("PUT", "/desired", { value: { on: true }, reason: "dark outside" }));
    await must(200, ask("PUT", "/observed", { value: { lit: true } }));
    const journal = (await must(200, ask("GET", "/journal"))).body.data;
    const actor = { kind: "key", id: expect.any(String) };
    expect(journal).toMatchObject([
      { kind: "started" },
      { kind: "moved", to: "Off" },
      { kind: "desired", revision: 2, desired: { on: true }, reason: "dark outside", actor },
      { kind: "observed", revision: 1, observed: { lit: true } },
    ]);
  });
});

test("an ended execution refuses both", async () => {
  const { ask } = await lit();
  await must(200, ask("POST", "/cancel"));
  expect((await must(409, ask("PUT", "/desired", { value: {} }))).body.code).toBe("execution_final");
  expect((await must(409, ask("PUT", "/observed", { value: {} }))).body.code).toBe("execution_final");
});

test("a batch starts several, each with its desired state", async () => {
  const { made, key } = await lit();
  const executions = [{ definition: "lamp", desired: { on: true } }, { definition: "lamp" }];
  const { body } = await must(200, made.ask("POST", "/v1/executions/batch", { key, body: { executions } }));
  const desired = body.results.map(async ({ id }: { id: string }) => {
    const read = await must(200, made.ask("GET", `/v1/executions/${id}/desired`, { key }));
    return read.body.value.on;
  });
  expect(await Promise.all(desired)).toEqual([true, false]);
});
