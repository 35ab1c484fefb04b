// The news of children's ends on its way through the queue, with the protocol of src/queue/outbox.ts: the child is
// read, its parent gets an event, the child a confirmation. What fails comes back; what is given up on the child repeats.
import type { Reply } from "#schema/engine/cell.ts";
import type { SignalMessage } from "#schema/engine/message.ts";
import { isUndecided, mayPass, type Result } from "#schema/refusal.ts";
import { childEvent, type Parent } from "#schema/engine/child.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { cellName } from "#services/cells/placement.ts";
import { TENANT } from "./clients.ts";
import type { Chance } from "./chance.ts";
import type { Faults } from "./faults.ts";
import type { Host } from "./host.ts";
import type { Life, Timeline } from "./timeline.ts";

export type Signals = {
  readonly send: (messages: readonly SignalMessage[]) => void;
  /** The whole process went down, and the queue with it. */
  readonly forget: () => void;
};

type Parts = {
  readonly timeline: Timeline;
  readonly faults: Faults;
  readonly chance: Chance;
  readonly host: (name: string) => Host;
};

const DELIVERIES_MAX = 11;

export function openSignals({ timeline, faults, chance, host }: Parts): Signals {
  let process: Life = { alive: true };

  const post = (message: SignalMessage, attempts: number, delayMs: number): void => {
    const mine = process;
    const lateMs = faults.strikes("messageDelayed") ? faults.chance.between(1_000, 600_000) : 0;
    timeline.at(timeline.now() + delayMs + lateMs, () => {
      if (mine.alive) void consume(message, attempts, mine);
    });
  };

  const consume = async (message: SignalMessage, attempts: number, mine: Life): Promise<void> => {
    try {
      await carry(message, mine);
    } catch (fault) {
      timeline.note(`signal of ${message.execution} not carried: ${(fault as Error).message}`);
      if (mine.alive && attempts < DELIVERIES_MAX) post(message, attempts + 1, Math.min(300, 2 ** attempts) * 1_000);
    }
  };

  const carry = async ({ tenant, execution }: SignalMessage, mine: Life): Promise<void> => {
    const child = host(cellName(tenant, execution));
    const read = await child.call(mine, (calls) => calls.read(execution));
    if (!read.ok || !read.value.parent || !read.value.owed) return;
    const parent = read.value.parent.execution;
    const answers = await host(cellName(tenant, parent)).call(mine, (calls) =>
      calls.control([{ execution: parent, command: eventOf(read.value), dryRun: false }]),
    );
    const [answer] = answers;
    const refused = refusalOf(answer);
    timeline.note(`${parent} hears of the end of ${execution}: ${refused ?? "taken"}`);
    if (answer && !answer.ok && mayPass(answer.refusal)) throw new Error("the parent could not take it");
    if (refused !== null) await note(read.value.parent, execution, mine);
    if (faults.strikes("consumerCrashes")) throw new Error("the consumer went down");
    const [confirmed] = (await child.call(mine, (calls) => calls.confirmMany([{ execution, refused }]))) ?? [];
    if (confirmed && !confirmed.ok && isUndecided(confirmed.refusal)) throw new Error("the child could not take it");
  };

  /** Whether it listens or not, it keeps its children, and may wait for this one before it ends. */
  const note = async ({ execution: parent, run }: Parent, execution: string, mine: Life): Promise<void> => {
    const done = [{ run, found: "ended" as const, execution, at: timeline.now() }];
    const items = [{ execution: parent, done }];
    const [noted] = (await host(cellName(TENANT, parent)).call(mine, (calls) => calls.childrenDone(items))) ?? [];
    if (noted && !noted.ok && isUndecided(noted.refusal)) throw new Error("the parent could not note it");
  };

  return {
    send: (messages) => {
      for (const message of messages) {
        timeline.note(`queue takes the signal of ${message.execution}`);
        if (!faults.strikes("messageDropped")) post(message, 1, chance.between(1, 60));
        if (faults.strikes("messageDoubled")) post(message, 1, chance.between(1, 5_000));
      }
    },
    forget: () => {
      process.alive = false;
      process = { alive: true };
    },
  };
}

/** Its id follows from the child's: twice is once. */
function eventOf({ id, status, correlationId, parent }: ExecutionState) {
  const event = {
    id: `child/${id}`,
    type: childEvent(status),
    payload: { execution: id, ...(parent ? { run: parent.run, actionId: parent.action } : {}) },
    source: "execution",
    correlationId,
  };
  return {
    kind: "event" as const,
    inputId: event.id,
    fingerprint: event.id,
    actor: { kind: "engine" as const, id },
    event,
  };
}

function refusalOf(answer: Result<Reply> | undefined): string | null {
  if (!answer) throw new Error("no answer");
  return answer.ok ? null : answer.refusal.code;
}
