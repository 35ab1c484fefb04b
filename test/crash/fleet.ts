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
const retryPolicy = { maxAttempts: 10, backoffStrategy: "fixed", baseDelay: 300, jitter: "half" };

export function kindsOn(sandboxUrl: string): Kind[] {
  const kind = (name: string, path: string, more: object, naps = false): Kind => {
    const actions = naps ? ["before", "after"] : ["one", "two", "three"];
    const definition = machine(name, actions, { url: `${sandboxUrl}/sink/${path}`, naps, more });
    return { name, actions, definition };
  };
  return [
    kind("own-auto", "plain", { placement: "own" }),
    kind("own-slow", "slow", { placement: "own" }),
    kind("own-queue", "plain", { placement: "own", lane: "queue" }),
    kind("own-nap", "plain", { placement: "own" }, true),
    kind("pooled-auto", "plain", { placement: "pooled" }),
    kind("pooled-slow", "slow", { placement: "pooled" }),
    kind("pooled-queue", "flaky", { placement: "pooled", lane: "queue" }),
    kind("pooled-nap", "slow", { placement: "pooled", lane: "queue" }, true),
  ];
}

export function ordersOf(kinds: readonly Kind[], count: number): Order[] {
  return Array.from({ length: count }, (_, n) => {
    const kind = kinds[n % kinds.length];
    if (kind === undefined) throw new Error("there are no kinds");
    return { kind, key: `crash-${n}` };
  });
}

/** How the sandbox behaves: some calls are answered late, some only at the second attempt. */
export const scripts: readonly object[] = [
  { path: "/sink/slow/*", ratio: { share: 0.3, step: { delayMs: 600 } } },
  { path: "/sink/flaky/*", steps: [{ status: 503 }] },
];

export function effectOf(execution: string, action: string): string {
  return `${execution}/${action}`;
}

function machine(name: string, actions: readonly string[], how: { url: string; naps: boolean; more: object }): object {
  const next = (n: number): string =>
    n + 1 === actions.length ? "done" : how.naps ? "asleep" : (actions[n + 1] ?? "done");
  const working = actions.map((id, n) => [id, { on: { [`action.${id}.ok`]: next(n) } }]);
  return {
    kind: "machine",
    name,
    initial: actions[0],
    states: {
      ...Object.fromEntries(working),
      ...(how.naps ? { asleep: { after: { [NAP_MS]: actions.at(-1) } } } : {}),
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
