// Attempts within caps: executes an attempt if its subject's cap allows it. A slot is taken before the attempt, and
// released if certainly nothing was sent. If something may have been sent, the slot stays used.
import { ENGINE_FAULT_HOLD_MS } from "#schema/limits/outgoing/connection-limits.ts";
import type { ActionError, Hold, Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { Subject } from "#schema/subject/calls.ts";
import type { Slot } from "#schema/subject/cap.ts";
import type { Deps } from "../deps.ts";
import { subjectName } from "./admit-starts.ts";

export type CapDeps = Pick<Deps, "subject" | "now" | "log">;
type CapOfRun = NonNullable<Ticket["cap"]>;

export async function withinCap(deps: CapDeps, ticket: Ticket, run: () => Promise<Outcome>): Promise<Outcome> {
  const { cap } = ticket;
  if (cap === undefined) return run();
  const object = deps.subject(subjectName(ticket.tenant, cap.subject));
  const slot = await takeSlot(deps, object, ticket, cap);
  if (slot === null) {
    const until = deps.now() + ENGINE_FAULT_HOLD_MS;
    return unsentOutcome(
      deps,
      "service_unavailable",
      `the subject's object does not answer, so the cap ${cap.name} cannot be checked`,
      { held: { reason: "unavailable", until, connection: null } },
    );
  }
  if (!slot.ok) return capReached(deps, cap, slot.opensAt);
  const outcome = await run();
  // If an earlier attempt with the same key may have been sent, its slot stays used.
  const isFree = slot.isNew && ticket.possiblyRepeated !== true && isCertainlyUnsent(outcome);
  if (isFree) await releaseSlot(deps, object, ticket, cap);
  return outcome;
}

/**
 * Takes a slot. Returns null if the subject's object does not answer; the run is then held, because nothing may be sent
 * without this check. The slot belongs to the run's key. So if the object granted one, the next attempt gets it.
 */
async function takeSlot(
  { log }: CapDeps,
  object: Subject,
  { idempotencyKey: key }: Ticket,
  { name: cap, max, window }: CapOfRun,
): Promise<Slot | null> {
  try {
    return await object.takeSlot({ cap, max, window, key });
  } catch (fault) {
    log({ level: "warn", event: "cap_not_checked", cap, run: key, message: String(fault) });
    return null;
  }
}

/** Releases the slot. If this call fails, the slot becomes free at the end of its window. */
async function releaseSlot(
  { log }: CapDeps,
  object: Subject,
  { idempotencyKey: key }: Ticket,
  cap: CapOfRun,
): Promise<void> {
  try {
    await object.releaseSlot(cap.name, key);
  } catch (fault) {
    log({ level: "warn", event: "slot_not_released", cap: cap.name, run: key, message: String(fault) });
  }
}

function capReached(deps: CapDeps, { name, max, over }: CapOfRun, opensAt: number): Outcome {
  const why = `the subject of the run has reached the cap ${name} (limit: ${max})`;
  return over === "skip"
    ? unsentOutcome(deps, "capped", why, { skipped: "capped", nextAt: opensAt })
    : unsentOutcome(deps, "capped", why, { held: { reason: "cap", until: opensAt, connection: null } });
}

type Consequence = { readonly held: Hold } | { readonly skipped: "capped"; readonly nextAt: number };

function unsentOutcome({ now }: CapDeps, type: ActionError["type"], why: string, instead: Consequence): Outcome {
  const at = now();
  const error: ActionError = { type, message: `the attempt was not sent: ${why}`, retryable: true };
  return { ok: false, error, ...instead, startedAt: at, endedAt: at };
}

/**
 * True if the provider received nothing, because the run was held before the request was sent. True also if the
 * provider refused the request.
 */
function isCertainlyUnsent(outcome: Outcome): boolean {
  if (outcome.ok) return false;
  return outcome.held ? outcome.held.reason !== "awaiting_receipt" : outcome.error.effect !== "unknown";
}
