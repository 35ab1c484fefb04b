// Changes of a recurring action's settings.
import { expect, it } from "vitest";
import { immutableFields, isSameWork, specChange } from "#policy/configuration/recurring-change.ts";
import type { RecurringSpec, RecurringWork } from "#schema/recurring/spec.ts";

const start: RecurringWork = { kind: "definition", definition: "order", variables: {} };
const call: RecurringWork = {
  kind: "action",
  provider: "webhook",
  actionType: "ping",
  payload: {},
  metadata: {},
  dedupKey: null,
  action: { actionId: "ping", type: "webhook", config: {} },
};
const spec: RecurringSpec = {
  namespace: "default",
  description: null,
  labels: { a: "1", b: "2" },
  rule: { cron: "0 9 * * *", timezone: "UTC", gap: "shift", fold: "auto" },
  startsAt: null,
  endsAt: null,
  maxExecutions: null,
  overlap: "allow",
  catchUp: "none",
  graceMs: 600_000,
  catchUpWindowMs: 86_400_000,
  jitterMs: 0,
  work: start,
};

it.each<[string, Partial<RecurringSpec>, Partial<RecurringSpec>]>([
  ["nothing", {}, {}],
  ["the order of labels", { labels: { b: "2", a: "1" } }, {}],
  ["a label", { labels: { a: "1" } }, { labels: { a: "1" } }],
  ["a name that was absent", { name: "daily" }, { name: "daily" }],
  ["several fields", { jitterMs: 5, description: "x" }, { jitterMs: 5, description: "x" }],
])("changes %s", (_what, after, change) => expect(specChange(spec, { ...spec, ...after })).toEqual(change));

it.each<[string, RecurringWork, Partial<RecurringSpec>, readonly string[]]>([
  ["the same", start, {}, []],
  ["another namespace", start, { namespace: "mail" }, ["/namespace"]],
  ["a definition instead of an action", call, { work: start }, ["/definition"]],
  ["an action instead of a definition", start, { work: call }, ["/provider"]],
  ["another payload", call, { work: { ...call, payload: { a: 1 } } }, []],
])("cannot change into %s", (_what, work, after, pointers) => {
  const findings = immutableFields({ ...spec, work }, { ...spec, work, ...after });
  expect(findings.map(({ pointer, code }) => [pointer, code])).toEqual(pointers.map((at) => [at, "immutable"]));
});

it.each<[string, RecurringWork, RecurringWork, boolean]>([
  ["an action that was derived again", call, { ...call, action: { ...call.action, config: { a: 1 } } }, true],
  ["another payload", call, { ...call, payload: { a: 1 } }, false],
  ["a copy of a definition's start", start, { ...start }, true],
  ["other variables", start, { ...start, variables: { a: 1 } }, false],
  ["an action instead of a definition", start, call, false],
])("compares works: %s", (_what, one, other, isSame) => expect(isSameWork(one, other)).toBe(isSame));
