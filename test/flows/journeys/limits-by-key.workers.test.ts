// Limits by key through the real Worker and real objects: executions of a tenant share a key, other keys and tenants do
// not, and explanations and operators see the limit.
import { expect, test } from "vitest";
import type { Parsed } from "#test/support/api.ts";
import { engine, PROVIDER, provider, until, type Engine } from "../engine.ts";

const customer = { var: "execution.variables.customer" };
const machine = (name: string, limit: readonly object[]) => ({
  kind: "machine",
  name,
  initial: "mail",
  states: {
    mail: { on: { "action.send.ok": "sent", "action.send.skipped": "passed" } },
    sent: { type: "final" },
    passed: { type: "final" },
  },
  actions: [{ actionId: "send", type: "webhook", triggerState: "mail", config: { url: `${PROVIDER}/${name}` }, limit }],
});
const of = (name: string, extra: object = {}) => ({ variables: { customer: name }, ...extra });
const heldRun = (here: Engine, id: string) =>
  until("the run is held", async () => {
    const runs: Parsed[] = await here.runs(id);
    return runs.find(({ held }) => held) ?? null;
  });

test("a rate skips the second run of a customer, and no run of another customer or tenant", async () => {
  const sent = provider();
  const limit = [{ name: "mails", key: customer, rate: { max: 1, per: "P1D" } }];
  const [here, there] = [await engine(machine("mails", limit)), await engine(machine("mails", limit))];
  const first = await here.start("mails", of("ada"));
  await here.reaches(first, "completed");
  const second = await here.start("mails", of("ada"));
  await here.reaches(second, "completed");
  await here.reaches(await here.start("mails", of("bob")), "completed");
  await there.reaches(await there.start("mails", of("ada")), "completed");
  expect(sent.calls).toHaveLength(3);
  expect(await here.runs(second)).toMatchObject([{ status: "skipped", reason: "rate_limited_by_key" }]);
  const { notDone } = await here.must(200, "GET", `/v1/executions/${second}/explain`);
  expect(notDone).toMatchObject([{ what: "run", reason: "rate_limited_by_key" }]);
  expect(Date.parse(notDone[0].nextAt)).toBeGreaterThan(Date.now());
});

test("the newest of two debounced runs is sent, and the older one is skipped", async () => {
  const sent = provider();
  const here = await engine(machine("news", [{ key: customer, debounce: { for: "PT1S" } }]));
  const older = await here.start("news", of("ada"));
  await heldRun(here, older);
  const newer = await here.start("news", of("ada"));
  for (const id of [older, newer]) await here.reaches(id, "completed");
  expect(await here.runs(older)).toMatchObject([{ status: "skipped", reason: "debounced" }]);
  expect(await here.runs(newer)).toMatchObject([{ status: "ok", attempt: 1 }]);
  expect(sent.calls).toHaveLength(1);
});

test("a throttled run waits for its turn, and explain says for what", async () => {
  const sent = provider();
  const here = await engine(machine("calls", [{ name: "calls", key: customer, throttle: { max: 1, per: "PT1H" } }]));
  await here.reaches(await here.start("calls", of("ada")), "completed");
  const second = await here.start("calls", of("ada"));
  const held = await heldRun(here, second);
  expect(held).toMatchObject({ status: "scheduled", attempt: 0, held: { reason: "limit_throttle", connection: null } });
  const { waits } = await here.must(200, "GET", `/v1/executions/${second}/explain`);
  expect(waits).toMatchObject([
    {
      for: "limit",
      by: "limit_throttle",
      limit: "calls",
      key: "ada",
      ahead: 0,
      can: [{ method: "GET", path: "/v1/limits?name=calls&key=ada" }],
    },
  ]);
  expect(sent.calls).toHaveLength(1);
});

test("the end of a run wakes the next run of its key, before it would return by itself", async () => {
  let isOpen = false;
  const sent = provider(async () => {
    await until("the provider answers", async () => isOpen || null);
    return new Response("{}");
  });
  const here = await engine(machine("sync", [{ name: "sync", key: customer, concurrency: 1 }]));
  const first = await here.start("sync", of("ada"));
  await until("the provider is called", async () => (sent.calls.length > 0 ? true : null));
  const waiting: string[] = [];
  for (let n = 0; n < 5; n++) {
    waiting.push(await here.start("sync", of("ada")));
    await heldRun(here, waiting[n] ?? "");
  }
  const last = waiting.at(-1) ?? "";
  const { held } = await heldRun(here, last);
  expect(held).toMatchObject({ reason: "limit_concurrency" });
  isOpen = true;
  for (const id of [first, ...waiting]) await here.reaches(id, "completed");
  const [run] = await here.runs(last);
  expect(Date.parse(run.attempts[0].startedAt)).toBeLessThan(Date.parse(held.until));
  expect(sent.calls.map(({ key }) => key.split("/")[0])).toEqual([first, ...waiting]);
});

test("an operator sees the use of a key, and releases it", async () => {
  provider();
  const here = await engine(machine("one", [{ name: "one", key: customer, throttle: { max: 1, per: "PT1H" } }]));
  const path = "/v1/limits?name=one&key=ada";
  const none = { inUse: [], waiting: 0, next: [], nextAt: null };
  expect(await here.must(200, "GET", path)).toMatchObject({ name: "one", key: "ada", ...none });
  await here.reaches(await here.start("one", of("ada")), "completed");
  const second = await here.start("one", of("ada"));
  await heldRun(here, second);
  const used = await here.must(200, "GET", path);
  expect(used).toMatchObject({ inUse: [], waiting: 1, next: [{ execution: second, run: "1.0" }] });
  expect(Date.parse(used.nextAt)).toBeGreaterThan(Date.now());
  const body = { name: "one", key: "ada", reason: "a test" };
  const plan = await here.must(200, "POST", "/v1/limits/release?dryRun=true", { body });
  expect(plan).toMatchObject({ dryRun: true, released: { waiting: 1 } });
  expect(await here.must(200, "GET", path)).toMatchObject({ waiting: 1 });
  expect(await here.must(200, "POST", "/v1/limits/release", { body })).toMatchObject({ dryRun: false });
  expect(await here.must(200, "GET", path)).toMatchObject(none);
  const { data } = await here.must(200, "GET", "/v1/audit?verb=limit.release");
  expect(data).toMatchObject([{ verb: "limit.release", reason: "a test" }]);
  expect(JSON.stringify(data)).not.toContain("ada");
  await here.reaches(await here.start("one", of("ada")), "completed");
});
