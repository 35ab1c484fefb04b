// The platform's prices in US dollars per million units above the quantities that a plan includes. CPU time, memory and
// the Worker's own requests are not counted.
import type { PlatformCounts } from "#schema/virtual/forecast.ts";

/** Source: the pricing pages of Durable Objects (SQLite), Queues and D1 on developers.cloudflare.com. */
const perMillion: { readonly [what in keyof PlatformCounts]: number } = {
  objectRows: 1.0,
  objectRequests: 0.15,
  /** Each message is written, read and deleted, which are three operations at $0.40 per million. */
  queueMessages: 1.2,
  catalogRows: 1.0,
};

export type PlatformBill = PlatformCounts & { readonly dollars: number };

export function billOf(counts: PlatformCounts): PlatformBill {
  const dollars = names.reduce((sum, name) => sum + (counts[name] * perMillion[name]) / MILLION, 0);
  return { ...counts, dollars: Math.round(dollars * MILLION) / MILLION };
}

const MILLION = 1_000_000;
const names = ["objectRows", "objectRequests", "queueMessages", "catalogRows"] as const;

export function plus(a: PlatformCounts, b: PlatformCounts, times: number): PlatformCounts {
  return {
    objectRows: a.objectRows + b.objectRows * times,
    objectRequests: a.objectRequests + b.objectRequests * times,
    queueMessages: a.queueMessages + b.queueMessages * times,
    catalogRows: a.catalogRows + b.catalogRows * times,
  };
}

const NONE = 0;
export const nothing: PlatformCounts = {
  objectRows: NONE,
  objectRequests: NONE,
  queueMessages: NONE,
  catalogRows: NONE,
};
