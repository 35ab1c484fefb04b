// Delivery statuses as API objects.
import { DAY_MS } from "#schema/limits/upkeep/statistics.ts";
import { toInstant } from "#schema/values.ts";
import type { ApiDelivery, ApiReportDays } from "./shape.ts";

type Status = {
  readonly kind: string;
  readonly at: number;
  readonly attempt: number | null;
  readonly messageId: string | null;
  readonly recipient: string | null;
  readonly code: string | null;
  readonly reason: string | null;
  readonly counts: { readonly [kind: string]: number };
};

export function presentDelivery(status: Status | null): ApiDelivery | null {
  if (status === null) return null;
  const { kind, at, attempt, messageId, recipient, code, reason, counts } = status;
  const byStatus = Object.fromEntries(Object.entries(counts).map(([each, n]) => [statusOf(each), n]));
  const about = { attempt, messageId, recipient, code, reason };
  return { status: statusOf(kind), event: kind, at: toInstant(at), ...about, counts: byStatus };
}

/** Returns the status in an event type: delivered of email_delivered. */
function statusOf(kind: string): string {
  return kind.replace(/^[a-z]+_/, "");
}

type Counter = { readonly day: number; readonly definition: string; readonly kind: string; readonly n: number };

export function presentReportDays(counters: readonly Counter[]): ApiReportDays {
  const groups = Map.groupBy(counters, ({ day, definition }) => `${day} ${definition}`);
  const data = [...groups.values()].map((group) => ({
    date: toInstant((group[0]?.day ?? 0) * DAY_MS).slice(0, 10),
    definition: group[0]?.definition ?? "",
    counts: Object.fromEntries(group.map(({ kind, n }) => [kind, n])),
  }));
  return { data };
}
