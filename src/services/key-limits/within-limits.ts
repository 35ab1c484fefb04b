// Attempts within limits by key: asks each limit of the run before the attempt, and releases it afterwards. If a limit
// or a later check holds the run, the run keeps its places.
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type {
  KeyLimitAnswer,
  KeyLimitRequest,
  LimitHoldReason,
  LimitPlace,
  LimitSkipReason,
  TicketLimit,
} from "#schema/key-limits/calls.ts";
import {
  ENGINE_FAULT_HOLD_MS,
  SLOT_LEASE_GRACE_MS,
  WAITS_IN_PLACE_MAX,
  WAIT_IN_PLACE_MS,
} from "#schema/limits/outgoing/connection-limits.ts";
import type { Deps } from "../deps.ts";
import { shardOf } from "./shards.ts";
import { wakeWaiting } from "./wake-waiting.ts";

export type LimitDeps = Pick<Deps, "keyLimits" | "cell" | "now" | "background" | "log">;
type Granted = { readonly limit: TicketLimit; readonly place: LimitPlace };
type Answer = KeyLimitAnswer | { readonly kind: "unavailable" };

export async function withinLimits(deps: LimitDeps, ticket: Ticket, run: () => Promise<Outcome>): Promise<Outcome> {
  const { limits } = ticket;
  if (limits === undefined) return run();
  const granted: Granted[] = [];
  for (const limit of limits) {
    const answer = await acquire(deps, ticket, limit);
    if (answer.kind !== "admitted") {
      await releaseAll(deps, ticket, granted, false);
      return withPlaces(ticket, refusedOutcome(deps, limit, answer), [...granted, ...placeIn(limit, answer)]);
    }
    granted.push({ limit, place: { name: limit.name, since: answer.since, stage: "turn", ahead: 0 } });
  }
  const outcome = await run();
  await releaseAll(deps, ticket, granted, wasSent(outcome));
  return withPlaces(ticket, outcome, granted);
}

/** Asks a limit. If it asks for a short wait, the run waits here instead of being held. */
async function acquire(deps: LimitDeps, ticket: Ticket, limit: TicketLimit): Promise<Answer> {
  const { name, key, terms } = limit;
  const shard = await shardOf(ticket.tenant, name, key);
  let waited: KeyLimitRequest["waited"] = ticket.held?.places?.find((place) => place.name === name) ?? null;
  for (let waits = 0; ; waits++) {
    const ask = {
      key: shard.key,
      id: ticket.idempotencyKey,
      expiresAt: ticket.deadlineAt + SLOT_LEASE_GRACE_MS,
      isFirst: isFirstAttempt(ticket),
      waited: waited && { since: waited.since, stage: waited.stage },
    };
    const answer = await askOrNull(deps, ticket, shard.object, () =>
      deps.keyLimits(shard.object).acquireLimit(terms, ask),
    );
    if (answer === null) return { kind: "unavailable" };
    if (answer.kind !== "held") return answer;
    const waitMs = answer.until - deps.now();
    const isSoon = waitMs <= WAIT_IN_PLACE_MS && waitMs < (ticket.deadlineAt - deps.now()) / 4;
    // The release of a slot wakes held runs only, so a run that needs a slot does not wait here.
    if (answer.reason !== "limit_throttle" && answer.reason !== "limit_debounce") return answer;
    if (!isSoon || waits === WAITS_IN_PLACE_MAX) return answer;
    waited = answer;
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, waitMs)));
  }
}

/**
 * False if an earlier attempt, or an earlier delivery of this attempt, may have acted. Such a run was admitted before,
 * and must not be skipped.
 */
function isFirstAttempt({ attempt, possiblyRepeated, held }: Ticket): boolean {
  return attempt === 1 && possiblyRepeated !== true && held?.reason !== "awaiting_receipt";
}

/** If an object does not answer, the run is held, because nothing may be sent without this check. */
async function askOrNull<T>(
  { log }: LimitDeps,
  { idempotencyKey: run }: Ticket,
  object: string,
  ask: () => Promise<T>,
): Promise<T | null> {
  try {
    return await ask();
  } catch (fault) {
    log({ level: "warn", event: "key_limit_not_reached", object, run, message: String(fault) });
    return null;
  }
}

/**
 * Releases the limits, and wakes the runs that get the slots. If this call fails, a lease ends after the attempt's
 * deadline.
 */
async function releaseAll(deps: LimitDeps, ticket: Ticket, granted: readonly Granted[], sent: boolean): Promise<void> {
  await Promise.all(
    granted.map(async ({ limit: { name, key } }) => {
      const shard = await shardOf(ticket.tenant, name, key);
      const ask = { key: shard.key, id: ticket.idempotencyKey, wasSent: sent };
      const wake = await askOrNull(deps, ticket, shard.object, () => deps.keyLimits(shard.object).releaseLimit(ask));
      if (!wake || wake.length === 0) return;
      deps.background(wakeWaiting(deps, { tenant: ticket.tenant, name, shard }, wake));
    }),
  );
}

function refusedOutcome(
  { now }: LimitDeps,
  { name, key }: TicketLimit,
  answer: Exclude<Answer, { kind: "admitted" }>,
): Outcome {
  const [startedAt, endedAt] = [now(), now()];
  const of = `the limit ${name} for the key ${key}`;
  const unsent = (why: string) => ({
    ok: false as const,
    error: { type: "rate_limit", message: `the attempt was not sent: ${of} ${why}`, retryable: true },
    startedAt,
    endedAt,
  });
  switch (answer.kind) {
    case "unavailable": {
      const held = { reason: "unavailable", until: endedAt + ENGINE_FAULT_HOLD_MS, connection: null } as const;
      return { ...unsent("cannot be checked, because its object does not answer"), held };
    }
    case "skipped": {
      const { reason, nextAt } = answer;
      return { ...unsent(skipWords[reason]), skipped: reason, ...(nextAt === null ? {} : { nextAt }) };
    }
    case "held": {
      const { reason, until } = answer;
      return { ...unsent(holdWords[reason]), held: { reason, until, connection: null } };
    }
  }
}

const holdWords: { readonly [reason in LimitHoldReason]: string } = {
  limit_concurrency: "has no free slot",
  limit_throttle: "has used its turns",
  limit_debounce: "waits for a quiet time",
  limit_singleton: "has a run under way",
};

const skipWords: { readonly [reason in LimitSkipReason]: string } = {
  rate_limited_by_key: "has reached its rate",
  debounced: "has a newer run",
  singleton: "allows one run at a time",
};

/** The place of a run that a limit holds. Empty for any other answer. */
function placeIn(limit: TicketLimit, answer: Answer): readonly Granted[] {
  if (answer.kind !== "held") return [];
  const { since, stage, ahead } = answer;
  return [{ limit, place: { name: limit.name, since, stage, ahead } }];
}

/** Adds the run's places to its hold. A limit that was not asked this time keeps the place of the last hold. */
function withPlaces({ held }: Ticket, outcome: Outcome, known: readonly Granted[]): Outcome {
  if (outcome.ok || outcome.held === undefined) return outcome;
  const now = known.map(({ place }) => place);
  const before = (held?.places ?? []).filter(({ name }) => now.every((place) => place.name !== name));
  return { ...outcome, held: { ...outcome.held, places: [...now, ...before] } };
}

/** False if the run was held or skipped before its request was sent. */
function wasSent(outcome: Outcome): boolean {
  if (outcome.ok) return true;
  return outcome.skipped === undefined && (outcome.held === undefined || outcome.held.reason === "awaiting_receipt");
}
