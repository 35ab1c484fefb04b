// The bench's flows on Cloudflare Workflows, as somebody would write them who knows the product: one instance an
// execution, one step an action, the retries of the step's own configuration.
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from "cloudflare:workers";

type Params = {
  readonly ref: string;
  /** Where the actions go. */
  readonly url: string;
  /** Names of the actions, called one after another. */
  readonly actions: readonly string[];
  readonly sleepMs: number;
  /** An instant to sleep until, instead; the calls after it say when the sleep was over. */
  readonly dueAt?: number;
  readonly retryMs: number;
  readonly attempts: number;
};

type Env = { readonly FLOW: Workflow<Params> };

/** What the runs of this isolate say of their timers: asked for when all is over, it costs none of them anything. */
const firings: { readonly startedAt: number; readonly firedAt: number }[] = [];

export class Flow extends WorkflowEntrypoint<Env, Params> {
  override async run({ payload, instanceId }: Readonly<WorkflowEvent<Params>>, step: WorkflowStep): Promise<void> {
    const { ref, url, actions, sleepMs, dueAt, retryMs, attempts } = payload;
    const startedAt = Date.now();
    if (sleepMs > 0) await step.sleep("sleep", sleepMs);
    if (dueAt !== undefined) await step.sleepUntil("sleep", dueAt);
    const firedAt = Date.now();
    if (actions.length === 0) firings.push({ startedAt, firedAt });
    const fired = dueAt === undefined ? {} : { firedAt };
    const retries = { limit: attempts - 1, delay: retryMs, backoff: "constant" } as const;
    for (const action of actions) {
      await step.do(action, { retries, timeout: 30_000 }, async () => {
        const response = await fetch(url, {
          method: "POST",
          headers: { "Content-Type": "application/json", "Idempotency-Key": `${instanceId}/${action}` },
          body: JSON.stringify({ ref, action, ...fired }),
        });
        const body = await response.text();
        if (!response.ok) throw new Error(`the sink answered ${response.status}`);
        return { statusCode: response.status, body };
      });
    }
  }
}

export default {
  async fetch(request, env) {
    if (request.method === "GET") return Response.json(firings);
    const params = await request.json<Params>();
    // Started once, however often it is asked for: what a key is elsewhere.
    const { id } = await env.FLOW.create({ id: params.ref, params }).catch(() => env.FLOW.get(params.ref));
    return Response.json({ id }, { status: 201 });
  },
} satisfies ExportedHandler<Env>;
