// Totals as those who watch want them: as JSON, or in Prometheus' text format.
import { toInstant } from "#schema/values.ts";
import type { ApiConfigView, ApiMetricsSnapshot } from "./shape.ts";

type Totals = {
  readonly at: number;
  readonly tenants: readonly {
    readonly tenant: string;
    readonly dispatched: number;
    readonly active: number;
    readonly errors: number;
  }[];
};

export function presentSnapshot({ at, tenants }: Totals): ApiMetricsSnapshot {
  const each = tenants.map(({ tenant, dispatched, active, errors }) => ({
    tenant,
    recurring_dispatched: dispatched,
    recurring_active: active,
    recurring_errors: errors,
  }));
  return { at: toInstant(at), tenants: each };
}

export function presentConfig(of: { readonly isOn: boolean; readonly intervalMs: number }): ApiConfigView {
  const background = {
    enable_recurring_actions: of.isOn,
    recurring_check_interval_seconds: 0 as const,
    recurring_interval_seconds_min: of.intervalMs / 1_000,
  };
  return { background };
}

const METRICS = [
  ["recurring_dispatched", "counter", "Occurrences of recurring actions that were dispatched."],
  ["recurring_active", "gauge", "Recurring actions that are active."],
  ["recurring_errors", "counter", "Occurrences of recurring actions that could not be dispatched."],
] as const;

/** A tenant's id needs no escaping: it has small letters, digits and dashes. */
export function presentPrometheus(totals: Totals): string {
  const { tenants } = presentSnapshot(totals);
  const blocks = METRICS.map(([name, type, help]) => {
    const lines = tenants.map((each) => `${name}{tenant="${each.tenant}"} ${each[name]}`);
    return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join("\n");
  });
  return `${blocks.join("\n")}\n`;
}
