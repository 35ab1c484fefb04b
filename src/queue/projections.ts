// Writes what executions report about themselves into the catalog, a whole batch in one transaction; then tells the
// tenants' alert channels of the failures in it.
import { PROJECTION_GROUP_ATTEMPTS_MAX, ALERT_RAISE_ATTEMPTS_MAX, PROJECTION_RETRY_S } from "#schema/limits/queues.ts";
import { applyProjections } from "#catalog/projections.ts";
import { projectionMessage, type ProjectionMessage } from "#schema/engine/projection.ts";
import type { Deps } from "#services/deps.ts";
import { failuresIn, raiseAlerts } from "#services/alerts/raise-alerts.ts";

type Arrival = { readonly message: Message; readonly body: ProjectionMessage };

export async function consumeProjections(batch: MessageBatch, deps: Deps): Promise<void> {
  const arrivals = batch.messages.flatMap((message) => parse(message, deps));
  const alone = arrivals.filter(({ message }) => message.attempts > PROJECTION_GROUP_ATTEMPTS_MAX);
  await apply(
    arrivals.filter((arrival) => !alone.includes(arrival)),
    deps,
  );
  for (const arrival of alone) await apply([arrival], deps);
}

async function apply(arrivals: readonly Arrival[], deps: Deps): Promise<void> {
  if (arrivals.length === 0) return;
  const bodies = arrivals.map(({ body }) => body);
  try {
    await applyProjections(deps.db, bodies);
  } catch (cause) {
    deps.log({ level: "error", message: "projections not written", count: arrivals.length, error: String(cause) });
    for (const { message } of arrivals) message.retry({ delaySeconds: retryDelaySeconds(message.attempts) });
    return;
  }
  const failures = failuresIn(bodies, deps.now());
  const untold = failures.length === 0 ? new Set<string>() : await raiseAlerts(deps, failures);
  for (const arrival of arrivals) acknowledge(arrival, untold, deps);
}

/** Rows may be written twice without harm, so alerts that could not be raised bring their message back a few times. */
function acknowledge({ message, body }: Arrival, untold: ReadonlySet<string>, deps: Deps): void {
  const lacks = untold.size === 0 ? [] : failuresIn([body], deps.now()).filter(({ tenant }) => untold.has(tenant));
  if (lacks.length > 0 && message.attempts <= ALERT_RAISE_ATTEMPTS_MAX) {
    message.retry({ delaySeconds: retryDelaySeconds(message.attempts) });
    return;
  }
  if (lacks.length > 0) deps.log({ level: "error", event: "alerts_given_up", failures: lacks.slice(0, 20) });
  message.ack();
}

export function retryDelaySeconds(attempts: number): number {
  const { first, most } = PROJECTION_RETRY_S;
  return Math.min(most, first * 2 ** (attempts - 1));
}

/** A malformed message can never become well-formed: it is let go, loudly. */
export function parse(message: Message, deps: Deps): readonly Arrival[] {
  const parsed = projectionMessage.safeParse(message.body);
  if (parsed.success) return [{ message, body: parsed.data }];
  deps.log({ level: "error", message: "malformed projection", id: message.id, issues: parsed.error.issues });
  message.ack();
  return [];
}
