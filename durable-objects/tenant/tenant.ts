// Tenant object: counts the quotas that a tenant has used, as isolates report them. Calls wait for this object only
// while the tenant is at its limit. The object writes at intervals, so a crash loses some seconds of the counts.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "#env";
import { recordReport, openMeter, viewMeter, type MeterState } from "#policy/gates/quotas/quota.ts";
import { METER_WRITE_AFTER_MS } from "#schema/limits/tenants/quota-leases.ts";
import type { Lease, Meter, MeterView, Report } from "#schema/quota.ts";
import { meterStorage } from "./storage.ts";

export class TenantObject extends DurableObject<Env> implements Meter {
  readonly #storage: ReturnType<typeof meterStorage>;
  #state: MeterState;
  /** True while a write is scheduled. */
  #isWriteScheduled = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#storage = meterStorage(ctx.storage);
    this.#state = this.#storage.read() ?? openMeter;
  }

  async report(report: Report): Promise<Lease> {
    const { state, lease, near } = recordReport(this.#state, report, Date.now());
    this.#state = state;
    for (const quota of near) {
      console.log(JSON.stringify({ level: "warn", event: "quota_near", tenant: this.ctx.id.name, ...quota }));
    }
    if (!this.#isWriteScheduled) {
      this.#isWriteScheduled = true;
      setTimeout(() => this.#write(), METER_WRITE_AFTER_MS);
    }
    return lease;
  }

  async read(): Promise<MeterView> {
    return viewMeter(this.#state, Date.now());
  }

  #write(): void {
    this.#isWriteScheduled = false;
    this.#storage.write(this.#state);
  }
}
