// Publishing over HTTP: drafts, publishing, rolling back, and the list of publications.
import { describe, expect, test } from "vitest";
import { must } from "#test/support/api.ts";
import { keeper, order } from "./publisher.ts";
import { naming } from "#test/support/matchers/naming.ts";

const fails = { name: "is done by itself", blocking: true, expect: [{ status: "completed" }] };

describe("drafts", () => {
  test("are started by version, as the newest draft and by id, but not by name", async () => {
    const { create, draft, started, read, versions } = await keeper();
    const first = await create(order());
    expect(first).toMatchObject({ created: true, definition: { version: 1, standing: "published" } });
    const { definition, created } = await draft(order({ concurrency: 2 }));
    expect({ created, definition }).toMatchObject({
      created: true,
      definition: { version: 2, standing: "draft", publishedAt: null },
    });
    expect(await started()).toBe(1);
    expect([await started("order@2"), await started("order@draft"), await started(definition.id)]).toEqual([2, 2, 2]);
    expect((await must(200, read("/v1/definitions/order"))).body).toMatchObject({ version: 1, standing: "published" });
    expect((await must(200, read("/v1/definitions/order@draft"))).body).toMatchObject({
      version: 2,
      standing: "draft",
    });
    const listed = await must(200, read("/v1/definitions"));
    expect(listed.body.data).toMatchObject([{ name: "order", version: 1 }]);
    expect(await versions()).toEqual(["2 draft", "1 published"]);
  });

  test("a name with drafts only is refused with a hint", async () => {
    const { draft, post, started, read } = await keeper();
    await draft(order());
    const refused = await must(409, post("/v1/executions", { definition: "order" }));
    expect(refused.body).toMatchObject({
      code: "definition_unpublished",
      detail: naming("order"),
      hint: naming("POST /v1/definitions/order@1/publish", '"definition": "order@1"'),
    });
    expect(await started("order@1")).toBe(1);
    expect((await must(200, read("/v1/definitions/order"))).body).toMatchObject({ version: 1, standing: "draft" });
    expect((await must(404, read("/v1/definitions/other@draft"))).body.code).toBe("not_found");
  });

  test("with the content of the newest version are that version", async () => {
    const { create, post } = await keeper();
    const { definition } = await create(order());
    const same = await must(200, post("/v1/definitions?draft=true", order()));
    expect(same.body).toMatchObject({ created: false, definition: { id: definition.id, standing: "published" } });
    const changed = order({ concurrency: 2 });
    const drafted = await must(201, post("/v1/definitions?draft=true", changed));
    const again = await must(200, post("/v1/definitions?draft=true", changed));
    expect(again.body.definition).toEqual(drafted.body.definition);
  });

  test("may fail their tests with a warning; publishing is refused until the tests pass", async () => {
    const { create, draft, post, started } = await keeper();
    await create(order());
    const drafted = await draft(order({ tests: [fails] }));
    const found = { pointer: "/tests/0/expect/0/status", code: "test_failed" };
    expect(drafted).toMatchObject({ tests: [{ passed: false }], warnings: [{ severity: "warning", ...found }] });
    const refused = await must(422, post("/v1/definitions/order/publish"));
    expect(refused.body).toMatchObject({ code: "definition_invalid", errors: [found] });
    await must(422, post("/v1/definitions", order({ tests: [fails] })));
    expect(await started()).toBe(1);
  });

  test("are tested and previewed by the name of the newest draft", async () => {
    const { create, draft, post } = await keeper();
    const passing = { name: "stays open", expect: [{ states: ["open"] }] };
    await create(order());
    await draft(order({ tests: [passing] }));
    expect((await must(200, post("/v1/definitions/order/test"))).body.tests).toEqual([]);
    expect((await must(200, post("/v1/definitions/order@draft/test"))).body.tests).toMatchObject([{ passed: true }]);
    const previewed = { subjects: [{ id: "ada", variables: {} }] };
    const shown = await must(200, post("/v1/definitions/order@draft/preview", previewed));
    expect(shown.body.definition).toBe("order@2");
    const meant = await must(200, post("/v1/definitions/order/preview", previewed));
    expect(meant.body.definition).toBe("order@1");
  });

  test("are published by storing the same content without ?draft", async () => {
    const { create, draft, post, started, history } = await keeper();
    await create(order());
    const { definition } = await draft(order({ concurrency: 2 }));
    const sent = await must(200, post("/v1/definitions", order({ concurrency: 2 })));
    expect(sent.body).toMatchObject({ created: false, definition: { id: definition.id, standing: "published" } });
    expect(await started()).toBe(2);
    expect(await history()).toEqual(["2 published 1 to 2", "1 published null to 1"]);
  });
});

describe("publishing", () => {
  test("makes the name refer to the draft; running executions keep their version", async () => {
    const { create, draft, post, started, versions, ask, key, read, history } = await keeper();
    await create(order());
    const before = await must(201, post("/v1/executions", { definition: "order" }));
    await draft(order({ concurrency: 2 }));
    const done = await must(200, post("/v1/definitions/order/publish", { reason: "two at once" }));
    expect(done.body).toMatchObject({
      changed: true,
      was: 1,
      publication: 2,
      everywhereWithinMs: 5_000,
      dryRun: false,
      definition: { version: 2, standing: "published" },
    });
    expect(await started()).toBe(2);
    expect((await must(200, read(`/v1/executions/${before.body.execution.id}`))).body.definition.version).toBe(1);
    expect(await versions()).toEqual(["2 published", "1 superseded"]);
    expect(await history()).toEqual(["2 published 1 to 2", "1 published null to 1"]);
    const told = await must(200, read("/v1/definitions/order/publications?limit=1"));
    expect(told.body).toMatchObject({ data: [{ reason: "two at once", actor: expect.stringMatching(/^key:key_/) }] });
    const next = await must(200, read(`/v1/definitions/order/publications?limit=1&cursor=${told.body.nextCursor}`));
    expect(next.body).toMatchObject({ data: [{ number: 1 }], nextCursor: null });
    const audit = await must(200, ask("GET", "/v1/audit?verb=definition.publish", { key }));
    expect(audit.body.data).toMatchObject([{ target: "order@2", reason: "two at once" }]);
  });

  test("publishes any version; a second time changes nothing", async () => {
    const { create, post, started, history } = await keeper();
    await create(order());
    await create(order({ concurrency: 2 }));
    const done = await must(200, post("/v1/definitions/order@1/publish"));
    expect(done.body).toMatchObject({ changed: true, was: 2, definition: { version: 1 } });
    const again = await must(200, post("/v1/definitions/order@1/publish"));
    expect(again.body).toMatchObject({ changed: false, publication: 3 });
    expect(await started()).toBe(1);
    expect(await history()).toEqual(["3 published 2 to 1", "2 published 1 to 2", "1 published null to 1"]);
  });

  test("warns of names in the version that do not exist", async () => {
    const { draft, post } = await keeper();
    const config = { url: "https://example.com/{{ secrets.token }}" };
    const actions = [{ actionId: "call", type: "webhook", triggerState: "done", config }];
    const drafted = await draft(order({ actions }));
    const warned = [{ code: "secret_unset", pointer: "/actions/0/config/url" }];
    expect(drafted.warnings).toMatchObject(warned);
    expect((await must(200, post("/v1/definitions/order/publish"))).body.warnings).toMatchObject(warned);
  });

  test("is refused with a hint without a draft; a dry run changes nothing", async () => {
    const { create, draft, post, started } = await keeper();
    await create(order());
    const none = await must(409, post("/v1/definitions/order/publish"));
    const hint = expect.stringContaining("POST /v1/definitions/order@1/publish");
    expect(none.body).toMatchObject({ code: "nothing_to_publish", hint });
    await draft(order({ concurrency: 2 }));
    const dry = await must(200, post("/v1/definitions/order/publish?dryRun=true"));
    expect(dry.body).toMatchObject({ changed: true, dryRun: true, definition: { version: 2, standing: "published" } });
    expect(await started()).toBe(1);
    await must(200, post("/v1/definitions/order@2/archive"));
    expect((await must(409, post("/v1/definitions/order@2/publish"))).body.code).toBe("definition_archived");
    await must(404, post("/v1/definitions/order@9/publish"));
    await must(404, post("/v1/definitions/oder/publish"));
  });

  test("is done once per Idempotency-Key", async () => {
    const { create, draft, post, history } = await keeper();
    await create(order());
    await draft(order({ concurrency: 2 }));
    const headers = { "Idempotency-Key": "publish-1" };
    const first = await must(200, post("/v1/definitions/order/publish", {}, { headers }));
    await create(order({ concurrency: 3 }));
    const again = await must(200, post("/v1/definitions/order/publish", {}, { headers }));
    expect(again.body).toEqual(first.body);
    expect(await history()).toHaveLength(3);
  });
});

describe("rolling back", () => {
  test("takes effect at once, and returns the executions on the bad version", async () => {
    const { create, post, started, versions, history, ask, key } = await keeper();
    await create(order());
    await create(order({ concurrency: 2 }));
    await started();
    const done = await must(200, post("/v1/definitions/order/rollback", { reason: "mails twice" }));
    expect(done.body).toMatchObject({
      was: 2,
      takenBack: [2],
      publication: 3,
      definition: { version: 1, standing: "published" },
      dryRun: false,
    });
    expect(await started()).toBe(1);
    expect(await versions()).toEqual(["2 rolled_back", "1 published"]);
    expect(await history()).toEqual(["3 rolled_back 2 to 1", "2 published 1 to 2", "1 published null to 1"]);
    const audit = await must(200, ask("GET", "/v1/audit?verb=definition.rollback", { key }));
    expect(audit.body.data).toMatchObject([{ target: "order@2", reason: "mails twice" }]);
  });

  test("two concurrent rollbacks of the same version go back one step", async () => {
    const { create, post, started } = await keeper();
    for (const concurrency of [1, 2, 3]) await create(order({ concurrency }));
    await must(200, post("/v1/definitions/order@3/rollback"));
    const second = await must(409, post("/v1/definitions/order@3/rollback"));
    expect(second.body).toMatchObject({ code: "nothing_to_roll_back", details: { published: 2 } });
    expect(await started()).toBe(2);
    await must(200, post("/v1/definitions/order/rollback"));
    expect(await started()).toBe(1);
    const none = await must(409, post("/v1/definitions/order/rollback"));
    expect(none.body).toMatchObject({ code: "nothing_to_roll_back", hint: expect.stringContaining("/archive") });
  });

  test("to a named version undoes all later publications", async () => {
    const { create, post, started, versions } = await keeper();
    for (const concurrency of [1, 2, 3]) await create(order({ concurrency }));
    const dry = await must(200, post("/v1/definitions/order/rollback?dryRun=true", { to: 1 }));
    expect(dry.body).toMatchObject({ takenBack: [3, 2], definition: { version: 1 }, dryRun: true });
    expect(await started()).toBe(3);
    await must(200, post("/v1/definitions/order/rollback", { to: 1 }));
    expect([await started(), ...(await versions())]).toEqual([1, "3 rolled_back", "2 rolled_back", "1 published"]);
    const refused = await must(409, post("/v1/definitions/order/rollback", { to: 2 }));
    expect(refused.body.hint).toContain("POST /v1/definitions/order@2/publish");
  });

  test("is kept: storing the same content again is refused; publishing the version undoes it", async () => {
    const { create, post, started, draft } = await keeper();
    await create(order());
    await create(order({ concurrency: 2 }));
    await must(200, post("/v1/definitions/order/rollback"));
    const refused = await must(409, post("/v1/definitions", order({ concurrency: 2 })));
    expect(refused.body).toMatchObject({ code: "definition_rolled_back", details: { version: 2 } });
    // Storing the content is also refused while another draft is the newest version.
    await draft(order({ concurrency: 3 }));
    await must(409, post("/v1/definitions", order({ concurrency: 2 })));
    expect(await started()).toBe(1);
    await must(200, post("/v1/definitions/order@2/publish"));
    expect(await started()).toBe(2);
    await must(200, post("/v1/definitions", order({ concurrency: 2 })));
  });

  test("skips an archived version", async () => {
    const { create, post, started, history } = await keeper();
    for (const concurrency of [1, 2, 3]) await create(order({ concurrency }));
    await must(200, post("/v1/definitions/order@2/archive"));
    await must(200, post("/v1/definitions/order/rollback"));
    expect(await started()).toBe(1);
    await must(200, post("/v1/definitions/order/archive", { reason: "gone" }));
    expect((await history()).slice(0, 2)).toEqual(["5 archived 1 to null", "4 rolled_back 3 to 1"]);
  });
});

test("archiving the published version restores the one before, and is listed as a publication", async () => {
  const { create, post, started, history } = await keeper();
  await create(order());
  await create(order({ concurrency: 2 }));
  await must(200, post("/v1/definitions/order@2/archive", { reason: "wrong" }));
  expect(await started()).toBe(1);
  expect(await history()).toEqual(["3 archived 2 to 1", "2 published 1 to 2", "1 published null to 1"]);
});

describe("with If-Match", () => {
  test("it succeeds at the given publication; 412 has the current one", async () => {
    const { create, draft, post, started } = await keeper();
    await create(order());
    await draft(order({ concurrency: 2 }));
    const seen = { headers: { "If-Match": '"1"' } };
    const done = await must(200, post("/v1/definitions/order/publish", {}, seen));
    expect(done.headers.get("ETag")).toBe('"2"');
    const late = await must(412, post("/v1/definitions/order/rollback", {}, seen));
    expect(late.body).toMatchObject({ code: "revision_mismatch", details: { publication: 2 } });
    expect(await started()).toBe(2);
    const back = await must(200, post("/v1/definitions/order/rollback", {}, { headers: { "If-Match": '"2"' } }));
    expect(back.headers.get("ETag")).toBe('"3"');
    await must(400, post("/v1/definitions/order/rollback", {}, { headers: { "If-Match": "two" } }));
    await must(412, post("/v1/definitions/order@2/publish", {}, seen));
  });
});

test("another tenant cannot publish, roll back or read it", async () => {
  const { create, draft, ask, started } = await keeper();
  await create(order());
  await draft(order({ concurrency: 2 }));
  const other = await keeper();
  for (const path of ["order@2/publish", "order/rollback"]) {
    await must(404, ask("POST", `/v1/definitions/${path}`, { key: other.key, body: {} }));
  }
  for (const path of ["publications", "diff"]) {
    await must(404, ask("GET", `/v1/definitions/order/${path}`, { key: other.key }));
  }
  expect(await started()).toBe(1);
});
