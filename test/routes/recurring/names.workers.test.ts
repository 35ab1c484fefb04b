// Names of recurring actions over HTTP: created and replaced by name, found by name or id, and foreign ids are 404.
import { describe, expect, test } from "vitest";
import { configFindings } from "#runners/draft.ts";
import { actionTypes } from "#runners/registry.ts";
import { api, must, tenantWithKey } from "#test/support/api.ts";

const digest = {
  cron_expr: "0 9 * * *",
  provider: "webhook",
  action_type: "digest",
  payload: { url: "https://example.com/digest" },
};
const PATH = "/v1/recurring/digest";

async function here() {
  const made = api({ actionTypes, configFindings });
  const { key } = await tenantWithKey(made);
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    made.ask(method, path, { key, headers, ...(body === undefined ? {} : { body }) });
  return { ask };
}

describe("PUT /v1/recurring/{name}", () => {
  test("creates, changes, and leaves an equal body unchanged", async () => {
    const { ask } = await here();
    const created = await must(201, ask("PUT", PATH, digest));
    expect(created.body).toMatchObject({ name: "digest", result: "created", enabled: true });
    const tag = created.headers.get("ETag");
    const again = await must(200, ask("PUT", PATH, { ...digest, name: "digest" }));
    expect([again.body.result, again.headers.get("ETag")]).toEqual(["unchanged", tag]);
    const changed = await must(200, ask("PUT", PATH, { ...digest, cron_expr: "0 8 * * *", enabled: false }));
    expect(changed.body).toMatchObject({ result: "changed", cron_expr: "0 8 * * *", enabled: false });
    const kept = await must(200, ask("PUT", PATH, { ...digest, cron_expr: "0 8 * * *" }));
    expect(kept.body).toMatchObject({ result: "unchanged", enabled: false });
    expect((await must(200, ask("GET", PATH))).headers.get("ETag")).toBe(changed.headers.get("ETag"));
    const audit = await must(200, ask("GET", "/v1/audit"));
    const verbs = audit.body.data.map(({ verb }: { verb: string }) => verb);
    const written = verbs.filter((verb: string) => verb.startsWith("recurring."));
    expect(written.toSorted()).toEqual(["recurring.create", "recurring.update"]);
  });

  test("honours If-None-Match and If-Match", async () => {
    const { ask } = await here();
    await must(412, ask("PUT", PATH, digest, { "If-Match": "*" }));
    const created = await must(201, ask("PUT", PATH, digest, { "If-None-Match": "*" }));
    await must(412, ask("PUT", PATH, digest, { "If-None-Match": "*" }));
    const tag = { "If-Match": created.headers.get("ETag") ?? "" };
    await must(200, ask("PUT", PATH, { ...digest, description: "x" }, tag));
    expect((await must(412, ask("PUT", PATH, digest, tag))).body.code).toBe("precondition_failed");
    await must(412, ask("PUT", `/v1/recurring/${created.body.id}`, { description: "y" }, tag));
  });

  test("a dry run changes nothing", async () => {
    const { ask } = await here();
    expect((await must(200, ask("PUT", `${PATH}?dryRun=true`, digest))).body.result).toBe("created");
    await must(404, ask("GET", PATH));
  });

  test.each([
    [{ ...digest, namespace: "mail" }, "/namespace", "immutable"],
    [{ cron_expr: "0 9 * * *", definition: "order" }, "/definition", "immutable"],
    [{ ...digest, name: "other" }, "/name", "immutable"],
    [{ description: "x" }, "/cron_expr", "required"],
  ])("refuses the change to %j", async (body, pointer, code) => {
    const { ask } = await here();
    await must(201, ask("PUT", PATH, digest));
    const refused = await must(400, ask("PUT", PATH, body));
    expect(refused.body.errors).toContainEqual(expect.objectContaining({ pointer, code }));
  });
});

test("a name is unique, replaces the id in paths, and is free after a deletion", async () => {
  const { ask } = await here();
  const { body } = await must(201, ask("POST", "/v1/recurring", { ...digest, name: "digest" }));
  const taken = await must(409, ask("POST", "/v1/recurring", { ...digest, name: "digest" }));
  expect(taken.body.errors).toMatchObject([{ pointer: "/name", code: "already_exists" }]);
  await must(409, ask("POST", "/v1/recurring?dryRun=true", { ...digest, name: "digest" }));
  expect((await must(200, ask("GET", PATH))).body).toMatchObject({ id: body.recurring_id, name: "digest" });
  expect((await must(200, ask("POST", `${PATH}/pause`, {}))).body).toMatchObject({ id: body.recurring_id });
  await must(200, ask("GET", `${PATH}/history`));
  await must(200, ask("GET", `${PATH}/occurrences`));
  expect((await must(200, ask("GET", "/v1/recurring"))).body.recurring_actions).toMatchObject([{ name: "digest" }]);
  await must(204, ask("DELETE", PATH));
  await must(404, ask("GET", PATH));
  await must(201, ask("PUT", PATH, digest));
});

test.each(["rec_daily", "a3bb189e-8bf9-4888-9912-ace4e6543002"])(
  "a name must not look like an id: %s",
  async (name) => {
    const { ask } = await here();
    const refused = await must(400, ask("POST", "/v1/recurring", { ...digest, name }));
    expect(refused.body.errors).toMatchObject([{ pointer: "/name", code: "custom" }]);
  },
);

describe.each([
  "0b0f3c54-5a1e-4f4e-9a39-6a8f0f6f3a52",
  "a3bb189e-8bf9-4888-9912-ace4e6543002",
  "nope",
  "rec_",
  "rec_a-b",
  "Foo!",
  "7",
])("the unknown id %s", (id) => {
  test.each<[string, string, unknown]>([
    ["GET", "", undefined],
    ["PUT", "", { enabled: false }],
    ["DELETE", "", undefined],
    ["POST", "/pause", {}],
    ["POST", "/resume", {}],
    ["POST", "/trigger", {}],
    ["POST", "/skip", {}],
    ["GET", "/history", undefined],
    ["GET", "/occurrences", undefined],
  ])("is 404 for %s %s", async (method, more, body) => {
    const { ask } = await here();
    const refused = await must(404, ask(method, `/v1/recurring/${encodeURIComponent(id)}${more}`, body));
    expect(refused.body).toMatchObject({ code: "not_found", error: "recurring action not found" });
  });
});
