// The action queue and its consumer, with the protocol of src/queue/actions.ts: claim, run, settle, acknowledge; what
// cannot be claimed or settled comes back, and after ten times goes to the dead-letter queue.
import type { ClaimItem, SettleItem, Settled } from "#schema/engine/cell.ts";
import type { ActionMessage } from "#schema/engine/message.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import { isUndecided, type Result } from "#schema/refusal.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { cellName } from "#services/cells/placement.ts";
import type { Chance } from "./chance.ts";
import type { Faults } from "./faults.ts";
import type { Host } from "./host.ts";
import type { Life, Timeline } from "./timeline.ts";

type Message = { readonly body: ActionMessage; readonly attempts: number };

export type Queue = {
  readonly send: (messages: readonly ActionMessage[]) => void;
  /** The whole process went down: a local queue forgets what it had. */
  readonly forget: () => void;
  readonly sent: ReadonlyMap<string, number>;
};

type Crash = "claimed" | "done" | "settled" | null;
type Answers = readonly (Result<Settled> | null)[];

type Parts = {
  readonly timeline: Timeline;
  readonly faults: Faults;
  readonly chance: Chance;
  readonly host: (name: string) => Host;
  readonly provide: (ticket: Ticket) => Promise<Outcome>;
};

const DELIVERIES_MAX = 11;
const GROUP_MAX = 12;
const SETTLE_TRIES = 3;
const BATCH_WAIT_MS = 3;

export function openQueue({ timeline, faults, chance, host, provide }: Parts): Queue {
  const sent = new Map<string, number>();
  let process: Life = { alive: true };
  let ready: Message[] = [];
  let batching = false;

  const post = (message: Message, delayMs: number): void => {
    const mine = process;
    const lateMs = faults.strikes("messageDelayed") ? faults.chance.between(1_000, 600_000) : 0;
    timeline.at(timeline.now() + delayMs + lateMs, () => {
      if (!mine.alive) return;
      ready.push(message);
      if (batching) return;
      batching = true;
      timeline.at(timeline.now() + BATCH_WAIT_MS, () => {
        batching = false;
        consume();
      });
    });
  };

  const retryLater = (messages: readonly Message[]): void => {
    for (const { body, attempts } of messages) {
      if (attempts >= DELIVERIES_MAX) void report(body, 1);
      else post({ body, attempts: attempts + 1 }, Math.min(300, 2 ** attempts) * 1_000);
    }
  };

  /** The dead-letter queue's consumer: it does not give up. */
  const report = async ({ tenant, execution, run, attempt }: ActionMessage, tries: number): Promise<void> => {
    const mine = process;
    timeline.note(`dead letter queue reports ${execution}/${run} attempt ${attempt}`);
    try {
      const answers = await host(cellName(tenant, execution)).call(mine, (calls) =>
        calls.undeliverable([{ execution, run, attempt }]),
      );
      if (answers?.some(isBroken)) throw new Error("the cell broke over it");
    } catch {
      await timeline.sleep(Math.min(3_600, 30 * 2 ** tries) * 1_000, mine);
      await report({ v: 1, kind: "action", tenant, execution, run, attempt, priority: 0 }, tries + 1);
    }
  };

  const consume = (): void => {
    const urgentFirst = ready.toSorted((a, b) => b.body.priority - a.body.priority);
    ready = [];
    for (const [cell, messages] of Map.groupBy(urgentFirst, ({ body }) => cellName(body.tenant, body.execution))) {
      for (let from = 0; from < messages.length; from += GROUP_MAX)
        void carryOut(cell, messages.slice(from, from + GROUP_MAX));
    }
  };

  const carryOut = async (cell: string, messages: readonly Message[]): Promise<void> => {
    const mine = process;
    const items: ClaimItem[] = messages.map(({ body: { execution, run, attempt } }) => ({ execution, run, attempt }));
    const crashesAt = faults.strikes("consumerCrashes")
      ? faults.chance.pick<NonNullable<Crash>>(["claimed", "done", "settled"])
      : null;
    const comeBack = (some: readonly Message[]): void => {
      if (mine.alive) retryLater(some);
    };
    try {
      const claims = await host(cell).call(mine, (calls) => calls.claimMany(items));
      if (crashesAt === "claimed") return comeBack(messages);
      comeBack(messages.filter((_, at) => isBroken(claims[at])));
      const work = messages.flatMap((message, at) => {
        const claim = claims[at];
        return claim?.ok ? [{ message, ticket: claim.value }] : [];
      });
      if (chance.yes(0.5)) {
        await Promise.all(
          work.map(async ({ message, ticket }) => {
            if (!(await follow(cell, ticket, mine, crashesAt))) comeBack([message]);
          }),
        );
      } else {
        const tickets = work.map(({ ticket }) => ticket);
        const settled = await together(cell, tickets, mine, crashesAt);
        comeBack(work.flatMap(({ message }, at) => (settled[at] ? [] : [message])));
      }
      if (crashesAt !== null) comeBack(messages);
    } catch (fault) {
      timeline.note(`${cell} not claimed: ${(fault as Error).message}`);
      comeBack(messages);
    }
  };

  /** One run, and those that its settlements bring. True: the first one is settled, or its consumer is gone. */
  const follow = async (cell: string, first: Ticket, mine: Life, crashesAt: Crash): Promise<boolean> => {
    let isSettled = false;
    for (let ticket: Ticket | null = first; ticket !== null;) {
      const outcome = await provide(ticket);
      if (!mine.alive || crashesAt === "done") return true;
      const [answer = null] = await settle(cell, [settlement(ticket, outcome)], mine);
      isSettled ||= answer !== null;
      ticket = crashesAt === null ? nextOf(answer) : null;
    }
    return isSettled;
  };

  /** Runs that began together and settle in one call. Says of each whether it is settled. */
  const together = async (
    cell: string,
    tickets: readonly Ticket[],
    mine: Life,
    crashesAt: Crash,
  ): Promise<readonly boolean[]> => {
    const items = await Promise.all(tickets.map(async (ticket) => settlement(ticket, await provide(ticket))));
    if (!mine.alive || crashesAt === "done" || items.length === 0) return tickets.map(() => true);
    const answers = await settle(cell, items, mine);
    const next = crashesAt === null ? answers.map(nextOf).filter((ticket) => ticket !== null) : [];
    await Promise.all(next.map((ticket) => follow(cell, ticket, mine, null)));
    return answers.map((answer) => answer !== null);
  };

  const settlement = ({ execution, run, attempt }: Ticket, outcome: Outcome): SettleItem => ({
    execution,
    run,
    attempt,
    outcome,
    takesNext: chance.yes(0.5),
  });

  /** As src/queue/settling.ts: what broke comes again alone. null: not settled. */
  const settle = async (cell: string, items: readonly SettleItem[], mine: Life): Promise<Answers> => {
    const answers: (Result<Settled> | null)[] = items.map(() => null);
    for (let tries = 1; tries <= SETTLE_TRIES && answers.includes(null); tries++) {
      const open = items.flatMap((item, at) => (answers[at] ? [] : [{ item, at }]));
      try {
        const got = await host(cell).call(mine, (calls) => calls.settleMany(open.map(({ item }) => item)));
        open.forEach(({ at }, n) => (answers[at] = isBroken(got[n]) ? null : (got[n] ?? null)));
      } catch (fault) {
        timeline.note(`${cell} not settled: ${(fault as Error).message}`);
      }
    }
    return answers;
  };

  return {
    send: (messages) => {
      for (const body of messages) {
        const key = `${body.execution}/${body.run}`;
        sent.set(key, (sent.get(key) ?? 0) + 1);
        timeline.note(`queue takes ${key} attempt ${body.attempt}`);
        if (!faults.strikes("messageDropped")) post({ body, attempts: 1 }, chance.between(1, 60));
        if (faults.strikes("messageDoubled")) post({ body, attempts: 1 }, chance.between(1, 5_000));
      }
    },
    forget: () => {
      process.alive = false;
      process = { alive: true };
      ready = [];
    },
    sent,
  };
}

/** Nothing was decided about it: the same may be asked again. */
function isBroken(answer: Result<unknown> | undefined): boolean {
  return answer !== undefined && !answer.ok && isUndecided(answer.refusal);
}

function nextOf(answer: Result<Settled> | null): Ticket | null {
  return answer?.ok ? answer.value.next : null;
}
