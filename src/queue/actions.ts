// Carries out queued runs: claim, run, settle, acknowledge. It holds no state: what is lost here is found again by
// the execution's alarm. Runs of one cell share one claim call and, as far as they end together, one settle call.
// A settlement may bring the execution's next run with it, which is then carried out without a message of its own.
import { CONSUMER_CONNECTIONS_MAX, CLAIM_GROUP_MS, NEXT_RUN_WITHIN_MS } from "#schema/limits/queues.ts";
import { queueMessage, type ActionMessage, type SignalMessage } from "#schema/engine/message.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import { isUndecided, type Result } from "#schema/refusal.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { Deps } from "#services/deps.ts";
import { cellName } from "#services/cells/placement.ts";
import { retryLater } from "./retry-later.ts";
import { openSettling, type Settling } from "./settling.ts";
import { carrySignal } from "./signals.ts";
import { openSemaphore, type Semaphore } from "./semaphore.ts";

export type RunAction = (ticket: Ticket) => Promise<Outcome>;

export type Arrival<Body> = { readonly message: Message; readonly body: Body };
type Group = { readonly cell: string; readonly arrivals: readonly Arrival<ActionMessage>[] };

export async function consumeActions(batch: MessageBatch, deps: Deps, run: RunAction): Promise<void> {
  const { actions, signals } = parseMessages(batch.messages, deps);
  const urgentFirst = actions.toSorted((a, b) => b.body.priority - a.body.priority);
  const semaphore = openSemaphore(CONSUMER_CONNECTIONS_MAX);
  const settlings = new Map<string, Settling>();
  const groups: Promise<void>[] = [];
  const takesNextUntil = deps.now() + NEXT_RUN_WITHIN_MS;
  for (const { cell, arrivals: all } of groupsOf(urgentFirst)) {
    const settling = settlings.get(cell) ?? openSettling(deps, cell);
    settlings.set(cell, settling);
    // A claim starts a deadline, so nothing is claimed that would have to wait for a connection.
    for (let from = 0; from < all.length;) {
      const count = await takeTogether(semaphore, all.length - from);
      groups.push(
        carryOut({ cell, arrivals: all.slice(from, from + count) }, { deps, run, settling, semaphore, takesNextUntil }),
      );
      from += count;
    }
  }
  groups.push(...signals.map((signal) => carrySignal(signal, deps, semaphore)));
  await Promise.all(groups);
}

async function takeTogether(semaphore: Semaphore, wanted: number): Promise<number> {
  const first = await semaphore.take(wanted);
  if (first === Math.min(wanted, CONSUMER_CONNECTIONS_MAX)) return first;
  await new Promise((resolve) => setTimeout(resolve, CLAIM_GROUP_MS));
  return first + (semaphore.free() > 0 ? await semaphore.take(wanted - first) : 0);
}

type Means = {
  readonly deps: Deps;
  readonly run: RunAction;
  readonly settling: Settling;
  readonly semaphore: Semaphore;
  readonly takesNextUntil: number;
};

async function carryOut({ cell, arrivals }: Group, means: Means): Promise<void> {
  const claims = await claim({ cell, arrivals }, means.deps);
  means.settling.expect(claims?.filter(({ ok }) => ok).length ?? 0);
  const work = arrivals.map(async ({ message }, index) => {
    const claimed = claims?.[index];
    const settled = claimed?.ok ? await follow(claimed.value, means) : false;
    means.semaphore.give(1);
    // Refused: canceled, paused, late, or somebody else has it. The message has done what it could, unless its cell broke.
    if (settled || (claimed && !claimed.ok && !isUndecided(claimed.refusal))) message.ack();
    else retryLater(message);
  });
  await Promise.all(work);
}

/** One run, and those that come after it as long as there is time. True: the first one, the message's, is settled. */
async function follow(first: Ticket, { deps, run, settling, takesNextUntil }: Means): Promise<boolean> {
  let isSettled = false;
  for (let ticket: Ticket | null = first; ticket !== null;) {
    const outcome = await attempt(run, ticket, deps);
    if (outcome === null) {
      settling.miss();
      return isSettled;
    }
    const { execution, run: id, attempt: number } = ticket;
    const takesNext = deps.now() < takesNextUntil;
    const answer = await settling.settle({ execution, run: id, attempt: number, outcome, takesNext });
    isSettled ||= answer !== null;
    ticket = answer?.ok ? answer.value.next : null;
    if (ticket) settling.expect(1);
  }
  return isSettled;
}

/** null: the cell could not be reached. */
async function claim({ cell, arrivals }: Group, deps: Deps): Promise<readonly Result<Ticket>[] | null> {
  try {
    return await deps.cell(cell).claimMany(arrivals.map(({ body }) => body));
  } catch (fault) {
    deps.log({ level: "warn", event: "actions_not_claimed", cell, count: arrivals.length, message: String(fault) });
    return null;
  }
}

/** Runners turn whatever happens into an outcome; null is a fault of what is around them. */
async function attempt(run: RunAction, ticket: Ticket, deps: Deps): Promise<Outcome | null> {
  try {
    return await run(ticket);
  } catch (fault) {
    const { execution, run: id } = ticket;
    deps.log({ level: "error", event: "action_not_run", execution, run: id, message: String(fault) });
    return null;
  }
}

type Parsed = {
  readonly actions: readonly Arrival<ActionMessage>[];
  readonly signals: readonly Arrival<SignalMessage>[];
};

/** A malformed message can never become well-formed: it is let go, loudly. */
export function parseMessages(messages: readonly Message[], deps: Deps): Parsed {
  const actions: Arrival<ActionMessage>[] = [];
  const signals: Arrival<SignalMessage>[] = [];
  for (const message of messages) {
    const parsed = queueMessage.safeParse(message.body);
    if (!parsed.success) {
      deps.log({ level: "error", event: "malformed_action_message", id: message.id, issues: parsed.error.issues });
      message.ack();
    } else if (parsed.data.kind === "action") actions.push({ message, body: parsed.data });
    else signals.push({ message, body: parsed.data });
  }
  return { actions, signals };
}

/** Messages of one cell go together; the most urgent message decides when. */
function groupsOf(arrivals: readonly Arrival<ActionMessage>[]): readonly Group[] {
  const cells = Map.groupBy(arrivals, ({ body }) => cellName(body.tenant, body.execution));
  return Array.from(cells, ([cell, members]) => ({ cell, arrivals: members }));
}
