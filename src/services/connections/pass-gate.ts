// A run's way past its connection's gate, and what it says there when it is over. A connection without limits has a gate,
// too: its provider may ask for quiet. An isolate asks that gate now and then only, and at once where it has heard of it.
import type { StoredConnection } from "#catalog/connections.ts";
import { quietAskedFor } from "#policy/gates/quiet.ts";
import { isAwayType } from "#schema/engine/away.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { isFileTrouble } from "#schema/outgoing/file-trouble.ts";
import type { Acquired, AcquireItem, ReleaseItem, Terms } from "#schema/gate.ts";
import { remembered } from "#schema/limits/isolates.ts";
import { LEASE_GRACE_MS, WAIT_IN_PLACE_MS, WAITS_IN_PLACE_MAX } from "#schema/limits/outgoing-calls.ts";
import { isOurMistake } from "../catalog-failure.ts";
import type { Deps } from "../deps.ts";
import { isolateCache, peek, put } from "../isolate-cache.ts";
import { hasLimits, termsOf } from "./connection-terms.ts";

/** `lease` is null where nothing was taken; the gate is told of a wish for quiet all the same. */
export type Passage = {
  readonly gate: string;
  readonly terms: Terms;
  readonly key: string;
  readonly lease: string | null;
};

/** Of connections without limits: whether the gate was open when last asked, or is to be asked each time. */
const quiets = isolateCache<"open" | "quiet">({
  sizeMax: remembered.quiets.sizeMax,
  freshMs: () => remembered.quiets.freshMs,
  staleMs: () => 0,
});

export type GateDeps = Pick<Deps, "now" | "gate" | "log">;
type Asker = { readonly ticket: Ticket; readonly key: string };

/** Asks the gate, and waits where that is soon over. The lease is noted before anything else can go wrong. */
export async function enter(
  deps: GateDeps,
  { ticket, key }: Asker,
  row: StoredConnection,
  passages: Passage[],
): Promise<Acquired> {
  const terms = termsOf(row.settings);
  const gate = `${row.tenant}/${row.id}`;
  if (!hasLimits(terms) && peek(quiets, gate, deps.now()) === "open") {
    passages.push({ gate, terms, key, lease: null });
    return { ok: true, lease: null };
  }
  const expiresAt = ticket.deadlineAt + LEASE_GRACE_MS;
  let promise = promiseOf(ticket, row.name);
  for (let waits = 0; ; waits++) {
    const asked = await ask(deps, { gate, terms, key, lease: key }, { key, expiresAt, ...promise }, passages);
    if (asked.ok) {
      passages.push({ gate, terms, key, lease: asked.lease });
      return asked;
    }
    const { until, reason } = asked.hold;
    const waitMs = until - deps.now();
    const isSoon = waitMs <= WAIT_IN_PLACE_MS && waitMs < (ticket.deadlineAt - deps.now()) / 4;
    if (!isSoon || waits === WAITS_IN_PLACE_MAX) return asked;
    promise = { promisedAt: until, promisedFor: reason };
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, waitMs)));
  }
}

/** Where the answer is lost the lease may have been given all the same: it is given back like any other. */
async function ask(deps: GateDeps, asked: Passage, item: AcquireItem, passages: Passage[]): Promise<Acquired> {
  const { gate, terms } = asked;
  const isLimited = hasLimits(terms);
  try {
    const [answer] = await deps.gate(gate).acquire(terms, [item]);
    if (answer === undefined) throw new Error("a gate answers every question");
    if (!isLimited) notice(gate, answer.ok ? "open" : "quiet", deps.now());
    return answer;
  } catch (cause) {
    // Without limits there is nothing to keep to but a provider's wish for quiet, which nobody can look up just now.
    if (!isLimited && !isOurMistake(cause)) {
      deps.log({ level: "warn", event: "gate_not_asked", gate, message: String(cause) });
      notice(gate, "open", deps.now());
      return { ok: true, lease: null };
    }
    passages.push(asked);
    throw cause;
  }
}

/** An answer on its way when the provider asked for quiet is older than that. */
function notice(gate: string, what: "open" | "quiet", now: number): void {
  if (what === "open" && peek(quiets, gate, now) === "quiet") return;
  put(quiets, gate, what, now);
}

/** Only what a gate has said is a place in its line; that it could not be asked is none. */
function promiseOf({ held }: Ticket, connection: string): Pick<AcquireItem, "promisedAt" | "promisedFor"> {
  if (held?.connection !== connection) return { promisedAt: null };
  const { reason, until } = held;
  return reason === "unavailable" || reason === "awaiting_receipt" || reason === "needs_attention"
    ? { promisedAt: null }
    : { promisedAt: until, promisedFor: reason };
}

/** Where no lease was taken there is something to say only if the provider asked for quiet. Never throws. */
export async function leave(
  deps: GateDeps,
  { gate, terms, key, lease }: Passage,
  outcome: Outcome,
  isUntried: boolean,
): Promise<void> {
  const retryAfterMs = isUntried ? null : quietAskedFor(outcome);
  if (lease === null && retryAfterMs === null) return;
  if (retryAfterMs !== null && !hasLimits(terms)) notice(gate, "quiet", deps.now());
  try {
    const said = isUntried ? ({ outcome: "ignored" } as const) : saidBy(outcome);
    await deps.gate(gate).release(terms, [{ lease: lease ?? key, ...said, retryAfterMs }]);
  } catch (cause) {
    // The lease ends by itself.
    deps.log({ level: "warn", event: "lease_not_given_back", gate, lease, message: String(cause) });
  }
}

/** What an outcome says of the provider's health. That it refused a request says no more than that it is there. */
function saidBy(outcome: Outcome): Pick<ReleaseItem, "outcome" | "answered"> {
  if (outcome.ok) return { outcome: "ok" };
  // Another host's doing, though it answered with a status.
  if (isFileTrouble(outcome.error)) return { outcome: "ignored" };
  const { type, details } = outcome.error;
  if (isAwayType(type)) return { outcome: "failed" };
  return typeof details?.["status"] === "number" ? { outcome: "ignored", answered: true } : { outcome: "ignored" };
}
