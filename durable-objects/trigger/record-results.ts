// Delivery results: records the results of the effects of deliveries. A result comes from the call that sent the effect,
// or later as the report of the directory that has the delivery's event. The caller opens the transaction.
import { afterDelivery } from "#policy/inbound/deliveries.ts";
import type { EventReport } from "#schema/directory/calls.ts";
import type { DeliveryFault, DeliveryOutcome } from "#schema/inbound/delivery.ts";
import type { HostPlatform } from "#objects/host/host.ts";
import type { Due } from "./pending-rows.ts";
import { deliveryIdForSeq, numberOf } from "./present.ts";
import { addToStuck } from "./store-deliveries.ts";
import type { TriggerRows } from "./storage.ts";

type Log = HostPlatform["log"];

/** Records the outcomes, in the order of `due`. A delivery without an outcome was not reached, and is retried. */
export function recordOutcomes(
  rows: TriggerRows,
  due: readonly Due[],
  outcomes: readonly DeliveryOutcome[],
  now: number,
  log: Log,
): void {
  for (const [index, pending] of due.entries()) {
    // A report may arrive before the response of the call that published the event.
    if (rows.isPending(pending)) recordOutcome(rows, pending, outcomes[index] ?? unreached, now, log);
  }
}

function recordOutcome(rows: TriggerRows, pending: Due, outcome: DeliveryOutcome, now: number, log: Log): void {
  const { seq, effect } = pending;
  const next = afterDelivery(outcome, pending, now);
  if (next.kind === "retry") return rows.postpone(seq, next.at, next.tries);
  rows.deletePending(seq);
  switch (next.kind) {
    case "published":
      return;
    case "done":
      if (effect.kind === "post") rows.apply(seq, rows.counts().emptied);
      return;
    case "failed":
      return fail(rows, seq, next.reason, log);
  }
}

const unreached: DeliveryOutcome = {
  kind: "later",
  reason: { code: "unavailable", message: "the engine could not send the delivery to its execution" },
};

/** Records the result of the event of a delivery. Ignores a repeated report, and one of a publication before a replay. */
export function recordReport(rows: TriggerRows, { delivery, event, replayedAt, result }: EventReport, log: Log): void {
  const seq = numberOf(delivery);
  const row = seq === null ? null : rows.summary(seq);
  if (seq === null || row === null || row.event !== event) {
    log({ level: "warn", event: "report_unmatched", delivery, result });
    return;
  }
  const { status, effect } = row;
  const publishedAt = effect?.kind === "post" ? (effect.replayedAt ?? null) : null;
  if ((status !== "published" && status !== "failed") || publishedAt !== replayedAt) return;
  rows.deletePending(seq);
  if (result !== "taken") {
    if (status === "published") fail(rows, seq, result, log);
    return;
  }
  if (status === "failed") addToStuck(rows, -1, -rows.requestBytes(seq));
  rows.apply(seq, rows.counts().emptied);
}

function fail(rows: TriggerRows, seq: number, reason: DeliveryFault, log: Log): void {
  addToStuck(rows, 1, rows.fail(seq, reason));
  const { code, message } = reason;
  log({ level: "error", event: "delivery_failed", delivery: deliveryIdForSeq(seq), code, message });
}
