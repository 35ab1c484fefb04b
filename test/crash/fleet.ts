// What the crash test sets going: executions of every placement and lane, some asleep on a timer, all with effects
// that the sandbox writes down. Pure.

/** A name, and the actions each of its executions carries out. */
export interface Kind {
  name: string;
  actions: readonly string[];
  definition: object;
}
export interface Order {
  kind: Kind;
  /** Its Idempotency-Key: a start whose answer was lost is sent again under it. */
  key: string;
}

/** Shorter than a crash and its repair, so that lost claims are found by their deadline. */
const TIMEOUT_MS = 3_000;
const NAP_MS = 4_000;
/** Before the last engine has begun none of these is due. */
const LATER_MS = 60_000;
/** What those wait for that wait for somebody. */
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

/** Those in the midst of something for longer than an engine lives: of a retry, of a timer, of waiting for somebody. */
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

/** How the sandbox behaves: some calls are answered late, some only at the second attempt. */
export const scripts: readonly object[] = [
  { path: "/sink/slow/*", ratio: { share: 0.3, step: { delayMs: 600 } } },
  { path: "/sink/flaky/*", steps: [{ status: 503 }] },
  // The receiver says when it may be asked again, and that counts for more than the policy's own gap.
  { path: "/sink/stubborn/*", steps: [{ status: 503, headers: { "Retry-After": "5" } }, { status: 503 }] },
];

export function effectOf(execution: string, action: string): string {
  return `${execution}/${action}`;
}

/** `rest`: between the two actions that it then has. */
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
