// Standalone actions over HTTP: refused bodies with pointers, responses, idempotency keys, and the list.
import { beforeAll, describe, expect, it } from "vitest";
import { applyProjections } from "#catalog/projections/projections.ts";
import { configFindings } from "#runners/draft.ts";
import { actionTypes } from "#runners/registry.ts";
import { api, must, shop, tenantWithKey, type Api, type Parsed } from "#test/support/api.ts";
import { miss } from "#test/support/dead-letter.ts";
import { executionRow, NOW, projection, runRow } from "#test/support/catalog.ts";
import { naming } from "#test/support/matchers/naming.ts";

const lone = { type: "webhook", config: { url: "https://example.com/{{ execution.variables.to }}" } };

const office = { days: "MON-FRI", from: "09:00", to: "17:00" };
const zoneAt = "/window/timezone";
const capOf = (subject: unknown, more: object = {}) => ({
  ...lone,
  cap: { name: "gentle", max: 1, per: "P7D", subject, ...more },
});

let made: Api;
let owner: { readonly tenant: string; readonly key: string };
beforeAll(async () => {
  made = api({ actionTypes, configFindings });
  owner = await shop(made);
  const template = { name: "welcome", text: "Welcome, {{ name }}", variables: [{ name: "name", required: true }] };
  await must(201, made.ask("POST", "/v1/templates", { key: owner.key, body: template }));
});

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  made.ask("POST", path, { key: owner.key, body, headers });
const dispatch = async (body: object, headers?: Record<string, string>): Promise<Parsed> =>
  (await must(201, post("/v1/actions", body, headers))).body.action;

describe("an invalid action is refused at its field", () => {
  const cases: readonly (readonly [string, object, number, string, string])[] = [
    ["an unknown type", { ...lone, type: "webhok" }, 422, "/type", '"webhook"'],
    ["an unknown field", { ...lone, prioritty: 1 }, 400, "/prioritty", '"priority"'],
    ["an unknown field of the config", config({ urll: "x" }), 422, "/config/urll", '"url"'],
    ["a broken template", config({ payload: "{{ a | uppcase }}" }), 422, "/config/payload", '"upcase"'],
    ["a misused secret", config({ payload: "{{ secrets.a | upcase }}" }), 422, "/config/payload", ""],
    ["a delay by name", { ...lone, delay: "soon" }, 422, "/delay", "ISO 8601"],
    ["an unknown operator", { ...lone, condition: { varr: "x" } }, 422, "/condition", '"var"'],
    ["an invalid validUntil", { ...lone, validUntil: "soon" }, 422, "/validUntil", "2026-11-18T09:00:00Z"],
    ["an invalid rule in validUntil", { ...lone, validUntil: { noww: 1 } }, 422, "/validUntil", ""],
    ["an unknown timezone", { ...lone, timezone: "Mars/Base" }, 400, "/timezone", ""],
    [
      "a policy without its delays",
      { ...lone, retryPolicy: { backoffStrategy: "custom" } },
      400,
      "/retryPolicy/delays",
      "",
    ],
    ["a priority above the range", { ...lone, priority: 101 }, 400, "/priority", ""],
    ["too short a window", { ...lone, dedupKey: "k", dedupWindow: 999 }, 422, "/dedupWindow", "PT24H"],
    ["too long a window", { ...lone, dedupKey: "k", dedupWindow: "P31D" }, 422, "/dedupWindow", "PT24H"],
    ["a calendar window", { ...lone, dedupKey: "k", dedupWindow: "P1M" }, 422, "/dedupWindow", "PT24H"],
    ["a window without a key", { ...lone, dedupWindow: "PT1H" }, 400, "/dedupWindow", ""],
    ["an empty dedup key", { ...lone, dedupKey: "" }, 400, "/dedupKey", ""],
    ["a field of definitions only", { ...lone, triggerState: "a" }, 400, "/triggerState", "machines"],
    ["a window by name", { ...lone, window: "office" }, 400, "/window", ""],
    ["a window without times", { ...lone, window: { days: "MON" } }, 400, "/window", ""],
    [
      "a window's zone that is no rule",
      { ...lone, window: { ...office, timezone: { varr: "x" } } },
      422,
      zoneAt,
      '"var"',
    ],
    ["a cap by name", { ...lone, cap: "gentle" }, 400, "/cap", ""],
    ["a cap without a subject", { ...lone, cap: { name: "gentle", max: 3, per: "P7D" } }, 400, "/cap/subject", ""],
    ["a cap without a name", { ...lone, cap: { max: 3, per: "P7D", subject: "a" } }, 400, "/cap/name", ""],
    ["a cap's subject with a secret", capOf("{{ secrets.salt }} x"), 422, "/cap/subject", ""],
    ["a cap's subject with a broken template", capOf("{{ a | nofilter }}"), 422, "/cap/subject", ""],
    ["an unknown template", mail({ template: "wellcome" }), 422, "/config/template", '"welcome"'],
    ["a missing variable", mail({ template: "welcome" }), 422, "/config/variables", ""],
    ["a config that is too large", config({ payload: "x".repeat(140_000) }), 422, "/config", ""],
    ["variables that are too large", { ...lone, variables: { x: "x".repeat(300_000) } }, 422, "/variables", ""],
    ["a lane that the type does not support", { ...child, lane: "direct" }, 422, "/lane", ""],
  ];

  it.each(cases)("%s", async (_what, body, status, pointer, hint) => {
    const before = made.cells.calls.length;
    const { body: refused } = await must(status, post("/v1/actions", body));
    const found = refused.errors.find((each: Parsed) => each.pointer.startsWith(pointer));
    expect(found, JSON.stringify(refused.errors)).toBeDefined();
    expect(`${found.hint ?? ""} ${refused.hint ?? ""}`).toContain(hint);
    expect(made.cells.calls.length).toBe(before);
  });

  it.each(cases)("%s, as one of many", async (_what, body, status, pointer) => {
    const answer = await post("/v1/actions/batch", { actions: [lone, body] });
    // An invalid shape refuses the whole batch; an invalid item refuses only itself.
    expect(answer.status).toBe(status === 400 ? 400 : 200);
    const problem = status === 400 ? answer.body : answer.body.results[1].problem;
    expect(problem.errors.map((each: Parsed) => each.pointer).join()).toContain(`/actions/1${pointer}`);
    if (status !== 400) expect(answer.body).toMatchObject({ dispatched: 1, repeated: 0, refused: 1 });
  });
});

const child = { type: "start_execution", config: { definition: "order" } };

function config(more: object) {
  return { type: "webhook", config: { url: "https://example.com", ...more } };
}

function mail(more: object) {
  return { type: "email", config: { provider: "sendgrid", to: "ada@example.com", from: "shop@example.com", ...more } };
}

it("an action gets the defaults of the runner and the preset, and its type as name", async () => {
  const action = await dispatch({ ...lone, variables: { to: "a" }, correlationId: "o-17", namespace: "eu" });
  expect(action).toMatchObject({
    actionId: "webhook",
    type: "webhook",
    namespace: "eu",
    correlationId: "o-17",
    maxAttempts: 5,
    dedupKey: null,
    dedupUntil: null,
    retired: false,
  });
  const read = await must(200, made.ask("GET", `/v1/actions/${action.id}`, { key: owner.key }));
  expect(read.body).toEqual({ ...action, delivery: null });
});

it("a template is pinned to its current version", async () => {
  const body = mail({ template: "welcome", variables: { name: "Ada" } });
  const { id } = await dispatch(body);
  const cell = made.cells.calls.findLast(({ method }) => method === "start")?.cell ?? "";
  const state = await made.cells.cell(cell).read(id);
  expect(state).toMatchObject({ value: { standalone: { action: { config: { template: "welcome@1" } } } } });
});

describe("an Idempotency-Key", () => {
  it("returns the same action for the same body, in any order of fields", async () => {
    const key = { "Idempotency-Key": "once" };
    const first = await dispatch({ ...lone, priority: 7 }, key);
    const { body } = await must(200, post("/v1/actions", { priority: 7, ...lone }, key));
    expect([body.repeated, body.action.id]).toEqual([true, first.id]);
    const refused = await must(422, post("/v1/actions", lone, key));
    expect(refused.body.code).toBe("idempotency_conflict");
  });

  it("is separate from the keys of execution starts", async () => {
    const key = { "Idempotency-Key": "both" };
    const action = await dispatch(lone, key);
    const { body } = await must(201, post("/v1/executions", { definition: "pooled-order" }, key));
    expect(body.execution.id).not.toBe(action.id);
  });

  it("of a batch applies to each item", async () => {
    const key = { "Idempotency-Key": "all" };
    const actions = [lone, { ...lone, priority: 3 }, { ...lone, idempotencyKey: "its-own" }];
    const first = await must(200, post("/v1/actions/batch", { actions }, key));
    const again = await must(200, post("/v1/actions/batch", { actions }, key));
    const ids = (answer: Parsed) => answer.body.results.map(({ id }: Parsed) => id);
    expect([first.body.dispatched, again.body.repeated]).toEqual([3, 3]);
    expect(ids(again)).toEqual(ids(first));
    const { body } = await must(200, post("/v1/actions", { ...lone, priority: 3 }, { "Idempotency-Key": "all.1" }));
    expect(body.action.id).toBe(ids(first)[1]);
  });
});

it("a dry run returns the result and creates nothing", async () => {
  const before = made.cells.calls.length;
  const { body } = await must(200, post("/v1/actions?dryRun=true", { ...lone, delay: "PT1H" }));
  expect(body).toMatchObject({ dryRun: true, repeated: false, action: { status: "scheduled" } });
  expect(body.entries.map(({ kind }: Parsed) => kind)).toContain("run_created");
  expect(made.cells.calls.length).toBe(before);
  const many = await must(200, post("/v1/actions/batch?dryRun=true", { actions: [lone, { ...lone, type: "x" }] }));
  expect(many.body).toMatchObject({ dryRun: true, dispatched: 1, refused: 1 });
  expect(made.cells.calls.length).toBe(before);
});

describe("an id that is not an action", () => {
  it.each(["GET ", "POST /cancel", "POST /retry"])("%s refers to the execution's own route", async (asked) => {
    const [method = "", verb = ""] = asked.split(" ");
    const started = await must(201, post("/v1/executions", { definition: "order" }));
    const { id } = started.body.execution;
    const refused = await must(404, made.ask(method, `/v1/actions/${id}${verb}`, { key: owner.key }));
    expect(refused.body.hint).toContain(`/v1/executions/${id}`);
    const still = await must(200, made.ask("GET", `/v1/executions/${id}`, { key: owner.key }));
    expect(still.body.status).toBe("waiting");
  });

  it("an unknown id is 404", async () => {
    await must(404, made.ask("GET", "/v1/actions/exe_nobody", { key: owner.key }));
  });
});

describe("cancel", () => {
  it("cancels an action that has not begun; a repeat returns the same; a new request is refused", async () => {
    const { id } = await dispatch({ ...lone, delay: "PT1H" });
    const cancel = (headers: Record<string, string>) =>
      post(`/v1/actions/${id}/cancel`, { reason: "not needed" }, headers);
    const { body } = await must(200, cancel({ "Idempotency-Key": "c" }));
    expect(body.action).toMatchObject({ status: "canceled", reason: "execution_canceled" });
    expect((await must(200, cancel({ "Idempotency-Key": "c" }))).body.repeated).toBe(true);
    const refused = await must(409, cancel({}));
    expect(refused.body).toMatchObject({ code: "execution_final", hint: expect.any(String) });
  });

  it("and retry of an action with deleted history are refused with the reason", async () => {
    const id = "exe_01KABCDEFGHJKMNPQRSTVWXYZ0_p1";
    const execution = { tenant: owner.tenant, id, definitionId: "def_action", definitionName: "$action" };
    await applyProjections(made.world.db, [
      projection({
        executions: [executionRow({ ...execution, createdAt: createdIn(id), status: "completed" })],
        runs: [runRow({ tenant: owner.tenant, execution: id, id: "1.0", type: "email", definition: "$action" })],
      }),
    ]);
    const read = await must(200, made.ask("GET", `/v1/actions/${id}`, { key: owner.key }));
    expect(read.body).toMatchObject({ id, type: "email", status: "ok", retired: true, maxAttempts: null });
    for (const verb of ["cancel", "retry"]) {
      const refused = await must(409, post(`/v1/actions/${id}/${verb}`, {}));
      expect(refused.body).toMatchObject({ code: "execution_final", detail: naming(id) });
    }
  });
});

/** The creation instant that the id contains. */
function createdIn(id: string): number {
  const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  return Array.from(id.slice(4, 14)).reduce((sum, letter) => sum * 32 + letters.indexOf(letter), 0);
}

it("a retry may use the template's current version after the pinned one was archived", async () => {
  const { id } = await dispatch(mail({ template: "welcome", variables: { name: "Ada" } }));
  const cell = made.cells.calls.findLast(({ method }) => method === "start")?.cell ?? "";
  miss(made, cell, id);
  const template = { name: "farewell", text: "Bye, {{ name }}", variables: [{ name: "name" }] };
  await must(201, made.ask("POST", "/v1/templates", { key: owner.key, body: template }));
  const headers = { "Idempotency-Key": "retry-with-template" };
  const retry = (body: object, more = headers) => must(200, post(`/v1/actions/${id}/retry`, body, more));
  expect((await retry({ config: { template: "farewell" } })).body.repeated).toBe(false);
  expect((await retry({ config: { template: "farewell" } })).body.repeated).toBe(true);
  expect(miss(made, cell, id).runs[0]?.config).toMatchObject({ template: "farewell@1" });
  await must(200, post("/v1/templates/farewell/archive", {}));
  await retry({ config: { variables: { name: "Eve" } } }, { "Idempotency-Key": "retry-archived" });
  expect(miss(made, cell, id).runs[0]?.config).toMatchObject({ template: "farewell@1", variables: { name: "Eve" } });
});

it("only a failed action can be retried", async () => {
  const { id } = await dispatch({ ...lone, delay: "PT1H" });
  const refused = await must(409, post(`/v1/actions/${id}/retry`, {}));
  expect(refused.body).toMatchObject({ code: "run_not_startable", detail: expect.stringContaining("scheduled") });
});

describe("the list", () => {
  it("has actions only, newest first, paginated and filtered", async () => {
    const { tenant, key } = await tenantWithKey(made);
    const of = (n: number) => ({ tenant, id: `exe_${n}`, createdAt: NOW + n });
    const alone = { definitionId: "def_action", definitionName: "$action" };
    const run = (n: number) => ({ tenant, execution: `exe_${n}`, id: "1.0", createdAt: NOW + n });
    await applyProjections(made.world.db, [
      projection({
        executions: [
          executionRow(of(1)),
          executionRow({ ...of(2), ...alone }),
          executionRow({ ...of(3), ...alone, status: "waiting", finishedAt: null, namespace: "eu" }),
          executionRow({ ...of(4), ...alone, status: "active", finishedAt: null, correlationId: "o-17" }),
        ],
        runs: [
          runRow(run(1)),
          runRow({ ...run(2), type: "email", action: "welcome" }),
          runRow({
            ...run(3),
            status: "failed",
            deadLetter: true,
            errorType: "timeout",
            errorCode: "slow",
            error: "503",
          }),
          runRow({ ...run(4), status: "retry" }),
        ],
      }),
    ]);
    const ids = async (query: string) =>
      (await must(200, made.ask("GET", `/v1/actions?${query}`, { key }))).body.data.map(({ id }: Parsed) => id);
    expect(await ids("")).toEqual(["exe_4", "exe_3", "exe_2"]);
    expect(await ids("status=failed")).toEqual(["exe_3"]);
    expect(await ids("status=ok")).toEqual(["exe_2"]);
    expect(await ids("status=retry&type=webhook")).toEqual(["exe_4"]);
    expect(await ids("type=email")).toEqual(["exe_2"]);
    expect(await ids("actionId=welcome")).toEqual(["exe_2"]);
    expect(await ids("namespace=eu")).toEqual(["exe_3"]);
    expect(await ids("correlationId=o-17")).toEqual(["exe_4"]);
    expect(await ids(`createdAfter=${new Date(NOW + 3).toISOString()}`)).toEqual(["exe_4"]);
    expect(await ids(`createdBefore=${new Date(NOW + 3).toISOString()}`)).toEqual(["exe_2"]);
    const first = await must(200, made.ask("GET", "/v1/actions?limit=2", { key }));
    expect(await ids(`limit=2&cursor=${first.body.nextCursor}`)).toEqual(["exe_2"]);
    expect(first.body.data[1]).toMatchObject({
      status: "failed",
      error: { type: "timeout", code: "slow", message: "503" },
      deadLetterId: "dl_3.1.0",
    });
  });
});
