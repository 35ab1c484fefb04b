// Delivery storage: stores new deliveries. A delivery gets its row, its position in its sequence and, if it has an
// effect, a pending row. The caller opens the transaction.
import { senderResponse } from "#policy/inbound/sender-response.ts";
import { isOlder } from "#policy/inbound/deliveries.ts";
import type { DeliveryAnswer, Arrival, ReplayItem, SequencePlace, AcceptedDelivery } from "#schema/inbound/delivery.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { deliveryIdForSeq, numberOf, takenOf } from "./present.ts";
import { deliveryIdOf, type Outcome } from "./delivery-rows.ts";
import type { Owner, TriggerRows } from "./storage.ts";

/**
 * Stores deliveries, and recognizes duplicates, including those within the same request. Returns the answers in the
 * same order.
 */
export function storeDeliveries(
  rows: TriggerRows,
  { tenant, trigger, kind }: Owner,
  arrivals: readonly Arrival[],
  now: number,
): readonly DeliveryAnswer[] {
  rows.prepare({ tenant, trigger, kind });
  let seq = rows.lastSeq()?.seq ?? 0;
  return arrivals.map((arrival) => {
    const existing = rows.byIdentity(arrival.identity);
    if (existing !== null) return { ...takenOf(existing), duplicate: true };
    seq += 1;
    const outcome = decideOutcome(rows, seq, arrival);
    const bytes = rows.insert(seq, now, arrival, outcome);
    if (outcome.effect !== null) rows.pend(seq, now);
    if (outcome.status === "unmappable") addToStuck(rows, 1, bytes);
    return { ...answerOf(seq, deliveryIdOf(arrival.identity), outcome), duplicate: false };
  });
}

/** Applies the trigger's current mapping to a stored delivery. */
export function replayDelivery(rows: TriggerRows, item: ReplayItem, now: number): Result<AcceptedDelivery> {
  const seq = numberOf(item.id);
  const row = seq === null ? null : rows.bySeq(seq);
  if (seq === null || row === null)
    return refuse({ code: "not_found", message: `There is no delivery "${item.id}", or it was deleted.` });
  if (row.status === "applied" || row.status === "published") return refuse(notReplayable(takenOf(row)));
  const outcome = asReplay(decideOutcome(rows, seq, item), now);
  rows.rewrite(seq, outcome, item.sequence);
  const wasStuck = isStuck(row.status);
  const isStuckNow = isStuck(outcome.status);
  if (!wasStuck && isStuckNow) addToStuck(rows, 1, rows.requestBytes(seq));
  if (wasStuck && !isStuckNow) addToStuck(rows, -1, -rows.requestBytes(seq));
  if (outcome.effect !== null) rows.pend(seq, now);
  return accept(answerOf(seq, row.deliveryId, outcome));
}

/** Marks an event as replayed, so that its directory publishes it again although it was undeliverable. */
function asReplay(outcome: Outcome, now: number): Outcome {
  if (outcome.effect?.kind !== "post") return outcome;
  return { ...outcome, effect: { ...outcome.effect, replayedAt: now } };
}

/** True if a delivery with this status waits for an operator. */
export function isStuck(status: string): boolean {
  return status === "unmappable" || status === "failed";
}

export function addToStuck(rows: TriggerRows, count: number, bytes: number): void {
  const counts = rows.counts();
  rows.setCounts({ ...counts, stuck: counts.stuck + count, bytes: counts.bytes + bytes });
}

/** Decides the outcome of a mapped delivery. An effect that is not outdated takes its position in the sequence. */
function decideOutcome(
  rows: TriggerRows,
  seq: number,
  { mapped, sequence }: Pick<Arrival, "mapped" | "sequence">,
): Outcome {
  switch (mapped.kind) {
    case "ignored":
      return { status: "ignored", effect: null, reason: null };
    case "unmappable":
      return { status: "unmappable", effect: null, reason: mapped.reason };
    case "effect": {
      const newest = sequence === null ? null : rows.place(sequence.by);
      const isOutdated = sequence === null ? false : isOlder(sequence.value, newest);
      if (sequence !== null && isOutdated === null) return notComparable(sequence, newest);
      if (sequence !== null && isOutdated) return outdated(sequence, newest);
      if (sequence !== null) rows.takePlace(sequence, seq);
      return { status: mapped.effect.kind === "post" ? "published" : "applied", effect: mapped.effect, reason: null };
    }
  }
}

function notComparable({ value }: SequencePlace, newest: SequencePlace["value"] | null): Outcome {
  const message = `sequence.value returns ${JSON.stringify(value)}, which cannot be compared with ${JSON.stringify(newest)} of an earlier delivery`;
  return { status: "unmappable", effect: null, reason: { code: "sequence_not_comparable", message } };
}

function outdated({ value }: SequencePlace, newest: SequencePlace["value"] | null): Outcome {
  const message = `the delivery has the position ${JSON.stringify(value)}, which is before the position ${JSON.stringify(newest)} of an earlier delivery`;
  return { status: "outdated", effect: null, reason: { code: "outdated", message } };
}

/** Returns the answer to the sender. An effect is shown as pending until it is done. */
function answerOf(seq: number, deliveryId: string | null, { status, effect, reason }: Outcome): AcceptedDelivery {
  return {
    id: deliveryIdForSeq(seq),
    deliveryId,
    status: effect === null ? status : "pending",
    ...senderResponse(effect),
    reason,
  };
}

function notReplayable({ id, status, execution, event }: AcceptedDelivery) {
  const target = execution === null ? `the event ${event}` : `the execution ${execution}`;
  return {
    code: "delivery_not_replayable",
    message:
      status === "pending"
        ? `The engine is sending the delivery ${id} to ${target}.`
        : `The delivery ${id} is ${status}; its result is in ${target}.`,
    hint: "Only deliveries with the status ignored, outdated, unmappable or failed can be replayed.",
  } as const;
}
