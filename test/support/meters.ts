// The objects of tenants in memory: the policy behind their calls, without storage. Counts calls.
import { recordReport, openMeter, viewMeter, type MeterState } from "#policy/gates/quotas/quota.ts";
import type { Meter, Report } from "#schema/quota.ts";

export class MemoryMeters {
  readonly reports: Report[] = [];
  /** Set to make the calls fail. */
  isSilent = false;
  readonly #states = new Map<string, MeterState>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  meter(tenant: string): Meter {
    return {
      report: async (told) => {
        this.reports.push(told);
        if (this.isSilent) throw new Error("the object does not answer");
        const { state, lease } = recordReport(this.#states.get(tenant) ?? openMeter, told, this.#now());
        this.#states.set(tenant, state);
        return lease;
      },
      read: async () => viewMeter(this.#states.get(tenant) ?? openMeter, this.#now()),
    };
  }
}
