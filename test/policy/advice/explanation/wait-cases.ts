// Cases for waits: each with the values that its sentence names and the requests that resolve it. The sentences are
// recorded in test/golden/sentences/explanation.txt.
import { connectionHoldReasons } from "#schema/engine/outcome.ts";
import type { Explanation, Wait } from "#schema/engine/explanation.ts";
import type { PendingLimit } from "#schema/explanation/pending-limits.ts";
import type { GateView } from "#schema/gate.ts";
import { error, no, of, T } from "./sentences-of.ts";

export type WaitCase = readonly [
  wait: Wait,
  named: readonly (string | number)[],
  can?: readonly string[],
  about?: Partial<Explanation>,
];

export const until = T + 60_000;
const SINCE = "2026-11-18T10:00:00.000Z";
const UNTIL = "2026-11-18T10:01:00.000Z";
const RUN = ["3.0", "mail"];
const RUN_NOW = ["POST /v1/executions/exe_1/run-now"];
const SEEN = ["execution.variables.total", 40, "message.id"];

export const runWait = {
  for: "run",
  ...of,
  status: "scheduled",
  attempt: 0,
  attemptsMax: 3,
  error: null,
  expiresAt: null,
  conditions: [],
  until,
} as const;
const open = { status: "open", until, calls: 0, failed: 0 } as const;
const closed = { ...open, status: "closed", until: null } as const;
const gate: GateView = { breaker: open, inUse: 0, nextAt: T, token: null };
const timer = { for: "timer", timer: "open/after/P1D", state: "open", action: null, guards: [], until } as const;
const anchor = {
  for: "anchor",
  run: null,
  timer: "t",
  delay: "later",
  anchor: null,
  values: { a: null, b: 1 },
  until: null,
} as const;
const byHand = {
  for: "release",
  ...of,
  since: T,
  by: "key:key_1",
  reason: "overpriced",
  dueAt: until,
  until: null,
} as const;
const slot = { for: "slot", ...of, concurrency: 1, takenBy: ["1.0"], ahead: 0, until: null } as const;
const held = { for: "connection", ...of, connection: "mail-main", reason: "rate_limited", until } as const;
const refused = { since: T, code: "x", reason: "the account is closed.", nextStep: "Open it." };
const busy: GateView = { breaker: closed, inUse: 4, nextAt: T, token: null, attention: refused };
const event = {
  for: "event",
  event: "paid",
  states: ["open"],
  would: "accepted",
  guards: [],
  to: ["done"],
  until: null,
} as const;
const task = {
  for: "task",
  task: "tsk_1",
  title: "Approve the order",
  ...of,
  remindAt: T,
  escalateAt: until,
  until: T,
} as const;
const parting = { for: "children", run: "3.0", action: "begin", execution: "exe_child", until } as const;
const capped = { for: "cap", ...of, cap: "gentle", subject: "ada", max: 3, until } as const;
const join = { for: "join", node: "c", needs: 3, taken: 1, dead: 0, from: ["a", "b"], until: null } as const;

const meeting = (...meets: readonly PendingLimit[]): Wait => ({ ...runWait, meets });
const window = { limit: "window", window: "office" } as const;
const cap = { limit: "cap", cap: "gentle", subject: "ada", max: 3, per: "P7D", over: "wait" } as const;
const starting = { for: "start_limit", by: "limit_concurrency", limit: "mails", key: "ada", ahead: 0, until } as const;
const keyed = { for: "limit", ...of, by: "limit_concurrency", limit: "mails", key: "ada", ahead: 0, until } as const;
const limited = { limit: "key", name: "mails", key: "ada" } as const;
const crm = { limit: "connection", connection: "crm", gate: null } as const;
const attention = { since: T, reason: "401", code: null, failures: 1 } as never; // the sentence only depends on its presence

export const waitCases: { readonly [test: string]: readonly WaitCase[] } = {
  "a timer says when it fires, whether its guard would let it, and what it starts": [
    [{ ...timer, guards: [no] }, ["open/after/P1D", UNTIL, ...SEEN], RUN_NOW],
    [{ ...timer, guards: [no, { ...no, values: {} }] }, SEEN],
    [{ ...timer, guards: [{ ...no, values: {} }] }, ["open/after/P1D", UNTIL]],
    [{ ...timer, guards: [{ ...no, fault: "it adds texts" }] }, ["it adds texts"]],
    [{ ...timer, action: "mail" }, ["open/after/P1D", "mail", UNTIL], [], { status: "paused" }],
    [timer, ["open/after/P1D", UNTIL], RUN_NOW, { waits: [timer, { for: "tenant", until: null }] }],
  ],
  "a run says what it has still to pass: what would let everything through is not told": [
    [meeting({ ...window, would: "hold", until }), [UNTIL]],
    [meeting({ ...window, would: "skip", until: null }), RUN],
    [meeting(cap), ["gentle", 3, "P7D", "ada"]],
    [meeting({ ...cap, subject: null, per: null, over: "skip" }), ["gentle", 3]],
    [meeting({ ...cap, opensAt: until }), ["gentle", 3, "P7D", "ada", UNTIL]],
    [meeting({ ...cap, over: "skip", opensAt: null }), ["gentle", 3, "P7D", "ada"]],
    [meeting({ ...limited, concurrency: 2, singleton: "skip" }), ["mails", 2, "ada"]],
    [
      meeting({ ...limited, key: null, rate: { max: 5, per: "PT1H" }, throttle: { max: 7, per: "PT1M" } }),
      ["mails", 5, "PT1H", 7, "PT1M"],
    ],
    [meeting({ ...limited, debounce: { for: "PT30S" } }), ["mails", "PT30S", "ada"]],
    [meeting(crm), ["crm"]],
    [meeting({ ...crm, rateLimit: { perSecond: 5 }, concurrency: 2 }), ["crm", 5, 2]],
    [meeting({ ...crm, rateLimit: { perMinute: 60 }, gate: { ...gate, breaker: closed } }), ["crm", 60]],
    [meeting({ ...crm, gate: { ...gate, attention } }), ["crm", UNTIL]],
    [meeting(cap, crm), ["gentle", 3, "P7D", "ada", "crm"]],
  ],
  "a run says where it is on its way, and which try that is": [
    [runWait, [...RUN, UNTIL], RUN_NOW],
    [runWait, RUN, [], { status: "paused" }],
    [{ ...runWait, expiresAt: T, conditions: [no] }, [...RUN, UNTIL, ...SEEN, SINCE]],
    [{ ...runWait, status: "queued", attempt: 1 }, [...RUN, 1, 3, UNTIL], []],
    [{ ...runWait, status: "running", attempt: 2 }, [...RUN, 2, 3, UNTIL]],
    [
      { ...runWait, status: "running", attempt: 2, canCancel: true },
      [...RUN, 2, 3, UNTIL],
      ["POST /v1/executions/exe_1/cancel-action"],
    ],
    [{ ...runWait, status: "retry", attempt: 1, error }, [...RUN, "service_unavailable", 503, UNTIL, 2, 3]],
    [{ ...runWait, until: null }, RUN],
  ],
  "a date that is not there is named": [
    [anchor, ["t", "a"], ["POST /v1/executions/exe_1/patch"]],
    [{ ...anchor, timer: null, run: "3.0", values: { a: null, c: null } }, ["3.0", "a, c"]],
    [{ ...anchor, timer: null, values: {} }, []],
  ],
  "what a person holds says who, since when and why, and how it goes on": [
    [byHand, [...RUN, SINCE, "key:key_1", "overpriced", UNTIL], ["POST /v1/executions/exe_1/release"]],
    [{ ...byHand, reason: null, dueAt: null }, [...RUN, SINCE, "key:key_1"]],
  ],
  "a slot says who has it, and who comes before": [
    [slot, [...RUN, 1, "1.0"], []],
    [{ ...slot, ahead: 2 }, ["1.0", 2]],
    [{ ...slot, takenBy: [] }, [...RUN, 1]],
  ],
  "a connection says why it holds, and how it is doing": [
    [held, [...RUN, UNTIL, "mail-main"], ["GET /v1/connections/mail-main"]],
    [{ ...held, reason: "concurrency", gate: busy }, ["mail-main", 4]],
    [
      { ...held, reason: "needs_attention", gate: busy },
      [...RUN, UNTIL, "mail-main", "the account is closed"],
      ["GET /v1/connections/mail-main", "POST /v1/connections/mail-main/test"],
    ],
    [{ ...held, reason: "unavailable", connection: null }, [...RUN, UNTIL, "catalog"], []],
    ...connectionHoldReasons.map((reason): WaitCase => [{ ...held, reason }, [...RUN, UNTIL, "mail-main"]]),
  ],
  "an event says what would become of it": [
    [event, ["paid", "done"], ["POST /v1/executions/exe_1/events"]],
    [{ ...event, to: [] }, ["paid"]],
    [{ ...event, would: "depends" }, ["paid", "open"]],
    [{ ...event, would: "depends", states: [] }, ["paid"]],
    [{ ...event, would: "refused", guards: [no] }, ["paid", ...SEEN]],
    [{ ...event, would: "kept" }, ["paid"]],
    [{ ...event, event: "*" }, ["done"], []],
  ],
  "people, children and pauses are named, with the request that goes on": [
    [
      { for: "person", ...of, deadLetter: "dl_1", error, until },
      [...RUN, "service_unavailable", 503, UNTIL],
      ["GET /v1/dead-letters/dl_1", "POST /v1/dead-letters/dl_1/retry", "POST /v1/dead-letters/dl_1/archive"],
    ],
    [task, [...RUN, SINCE, UNTIL], ["GET /v1/tasks/tsk_1", "POST /v1/tasks/tsk_1/complete"]],
    [{ ...task, title: null, remindAt: null, escalateAt: null }, RUN],
    [task, ["Approve the order"]],
    [
      { for: "child", execution: "exe_kid", events: ["child_completed"], ...of, until: null },
      ["exe_kid", "mail"],
      ["GET /v1/executions/exe_kid/explain"],
    ],
    [
      { for: "resume", since: T, reason: "action_failed", error, until: null },
      [SINCE, "service_unavailable", 503],
      ["POST /v1/executions/exe_1/resume", "POST /v1/executions/exe_1/cancel"],
    ],
    [{ for: "resume", since: T, reason: null, error: null, until: null }, [SINCE]],
  ],
  "the engine's own matters are told as well": [
    [{ for: "quota", ...of, until }, [...RUN, UNTIL]],
    [{ for: "queue_share", ...of, until }, [...RUN, UNTIL]],
    [{ for: "receipt", ...of, until }, [...RUN, UNTIL]],
    [{ for: "variables", states: ["open"], guards: [no], until: null }, SEEN],
    [{ for: "tenant", until: null }, [], []],
    [
      { ...parting, how: "awaited" },
      ["exe_child", "begin", UNTIL],
      ["GET /v1/executions/exe_child/explain", "POST /v1/executions/exe_1/cancel", "POST /v1/executions/exe_1/cancel"],
    ],
    [{ ...parting, how: "canceling" }, ["exe_child", "begin", UNTIL], ["GET /v1/executions/exe_child/explain"]],
    [{ ...parting, how: "canceling", execution: null }, ["3.0", "begin", UNTIL], []],
    [{ for: "parent", execution: "exe_up", until }, ["exe_up", UNTIL]],
    [{ for: "directory", key: "o-1", until }, ["o-1", UNTIL]],
    [{ for: "directory", key: null, until }, [UNTIL]],
    [capped, [...RUN, "gentle", 3, "ada", UNTIL]],
    [{ ...capped, cap: null, subject: null, max: null }, [...RUN, UNTIL]],
    [keyed, [...RUN, "mails", "ada", UNTIL], ["GET /v1/limits?name=mails&key=ada"]],
    [{ ...keyed, by: "limit_throttle", ahead: 4 }, [...RUN, "mails", "ada", 4, UNTIL]],
    [{ ...keyed, by: "limit_debounce" }, [...RUN, "mails", "ada", UNTIL]],
    [{ ...keyed, by: "limit_singleton", key: null }, [...RUN, "mails", UNTIL], []],
    [{ ...keyed, limit: null, key: null, ahead: null }, [...RUN, UNTIL], []],
    [starting, ["mails", "ada", UNTIL], ["GET /v1/limits?name=mails&key=ada&of=starts"]],
    [{ ...starting, by: "limit_throttle", ahead: 4 }, ["mails", "ada", 4, UNTIL]],
    [{ ...starting, by: "limit_debounce" }, ["mails", "ada", UNTIL]],
    [{ ...starting, by: "limit_singleton" }, ["mails", "ada", UNTIL]],
    [{ ...starting, by: null, ahead: null, until: null }, ["mails", "ada"]],
    [{ for: "window", ...of, window: null, until }, [...RUN, UNTIL]],
    [{ for: "quiet_hours", ...of, policy: "night", until }, [...RUN, "night", UNTIL], RUN_NOW],
    [{ for: "quiet_hours", ...of, policy: null, until }, [...RUN, UNTIL], RUN_NOW],
    [{ for: "subject", key: "ada", until }, ["ada", UNTIL]],
    [join, ["c", 3, 1, "a, b"], []],
    [{ ...join, dead: 1 }, ["c", 3, 1, "a, b"]],
    [
      { for: "engine", kind: "broken", reason: "a step breaks.", since: T, until },
      [SINCE, "broken", "a step breaks", UNTIL],
      ["POST /v1/executions/exe_1/cancel"],
    ],
  ],
};
