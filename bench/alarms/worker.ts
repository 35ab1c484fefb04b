// Alarm baseline: a Worker with one object per reference, which sets an alarm and calls the sink when the alarm fires.
// Recurring actions are compared with it. It stores no history and makes no retries.
import { DurableObject } from "cloudflare:workers";

type Asked = { readonly ref: string; readonly url: string; readonly action?: string; readonly dueAt: number };
type Env = { readonly ALARMS: DurableObjectNamespace<Alarm> };

/**
 * The alarms that have fired in this isolate. The bench reads them with GET after the measurement, so recording adds no
 * cost.
 */
const firings: { readonly startedAt: number; readonly firedAt: number }[] = [];

export class Alarm extends DurableObject<Env> {
  async arm(asked: Asked): Promise<void> {
    this.ctx.storage.kv.put("asked", asked);
    await this.ctx.storage.setAlarm(asked.dueAt);
  }

  override async alarm(): Promise<void> {
    const asked = this.ctx.storage.kv.get<Asked>("asked");
    if (asked === undefined) return;
    const firedAt = Date.now();
    const { ref, url, action } = asked;
    if (action === undefined) return void firings.push({ startedAt: asked.dueAt, firedAt });
    const headers = { "Content-Type": "application/json" };
    await (await fetch(url, { method: "POST", headers, body: JSON.stringify({ ref, action, firedAt }) })).text();
  }
}

export default {
  async fetch(request, env) {
    if (request.method === "GET") return Response.json(firings);
    const asked = await request.json<Asked>();
    await env.ALARMS.getByName(asked.ref).arm(asked);
    return Response.json({ armed: asked.dueAt }, { status: 201 });
  },
} satisfies ExportedHandler<Env>;
