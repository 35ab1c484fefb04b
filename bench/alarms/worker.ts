// The floor of whatever recurs: one object each that sets an alarm and calls when it goes off. No history, no next
// occurrence, no retry, no lists.
import { DurableObject } from "cloudflare:workers";

type Asked = { readonly ref: string; readonly url: string; readonly action?: string; readonly dueAt: number };
type Env = { readonly ALARMS: DurableObjectNamespace<Alarm> };

/** What the objects of this isolate say of their alarms: asked for when all is over, it costs none of them anything. */
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
