// Quiet hours through the real Worker: a policy holds the runs of its types until the opening, and explain names it.
import { expect, it } from "vitest";
import { engine, hook, PROVIDER, provider, until } from "../engine.ts";

const HOUR = 3_600_000;
const oneHook = (name: string, more: object = {}) => ({
  kind: "machine",
  name,
  initial: "a",
  states: { a: { on: { "action.call.ok": "done" } }, done: { type: "final" } },
  actions: [hook("call", { triggerState: "a", ...more })],
});
const time = (at: number) => new Date(at).toISOString().slice(11, 16);
/** Opens in about two hours, for an hour. */
const later = (timezone: unknown) => ({
  kind: "quiet_hours",
  types: ["webhook"],
  window: { from: time(Date.now() + 2 * HOUR), to: time(Date.now() + 3 * HOUR), timezone },
});

it.each([
  ["a fixed zone", "UTC"],
  ["a rule with a fallback", { rule: { var: "execution.variables.zone" }, fallback: "UTC" }],
])("a policy with %s holds a run, an operator sends it, and an urgent action ignores it", async (_name, timezone) => {
  const { calls } = provider();
  const here = await engine(oneHook("quiet"), oneHook("urgent", { quietHours: "ignore" }));
  await here.must(201, "PUT", "/v1/policies/night", { body: later(timezone) });
  const quiet = await here.start("quiet");
  const wait = await until("the run is held", async () => {
    const { waits } = await here.must(200, "GET", `/v1/executions/${quiet}/explain`);
    return waits.find((each: { for: string }) => each.for === "quiet_hours") ?? null;
  });
  expect(wait).toMatchObject({ action: "call", policy: "night" });
  const opensInMs = Date.parse(wait.until) - Date.now();
  expect(Math.abs(opensInMs - 2 * HOUR)).toBeLessThan(2 * 60_000);
  const [run] = await here.runs(quiet);
  expect(run).toMatchObject({ status: "scheduled", attempt: 0, held: { reason: "quiet_hours", policy: "night" } });
  const urgent = await here.start("urgent");
  await here.reaches(urgent, "completed");
  expect(calls).toHaveLength(1);
  await here.must(200, "POST", `/v1/executions/${quiet}/run-now`, { body: { run: run.id } });
  await here.reaches(quiet, "completed");
  expect(calls.map(({ url }) => url.origin)).toEqual([PROVIDER, PROVIDER]);
});

it("a run that quiet hours hold has no place in its limit by key, and delays no other run", async () => {
  const { calls } = provider();
  const limit = [{ name: "per-customer", key: "ada", concurrency: 1, throttle: { max: 1, per: "PT1H" } }];
  const here = await engine(oneHook("quiet", { limit }), oneHook("urgent", { limit, quietHours: "ignore" }));
  await here.must(201, "PUT", "/v1/policies/night", { body: later("UTC") });
  const quiet = await here.start("quiet");
  const held = (id: string) =>
    until("the run is held", async () => {
      const [run] = await here.runs(id);
      return run?.held ? run.held : null;
    });
  expect(await held(quiet)).toMatchObject({ reason: "quiet_hours" });
  const path = "/v1/limits?name=per-customer&key=ada";
  expect(await here.must(200, "GET", path)).toMatchObject({ inUse: [], waiting: 0, nextAt: null });
  const urgent = await here.start("urgent");
  await here.reaches(urgent, "completed");
  expect(calls).toHaveLength(1);
  // Only now the run asks the limit, whose turn the urgent run has used.
  await here.must(200, "POST", `/v1/executions/${quiet}/run-now`, { body: { run: "1.0" } });
  await until("the run waits for its turn", async () => {
    const { reason } = await held(quiet);
    return reason === "limit_throttle" ? true : null;
  });
  expect(await here.must(200, "GET", path)).toMatchObject({ waiting: 1, next: [{ execution: quiet }] });
});

it("a rule that says that the hours are open lets the run pass, and a policy that never opens is refused", async () => {
  const { calls } = provider();
  const here = await engine(oneHook("open"));
  const window = {
    from: time(Date.now() - HOUR),
    to: time(Date.now() + HOUR),
    timezone: { var: "execution.variables.zone" },
  };
  const policy = { kind: "quiet_hours", types: ["webhook"], window };
  await here.must(201, "PUT", "/v1/policies/day", { body: policy });
  const same = await here.must(200, "PUT", "/v1/policies/day", { body: policy });
  expect(same.result).toBe("unchanged");
  await here.reaches(await here.start("open", { variables: { zone: "UTC" } }), "completed");
  expect(calls).toHaveLength(1);
  const refused = await here.must(400, "PUT", "/v1/policies/night", { body: later("UTC") });
  expect(refused.errors).toMatchObject([{ pointer: "/window", code: "never_open" }]);
  const unknown = await here.must(400, "PUT", "/v1/policies/fax", {
    body: { ...policy, types: ["fax", "email", "email"] },
  });
  expect(unknown.errors).toMatchObject([
    { pointer: "/types/0", code: "unknown_type" },
    { pointer: "/types/2", code: "duplicate" },
  ]);
  const { policies } = await here.must(200, "GET", "/v1/export");
  expect(policies).toMatchObject([{ name: "day", kind: "quiet_hours" }]);
});
