// Projections: writes the rows that executions send to the catalog, in one transaction per batch. Then it raises alerts
// for the failures in these rows.
import {
  ALERT_RAISE_ATTEMPTS_MAX,
  PROJECTION_MISTAKE_ATTEMPTS_MAX,
  PROJECTION_RETRY_S,
} from "#schema/limits/queues/message-sizes.ts";
import { projectionMessage, type ProjectionMessage } from "#schema/engine/projection.ts";
import type { Deps } from "#services/deps.ts";
import { failuresIn, raiseAlerts } from "#services/alerts/raise-alerts.ts";
import { dropRows } from "./dropped-rows.ts";
import { writeProjections } from "./write-projections.ts";

type Arrival = { readonly message: Message; readonly body: ProjectionMessage };

export async function consumeProjections(batch: MessageBatch, deps: Deps): Promise<void> {
  const arrivals = batch.messages.flatMap((message) => parse(message, deps));
  const back = await writeArrivals(arrivals, deps);
  for (const { message } of back) retryProjection(message);
  const written = arrivals.filter((arrival) => !back.has(arrival));
  const failures = failuresIn(
    written.map(({ body }) => body),
    deps.now(),
  );
  const untold = failures.length === 0 ? new Set<string>() : await raiseAlerts(deps, failures);
  for (const arrival of written) acknowledge(arrival, untold, deps);
}

/**
 * Writes a batch. Returns the messages to retry, because D1 did not answer or has refused a row of the message. A row
 * that D1 refuses repeatedly is dropped.
 */
export async function writeArrivals(arrivals: readonly Arrival[], deps: Deps): Promise<ReadonlySet<Arrival>> {
  const { refused, left } = await writeProjections(
    deps,
    arrivals.map(({ body }) => body),
  );
  const isHopeless = ({ n }: { n: number }): boolean =>
    (arrivals[n]?.message.attempts ?? 0) >= PROJECTION_MISTAKE_ATTEMPTS_MAX;
  const dropped = refused.filter(isHopeless);
  const back = [...left, ...refused.filter((each) => !isHopeless(each))];
  if (!(await dropRows(deps, dropped))) back.push(...dropped);
  return new Set(back.flatMap(({ n }) => arrivals[n] ?? []));
}

/**
 * Acknowledges a message whose rows were written. If its alerts could not be raised, the message is retried a few
 * times. Writing its rows a second time changes nothing.
 */
function acknowledge({ message, body }: Arrival, untold: ReadonlySet<string>, deps: Deps): void {
  const lacks = untold.size === 0 ? [] : failuresIn([body], deps.now()).filter(({ tenant }) => untold.has(tenant));
  if (lacks.length > 0 && message.attempts <= ALERT_RAISE_ATTEMPTS_MAX) {
    retryProjection(message);
    return;
  }
  if (lacks.length > 0) deps.log({ level: "error", event: "alerts_given_up", failures: lacks.slice(0, 20) });
  message.ack();
}

export function retryProjection(message: Message): void {
  message.retry({ delaySeconds: retryDelaySeconds(message.attempts) });
}

export function retryDelaySeconds(attempts: number): number {
  const { first, most } = PROJECTION_RETRY_S;
  return Math.min(most, first * 2 ** (attempts - 1));
}

/** Parses a projection message. A malformed message is dropped with a log line, because it cannot become valid. */
export function parse(message: Message, deps: Deps): readonly Arrival[] {
  const parsed = projectionMessage.safeParse(message.body);
  if (parsed.success) return [{ message, body: parsed.data }];
  deps.log({ level: "error", message: "malformed projection", id: message.id, issues: parsed.error.issues });
  message.ack();
  return [];
}
