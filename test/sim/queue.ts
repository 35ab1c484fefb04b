// The queues of actions with the consumers of src/queue/: batches, counted deliveries, redelivered and doubled
// messages, consumers that crash, and dead letters.
import { consumeDeadActions } from "#queue/actions-dead.ts";
import { runSubBatch, consumeActions, type ConsumerMeans } from "#queue/actions.ts";
import type { Cell } from "#schema/engine/cell.ts";
import { isSlow, type ActionMessage, type ActionQueue } from "#schema/engine/message.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { Deps } from "#services/deps.ts";
import type { Chance } from "./kit/chance.ts";
import type { Faults } from "./faults.ts";
import type { Host } from "./host.ts";
import type { Timeline } from "./kit/timeline.ts";
import { never, type Life } from "./kit/evictable.ts";
import { messageDelays, openMail } from "./kit/mail.ts";

type Kind = ActionQueue | "dead";
type Sent = { readonly id: string; readonly body: ActionMessage; readonly attempts: number; readonly kind: Kind };

export type Queue = {
  readonly send: (messages: readonly ActionMessage[]) => void;
  /** The whole process went down: a local queue loses its messages. */
  readonly forget: () => void;
  readonly sent: ReadonlyMap<string, number>;
};

type Parts = {
  readonly timeline: Timeline;
  readonly faults: Faults;
  readonly chance: Chance;
  readonly host: (name: string) => Host;
  readonly provide: (ticket: Ticket) => Promise<Outcome>;
  /** A consumer has received the outcome of an attempt, and knows it while it lives. */
  readonly answered: (ticket: Ticket, knownTo: Life) => void;
  readonly broken: (what: string) => void;
};

const DELIVERIES_MAX = 11;
const BATCH_MAX = 100;
const BATCH_WAIT_MS = 3;
const REDELIVERED_AFTER_MS = 1_000;
/** The platform ends an invocation that takes longer. */
const PLATFORM_MS = 15 * 60_000;

export function openQueue(parts: Parts): Queue {
  const { timeline, faults, chance, broken } = parts;
  const sent = new Map<string, number>();
  const ready: Record<Kind, Sent[]> = { short: [], slow: [], dead: [] };
  const gathering = new Set<Kind>();
  const mail = openMail(timeline, faults, messageDelays);
  let ids = 0;

  const post = (message: Sent, delayMs: number): void => {
    const { kind } = message;
    mail.send(delayMs, () => {
      ready[kind].push(message);
      if (gathering.has(kind)) return;
      gathering.add(kind);
      timeline.at(timeline.now() + BATCH_WAIT_MS, () => {
        gathering.delete(kind);
        while (ready[kind].length > 0) void consume(kind, ready[kind].splice(0, BATCH_MAX));
      });
    });
  };

  const newId = (): string => {
    ids += 1;
    return `m${ids}`;
  };

  const take = (kind: ActionQueue, body: ActionMessage, delayMs: number, id = newId()): void =>
    post({ id, body, attempts: 1, kind }, delayMs);

  /** Redelivers a message that was not acknowledged, or gives it up. */
  const redeliver = (message: Sent, delayMs: number): void => {
    const isOver = message.kind !== "dead" && message.attempts >= DELIVERIES_MAX;
    post(isOver ? { ...message, kind: "dead", attempts: 1 } : { ...message, attempts: message.attempts + 1 }, delayMs);
  };

  const consume = async (kind: Kind, messages: readonly Sent[]): Promise<void> => {
    const consumer: Life = { alive: true };
    const mine = mail.process();
    const open = new Set(messages);
    const decide = (message: Sent, work: () => void): void => {
      if (mine.alive && consumer.alive && open.delete(message)) work();
    };
    const end = (): void => {
      if (!mine.alive || !consumer.alive) return;
      consumer.alive = false;
      for (const message of open) redeliver(message, REDELIVERED_AFTER_MS);
    };
    dieSometime(mine, consumer, end);
    const batch = messages.map((message) => ({
      ...message,
      ack: () => decide(message, () => {}),
      retry: ({ delaySeconds }: { delaySeconds: number }) =>
        decide(message, () => redeliver(message, delaySeconds * 1_000)),
    }));
    const life = {
      get alive() {
        return mine.alive && consumer.alive;
      },
    };
    await carryOut(kind, { queue: kind, messages: batch } as unknown as MessageBatch, life, end);
    if (open.size > 0 && mine.alive && consumer.alive) broken(`a consumer left ${open.size} messages undecided`);
    end();
  };

  /** Kills a consumer at some call, after some time, or not at all. The platform's limit ends it in any case. */
  const dieSometime = (mine: Life, consumer: Life, end: () => void): void => {
    const startedAt = timeline.now();
    const die = (why: string): void => {
      if (mine.alive && consumer.alive) timeline.note(`a consumer dies: ${why}`);
      end();
    };
    timeline.at(startedAt + PLATFORM_MS, () => {
      if (mine.alive && consumer.alive) broken("a batch took longer than the platform gives it");
      die("15 minutes are over");
    });
    if (faults.strikes("consumerKilled")) {
      timeline.at(startedAt + faults.chance.between(1, PLATFORM_MS), () => die("it was killed"));
    }
  };

  const carryOut = async (kind: Kind, batch: MessageBatch, life: Life, die: () => void): Promise<void> => {
    const crashesIn = faults.strikes("consumerCrashes") ? faults.chance.between(1, 8) : Infinity;
    const deps = depsOf(parts, life, crashAfter(crashesIn, die, timeline.note));
    if (kind === "dead") return consumeDeadActions(batch, deps);
    const means: ConsumerMeans = {
      run: async (ticket) => {
        const outcome = await parts.provide(ticket);
        if (!life.alive) return never;
        parts.answered(ticket, life);
        return outcome;
      },
      sendBack: async (queue, messages) => {
        await timeline.sleep(2, life);
        if (faults.strikes("sendFails")) return { unsent: new Set(messages), fault: "the queue takes nothing" };
        for (const body of messages) if (body.kind === "action") take(queue, body, chance.between(1, 60));
        timeline.note(`queue takes ${messages.length} back`);
        return { unsent: new Set(), fault: null };
      },
      wasSlow: () => false,
      later: (ms, work) => {
        let isOff = false;
        timeline.at(timeline.now() + ms, () => {
          if (life.alive && !isOff) work();
        });
        return () => {
          isOff = true;
        };
      },
    };
    return consumeActions(batch, deps, { ...means, share: (messages) => runSubBatch(messages, deps, means) });
  };

  return {
    send: (messages) => {
      for (const body of messages) {
        const key = `${body.execution}/${body.run}`;
        sent.set(key, (sent.get(key) ?? 0) + 1);
        timeline.note(`queue takes ${key} attempt ${body.attempt}`);
        const kind = isSlow(body) ? "slow" : "short";
        const id = newId();
        if (!faults.strikes("messageDropped")) take(kind, body, chance.between(1, 60), id);
        // The queue doubles a message under the same id; a sender under a new one.
        if (faults.strikes("messageDoubled"))
          take(kind, body, faults.chance.between(1, 5_000), faults.chance.yes(0.5) ? id : newId());
      }
    },
    forget: () => {
      mail.forget();
      for (const kind of ["short", "slow", "dead"] as const) ready[kind] = [];
    },
    sent,
  };
}

/** Counts the calls of a consumer; at the last one it crashes, before or after the response. */
function crashAfter(calls: number, die: () => void, note: (line: string) => void): () => void {
  let left = calls;
  return () => {
    left -= 1;
    if (left !== 0) return;
    note("a consumer dies: it crashed");
    die();
  };
}

/** The dependencies of consumers, while their process lives. */
function depsOf({ timeline, host, chance }: Parts, life: Life, called: () => void): Deps {
  const cell = (name: string): Partial<Cell> => {
    const asked = async <T>(work: Parameters<Host["call"]>[1]): Promise<T> => {
      called();
      if (!life.alive) return never;
      const answer = await host(name).call(life, work);
      called();
      return life.alive ? (answer as T) : never; // the work's result
    };
    return {
      claimMany: (items) => asked((calls) => calls.claimMany(items)),
      settleMany: (items) => asked((calls) => calls.settleMany(items)),
      undeliverable: (items) => asked((calls) => calls.undeliverable(items)),
    };
  };
  const log = (line: { readonly [key: string]: unknown }): void => {
    if (life.alive) timeline.note(`consumer log ${String(line["event"])} ${String(line["message"] ?? "")}`);
  };
  const randomBytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => chance.between(0, 255));
  return { now: timeline.now, cell, log, randomBytes } as unknown as Deps; // only the dependencies that consumers use
}
