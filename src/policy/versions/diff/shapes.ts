// Defines for each kind of definition how the diff compares it: which fields are named parts, in which order, and with
// which aspect. Fields that are not listed are compared as settings.
import type { Definition } from "#schema/definition/definition.ts";
import type { Aspect, PartKind } from "#schema/definition/version-change.ts";
import type { Fields, Shape } from "./comparison-rule.ts";

/** The shape of a value that is compared as a whole. */
const leaf = (aspect: Aspect): Shape => ({ kind: "leaf", aspect });
/** The shape of a value that is compared down to its scalars. */
const content = (aspect: Aspect): Shape => ({ kind: "content", aspect });
/** The shape of an object that is compared field by field. */
const fields = (of: Fields, aspect: Aspect = "setting"): Shape => ({ kind: "fields", fields: of, aspect });
/**
 * The shape of an object of named items. `part`: the kind of part that each item is; null if the items are not parts.
 */
const named = (part: PartKind | null, item: Shape): Shape => ({ kind: "named", part, item: () => item });
/** The shape of a list whose order matters. */
const list = (item: Shape, aspect: Aspect = "flow"): Shape => ({ kind: "list", item, aspect });

const [flow, rule, text, timing, setting] = [leaf("flow"), leaf("rule"), leaf("text"), leaf("timing"), leaf("setting")];
const assign = named(null, rule);
const retry = content("retry");
const config = content("text");

const settings = content("setting");

const head = {
  description: text,
  subject: rule,
  reentry: setting,
  variables: named("variable", content("value")),
  input: content("declaration"),
  events: named("event", content("declaration")),
  correlation: fields({ key: rule }),
  searchVariables: content("setting"),
  timezone: timing,
  tick: timing,
  desired: content("value"),
  collector: fields({
    action: flow,
    every: timing,
    timeout: timing,
    staleAfter: timing,
    backoff: retry,
    observed: rule,
  }),
  staleAfter: timing,
} satisfies Fields;

/** The order in the diff: dates come after the process. */
const dates = {
  delays: named("delay", fields({ anchor: rule, offset: timing, at: timing, timezone: timing, holidays: timing })),
  calendars: named(null, content("timing")),
  windows: named("window", content("timing")),
  caps: named("cap", content("timing")),
} satisfies Fields;
const tests = { tests: { kind: "keyed", part: "test", key: "name", item: settings } } satisfies Fields;

const acting = {
  type: flow,
  description: text,
  condition: rule,
  config,
  schedule: timing,
  delay: timing,
  window: timing,
  cap: timing,
  limit: content("timing"),
  quietHours: timing,
  timezone: timing,
  disambiguation: timing,
  validUntil: rule,
  maxLateness: timing,
  timeout: timing,
  retryPolicy: retry,
  onExhausted: flow,
  tags: content("text"),
} satisfies Fields;

const action = fields({ ...acting, triggerState: flow, createdAt: text, updatedAt: text });
const actions = { actions: { kind: "keyed", part: "action", key: "actionId", item: action } } satisfies Fields;

const transitions: Shape = {
  kind: "list",
  single: "target",
  aspect: "flow",
  item: fields({ description: text, guard: rule, target: flow, assign, actions: flow, reenter: flow }, "flow"),
};
const behaviours: Shape = list(fields({ assign }, "flow"));

const stating = {
  type: flow,
  initial: flow,
  entry: behaviours,
  on: named(null, transitions),
  after: named(null, transitions),
  always: transitions,
  onDone: transitions,
  exit: behaviours,
  history: flow,
  target: flow,
  outcome: flow,
} satisfies Fields;
const states: Fields = { states: { kind: "named", part: "state", item: () => state } };
const state: Shape = fields({ description: text, ...stating, ...states });

const ways = { description: text, guard: rule, event: flow, when: rule, weight: setting, next: flow };
const node = fields({
  ...acting,
  by: rule,
  over: rule,
  times: setting,
  every: timing,
  for: list(fields(ways, "flow"), "timing"),
  until: content("timing"),
  from: timing,
  since: timing,
  timeout: fields({ after: timing, next: flow }, "timing"),
  cases: list(fields(ways, "flow")),
  ways: list(fields(ways, "flow")),
  node: fields(acting),
  definition: flow,
  onCancel: flow,
  variables: config,
  correlationId: text,
  assign,
  await: fields({ for: flow, timeout: timing }),
  join: flow,
  next: flow,
  onFailed: flow,
  undo: fields(acting),
});

const reconciling = fields({
  description: text,
  type: flow,
  reason: text,
  stopping: flow,
  rules: list(
    fields(
      { when: rule, target: flow, emit: flow, signal: flow, cancelAction: flow, reason: text, description: text },
      "flow",
    ),
    "rule",
  ),
  outcome: flow,
});

export const shapes: { readonly [kind in Definition["kind"]]: Shape } = {
  machine: fields({ ...head, ...stating, ...states, ...actions, ...dates, ...tests }),
  journey: fields({
    ...head,
    initial: flow,
    exitWhen: list(fields({ ...ways, outcome: flow, reason: text })),
    nodes: named("node", node),
    defaults: named("default", fields(acting)),
    ...dates,
    ...tests,
  }),
  reconciler: fields({
    ...head,
    initial: flow,
    deriveDesired: assign,
    onShutdown: content("flow"),
    states: named("state", reconciling),
    ...actions,
    ...dates,
    ...tests,
  }),
};

/** The shape of a message template, whose texts are compared. */
export const messageShape: Shape = fields({ description: text, subject: text, html: text, text, variables: settings });
