// A consumer's world on a clock of its own: one cell that grants what is asked, a runner that takes its time, and messages
// whose ends are written down. Nothing here waits for real time.
import { runSubBatch, consumeActions, type ConsumerMeans } from "#queue/actions.ts";
import type { RunSubBatch } from "#queue/sub-batches.ts";
import type { ClaimItem, SettleItem } from "#schema/engine/cell.ts";
import type { ActionMessage, ActionQueue, QueueMessage } from "#schema/engine/message.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import { accept, refuse, type RefusalCode } from "#schema/refusal.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { Deps } from "#services/deps.ts";
import { never } from "#test/sim/kit/evictable.ts";
import { openTimeline } from "#test/sim/kit/timeline.ts";

type Told = { readonly id: string; readonly delivery: number; readonly body: unknown };

/** A delivery of a message of tenant acme's. */
export function message(part: Partial<ActionMessage> & { id?: string; delivery?: number } = {}) {
  const { id = "m1", delivery = 1, ...more } = part;
  const identity = { v: 1, kind: "action", tenant: "acme", execution: "exe_1", run: "1.0", attempt: 1 } as const;
  return { id, delivery, body: { ...identity, priority: 0, ...more } };
}

type Plan = {
  /** The run that each run's settlement brings. */
  readonly next?: { readonly [run: string]: string };
  /** What is in hand instead of a run that is claimed. */
  readonly carried?: { readonly [run: string]: string };
  /** What claims are answered. */
  readonly refusals?: { readonly [run: string]: RefusalCode };
  readonly takesMs?: (ticket: Ticket) => number;
  readonly timeoutMs?: number;
  /** Throws where a call gets no answer, after it was taken or before. */
  readonly onClaim?: (items: readonly ClaimItem[]) => Promise<void>;
  readonly onSettle?: (items: readonly SettleItem[]) => Promise<void>;
  /** Runs over whose settlement the cell breaks, in so many calls. */
  readonly breaks?: { readonly [run: string]: number };
  readonly sendBackFails?: boolean;
  /** Actions whose recent attempts took long. */
  readonly slowLately?: readonly string[];
  /** Throws where a share's invocation dies. */
  readonly onShare?: (messages: readonly { readonly id: string }[]) => Promise<void>;
};

export type World = ReturnType<typeof world>;

export const settled = (here: World): readonly string[] => here.settled.map(({ run }) => run);

const HOUR_MS = 3_600_000;
const incarnation = { alive: true };

export function world(plan: Plan = {}) {
  const timeline = openTimeline(0, 10);
  const begun: string[] = [];
  const ran: string[] = [];
  const claims: (readonly ClaimItem[])[] = [];
  const settlements: SettleItem[] = [];
  const calls: (readonly string[])[] = [];
  const ends: string[] = [];
  const shares: (readonly string[])[] = [];
  const lines: unknown[] = [];
  const sentBack: { readonly queue: ActionQueue; readonly body: QueueMessage }[] = [];
  let mostAtOnce = 0;
  let underWay = 0;

  const ticketOf = ({ execution, run, attempt }: ClaimItem): Ticket => {
    const { timeoutMs = 30_000 } = plan;
    const id = { tenant: "acme", execution, run, attempt, action: "a", type: "webhook", config: {} };
    return {
      ...id,
      incarnation: 0,
      idempotencyKey: `${execution}/${run}`,
      timeoutMs,
      deadlineAt: timeline.now() + timeoutMs,
    };
  };
  const claimMany = async (items: readonly ClaimItem[]) => {
    claims.push(items);
    await plan.onClaim?.(items);
    await timeline.sleep(1, incarnation);
    return items.map((item) => {
      const code = plan.refusals?.[item.run];
      return code
        ? refuse({ code, message: "" })
        : accept(ticketOf({ ...item, run: plan.carried?.[item.run] ?? item.run }));
    });
  };
  const settleMany = async (items: readonly SettleItem[]) => {
    settlements.push(...items);
    calls.push(items.map(({ run: id }) => id));
    await plan.onSettle?.(items);
    await timeline.sleep(1, incarnation);
    return items.map((item) => {
      if (calls.length <= (plan.breaks?.[item.run] ?? 0)) return refuse({ code: "internal_error", message: "broken" });
      const next = item.takesNext ? plan.next?.[item.run] : undefined;
      return accept({ next: next === undefined ? null : ticketOf({ ...item, run: next }) });
    });
  };
  const run = async (ticket: Ticket): Promise<Outcome> => {
    begun.push(`${ticket.run} at ${timeline.now()}`);
    ran.push(ticket.run);
    underWay += 1;
    mostAtOnce = Math.max(mostAtOnce, underWay);
    const ms = plan.takesMs?.(ticket) ?? 1;
    if (ms === Infinity) return never;
    await timeline.sleep(ms, incarnation);
    underWay -= 1;
    return { ok: true, result: null, events: [], startedAt: 0, endedAt: 0 };
  };
  const later = (ms: number, work: () => void) => {
    let isOff = false;
    timeline.at(timeline.now() + ms, () => !isOff && work());
    return () => void (isOff = true);
  };
  const sendBack = async (queue: ActionQueue, messages: readonly QueueMessage[]) => {
    if (plan.sendBackFails) return { unsent: new Set(messages), fault: "the queue takes nothing" };
    sentBack.push(...messages.map((body) => ({ queue, body })));
    return { unsent: new Set<QueueMessage>(), fault: null };
  };
  const deps = {
    now: timeline.now,
    cell: () => ({ claimMany, settleMany }),
    log: (line: unknown) => lines.push(line),
    randomBytes: (length: number) => new Uint8Array(length),
  } as unknown as Deps; // all that is asked for here

  const consume = async (messages: readonly Told[]): Promise<void> => {
    const batch = messages.map(({ id, delivery, body }) => ({
      id,
      attempts: delivery,
      body,
      ack: () => ends.push(`done ${id}`),
      retry: ({ delaySeconds }: { delaySeconds: number }) => ends.push(`again ${id} after ${delaySeconds} s`),
    }));
    const wasSlow: ConsumerMeans["wasSlow"] = ({ action }) => plan.slowLately?.includes(action) ?? false;
    const means = { run, later, sendBack, wasSlow };
    const share: RunSubBatch = async (told) => {
      shares.push(told.map(({ id }) => id));
      await plan.onShare?.(told);
      return runSubBatch(told, deps, means);
    };
    const work = consumeActions({ queue: "q", messages: batch } as unknown as MessageBatch, deps, {
      ...means,
      share,
    }).then(() => (endedAt = timeline.now()));
    // Promises are worked off after each event: a first one, before the clock goes on.
    timeline.at(0, () => {});
    await timeline.run(HOUR_MS, () => {});
    if (endedAt === null) throw new Error("the batch never ends");
    await work;
  };
  let endedAt: number | null = null;
  return {
    /** The runs of each call that settled. */
    calls,
    /** The messages of each share. */
    shares,
    ran,
    begun,
    claims,
    settled: settlements,
    ends,
    lines,
    sentBack,
    consume,
    /** When the batch was over. */
    now: () => endedAt,
    mostAtOnce: () => mostAtOnce,
  };
}
