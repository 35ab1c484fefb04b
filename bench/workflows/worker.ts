// Workflows contender: the bench's executions on Cloudflare Workflows, written as its documentation recommends. Each
// execution is an instance, each action a step, and retries use the step's configuration.
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from "cloudflare:workers";

type Params = {
  readonly ref: string;
  /** The sink's address. */
  readonly url: string;
  /** Names of the actions, called in order. */
  readonly actions: readonly string[];
  readonly sleepMs: number;
  /** When the instance wakes, in milliseconds since 1970, instead of `sleepMs`. Its calls report when it woke. */
  readonly dueAt?: number;
  readonly retryMs: number;
  readonly attempts: number;
};

type Env = { readonly FLOW: Workflow<Params> };

/**
 * The timers that have fired in this isolate. The bench reads them with GET after the measurement, so recording adds no
 * cost.
 */
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
    // The instance id is the reference, so a repeated start creates no second instance. It replaces an idempotency key.
    const { id } = await env.FLOW.create({ id: params.ref, params }).catch(() => env.FLOW.get(params.ref));
    return Response.json({ id }, { status: 201 });
  },
} satisfies ExportedHandler<Env>;
