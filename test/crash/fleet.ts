// Crash test fleet: definitions of every placement and lane, some with a timer, and the orders that start them. The
// sandbox records their effects. Pure functions.

/** A definition's name, and the actions of each of its executions. */
export interface Kind {
  name: string;
  actions: readonly string[];
  definition: object;
}
export interface Order {
  kind: Kind;
  /** The start's Idempotency-Key. A start without an answer is repeated under it. */
  key: string;
}

/** The actions' timeout: shorter than a crash and its recovery, so that lost claims expire. */
const TIMEOUT_MS = 3_000;
const NAP_MS = 4_000;
/** Timers of this length are due after the last engine has started. */
const LATER_MS = 60_000;
/** The event that executions with a waiting state need. */
export const GO = "go";
const retryPolicy = { maxAttempts: 10, backoffStrategy: "fixed", baseDelay: 300, jitter: "half" };

export function kindsOn(sandboxUrl: string): Kind[] {
  const kind = kindOn(sandboxUrl);
  const nap = { after: { [NAP_MS]: "after" } };
  return [
    kind("own-auto", "plain", { placement: "own" }),
    kind("own-slow", "slow", { placement: "own" }),
    kind("own-queue", "plain", { placement: "own", lane: "queue" }),
    kind("own-nap", "plain", { placement: "own" }, nap),
    kind("pooled-auto", "plain", { placement: "pooled" }),
    kind("pooled-slow", "slow", { placement: "pooled" }),
    kind("pooled-queue", "flaky", { placement: "pooled", lane: "queue" }),
    kind("pooled-nap", "slow", { placement: "pooled", lane: "queue" }, nap),
  ];
}

/** Executions that outlive an engine, because they are in a retry, a timer or a waiting state. */
export function patientKindsOn(sandboxUrl: string): Kind[] {
  const kind = kindOn(sandboxUrl);
  const waits = { on: { [GO]: "after" } };
  const later = { after: { [LATER_MS]: "after" } };
  return [
    kind("own-waits", "plain", { placement: "own" }, waits),
    kind("own-later", "plain", { placement: "own" }, later),
    kind("own-stubborn", "stubborn", { placement: "own" }),
    kind("pooled-waits", "plain", { placement: "pooled" }, waits),
    kind("pooled-later", "plain", { placement: "pooled" }, later),
    kind("pooled-stubborn", "stubborn", { placement: "pooled" }),
  ];
}

export function ordersOf(kinds: readonly Kind[], count: number, prefix = "crash"): Order[] {
  return Array.from({ length: count }, (_, n) => {
    const kind = kinds[n % kinds.length];
    if (kind === undefined) throw new Error("there are no kinds");
    return { kind, key: `${prefix}-${n}` };
  });
}

/** The sandbox's scripts: some calls are answered late, some only at the second attempt. */
export const scripts: readonly object[] = [
  { path: "/sink/slow/*", ratio: { share: 0.3, step: { delayMs: 600 } } },
  { path: "/sink/flaky/*", steps: [{ status: 503 }] },
  // Retry-After overrides the delay of the retry policy.
  { path: "/sink/stubborn/*", steps: [{ status: 503, headers: { "Retry-After": "5" } }, { status: 503 }] },
];

export function effectOf(execution: string, action: string): string {
  return `${execution}/${action}`;
}

/** `rest`: the state between the actions `before` and `after`. null: three actions without one. */
function kindOn(sandboxUrl: string) {
  return (name: string, path: string, more: object, rest: object | null = null): Kind => {
    const actions = rest === null ? ["one", "two", "three"] : ["before", "after"];
    return { name, actions, definition: machine(name, actions, { url: `${sandboxUrl}/sink/${path}`, rest, more }) };
  };
}

type How = { readonly url: string; readonly rest: object | null; readonly more: object };

function machine(name: string, actions: readonly string[], how: How): object {
  const next = (n: number): string =>
    n + 1 === actions.length ? "done" : how.rest === null ? (actions[n + 1] ?? "done") : "asleep";
  const working = actions.map((id, n) => [id, { on: { [`action.${id}.ok`]: next(n) } }]);
  return {
    kind: "machine",
    name,
    initial: actions[0],
    states: {
      ...Object.fromEntries(working),
      ...(how.rest === null ? {} : { asleep: how.rest }),
      done: { type: "final" },
    },
    actions: actions.map((actionId) => ({
      actionId,
      type: "webhook",
      triggerState: actionId,
      timeout: TIMEOUT_MS,
      retryPolicy,
      config: { url: `${how.url}/${actionId}`, headers: { "X-Effect": `{{ execution.id }}/${actionId}` } },
    })),
    ...how.more,
  };
}
