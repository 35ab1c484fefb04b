// The host of simulated cells: opens a cell for a call or its alarm, evicts it when a fault says so, and fires alarms
// at least once, late or early within the platform's limits.
import { openCalls, type Calls } from "#objects/execution/calls.ts";
import { openCell } from "#objects/execution/cell.ts";
import type { Ports } from "#objects/execution/ports.ts";
import type { ObservedStep } from "#kernel/invariants/invariants.ts";
import { UNHANDLED_WAKE_RETRY_MS } from "#schema/limits/alarms.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { ActionMessage, OutboxQueueMessage } from "#schema/engine/message.ts";
import type { ProjectionMessage } from "#schema/engine/projection.ts";
import { fenced, openDisk, type Disk } from "./disk.ts";
import type { Chance } from "./kit/chance.ts";
import type { Faults } from "./faults.ts";
import type { Timeline } from "./kit/timeline.ts";
import { never, openEvictable, type Evictable, type Life } from "./kit/evictable.ts";

export type World = {
  /** Few in worlds whose cells are to use the resident index. */
  readonly headsInMemory: number;
  readonly timeline: Timeline;
  readonly faults: Faults;
  readonly chance: Chance;
  readonly sendActions: (messages: readonly ActionMessage[]) => void;
  readonly sendOutboxes: (messages: readonly OutboxQueueMessage[]) => void;
  readonly sendProjection: (message: ProjectionMessage) => void;
  readonly provide: (ticket: Ticket) => Promise<Outcome>;
  /**
   * The object has received the outcome. It is known while this incarnation of the object lives, or once it is
   * committed.
   */
  readonly answered: (ticket: Ticket, knownTo: Life) => void;
  /** Called for every accepted step, whether it is committed or not. */
  readonly inspect: (judged: ObservedStep) => void;
  readonly committed: (host: Host, executions: readonly string[], removed: readonly string[], now: number) => void;
  /** Mutations of the protocol, for proving that the oracle detects them. */
  readonly tamper: (ports: Ports) => Ports;
};

export type Host = {
  readonly name: string;
  readonly disk: Disk;
  readonly call: <T>(caller: Life, work: (calls: Calls) => Promise<T>) => Promise<T>;
  readonly kill: (why: string) => void;
  readonly spuriousAlarm: () => void;
  /** Refuses the execution's rows until then, except a row that says it has failed. */
  readonly refuse: (execution: string, until: number) => void;
  /** A rollback: from now on code runs that cannot read this head; or, afterwards, code that can. */
  readonly spoil: (execution: string) => void;
  readonly mend: (execution: string) => void;
  /** The executions of the last turn that were not stored although their rows were not refused. */
  readonly unstored: () => readonly string[];
  readonly isFiring: () => boolean;
  readonly isBusy: () => boolean;
  /** After a failed commit or alarm, due work may wait until then. */
  readonly backoffUntil: () => number;
};

const RETRY_MS = 2_000;
const WAVER_MS = 30;

export function openHost(name: string, world: World): Host {
  const { timeline, faults } = world;
  /** The error of the object's clock in ms. */
  let skew = 0;
  let firing = false;
  let version = 0;
  let callsUnderWay = 0;
  /** The version of the alarm that is firing; it counts as unset unless it is set again. */
  let firedVersion = -1;
  let backoffUntil = 0;

  const refused = new Map<string, number>();
  /** Executions of a turn with a refused row that were not stored since. */
  const unstored = new Set<string>();

  const kill = (why: string): void => {
    if (!object.isAwake()) return;
    timeline.note(`${name} dies: ${why}`);
    object.evict(why);
    unstored.clear();
  };

  const disk = openDisk({
    writing: (execution, hasFailed, touched) => {
      if (hasFailed || timeline.now() >= (refused.get(execution) ?? 0)) return;
      for (const neighbour of touched) unstored.add(neighbour);
      timeline.note(`${name} refuses a row of ${execution}`);
      throw new Error("the store refuses this row");
    },
    beforeCommit: () => {
      if (faults.strikes("killedBeforeCommit")) {
        kill("before commit");
        throw new Error("the object was reset");
      }
      if (!faults.strikes("commitFails")) return;
      unstored.clear();
      backoffUntil = timeline.now() + UNHANDLED_WAKE_RETRY_MS;
      throw new Error("the store could not write");
    },
    committed: (executions, removed) => {
      for (const execution of [...executions, ...removed]) unstored.delete(execution);
      world.committed(host, executions, removed, clock());
      if (faults.strikes("killedAfterCommit")) kill("after commit, before sending");
    },
    alarmChanged: () => {
      version += 1;
      timeline.note(`${name} alarm at ${relative(disk.alarm())}`);
      schedule(0);
    },
  });

  const relative = (at: number | null): string =>
    at === null ? "none" : `now ${at < timeline.now() ? "" : "+"}${at - timeline.now()}`;
  const clock = (): number => timeline.now() + (object.isAwake() ? skew : 0);

  const schedule = (extraMs: number): void => {
    const at = disk.alarm();
    if (at === null) return;
    const mine = version;
    const lateMs = faults.strikes("alarmLate") ? faults.chance.between(100, 90_000) : 0;
    const earlyMs = faults.strikes("alarmEarly") ? faults.chance.between(1, 5_000) : 0;
    timeline.at(Math.max(timeline.now() + extraMs, at + lateMs - earlyMs), () => {
      if (version === mine && !firing) void fire();
    });
  };

  const fire = async (): Promise<void> => {
    firing = true;
    const mine = version;
    firedVersion = version;
    timeline.note(`${name} alarm goes off`);
    try {
      await awake().call((calls) => calls.alarm());
    } catch (fault) {
      // Only the alarm of an evicted object fails, and the platform fires it again.
      firing = false;
      timeline.note(`${name} alarm failed: ${(fault as Error).message}`);
      schedule(RETRY_MS);
      return;
    }
    firing = false;
    if (version === mine) disk.setAlarm(null);
    else schedule(0);
  };

  const awake = (): Evictable<Calls> => {
    if (!object.isAwake()) timeline.note(`${name} wakes up`);
    skew = waver();
    return object;
  };

  /** As durable-objects/execution/execution.ts binds them to the platform. */
  const object = openEvictable((life) => {
    const getAlarm = (): number | null => (firing && version === firedVersion ? null : disk.alarm());
    const ports = world.tamper(portsOf(life));
    const cell = openCell(ports);
    if (!cell.heads.isEmpty()) cell.alarm.noteArmed(getAlarm());
    return openCalls(cell, {
      ...ports,
      getAlarm: async () => getAlarm(),
      rearm: async (at) => {
        if (!life.alive) return;
        backoffUntil = at;
        ports.setAlarm(at);
      },
      reset: async () => {
        if (life.alive) disk.reset();
      },
    });
  });

  const waver = (): number => (faults.strikes("clockWavers") ? faults.chance.between(-WAVER_MS, WAVER_MS) : 0);

  const sendActions: (messages: readonly ActionMessage[], life: Life) => Promise<void> = async (messages, life) => {
    if (!life.alive) return never;
    if (faults.strikes("sendFails")) throw new Error("the queue takes nothing");
    world.sendActions(messages);
    await timeline.sleep(2, life);
  };

  const wait = (life: Life, ms: number, work: () => void): void =>
    timeline.at(timeline.now() + ms, () => {
      if (!life.alive) return;
      skew = waver();
      work();
    });

  const portsOf = (life: Life): Ports => ({
    name,
    storage: fenced(disk.storage, life),
    headsInMemory: world.headsInMemory,
    now: () => {
      // The clock may advance while code runs.
      if (faults.strikes("clockRunsOn") && life.alive) skew += 1;
      return timeline.now() + skew;
    },
    inspect: (judged) => {
      // At most once per step: whatever the input, the other executions of the turn are stepped.
      if (faults.strikes("itemBreaks")) {
        backoffUntil = timeline.now() + UNHANDLED_WAKE_RETRY_MS;
        throw new Error("a mistake of ours");
      }
      world.inspect(judged);
    },
    suspendedAt: () => null,
    refreshSuspension: async () => {},
    setAlarm: (at) => {
      if (life.alive) disk.setAlarm(at);
    },
    runAfter: (ms, work) => wait(life, ms, work),
    runWhenDue: (ms, work) => wait(life, ms, work),
    sendActions: (messages) => sendActions(messages, life),
    sendSlowActions: (messages) => sendActions(messages, life),
    sendOutboxes: async (messages) => {
      if (messages.length === 0) return;
      if (!life.alive) return never;
      if (faults.strikes("sendFails")) throw new Error("the queue takes nothing");
      world.sendOutboxes(messages);
      await timeline.sleep(2, life);
    },
    sendProjection: async (message) => {
      if (!life.alive) return never;
      if (faults.strikes("projectionSendFails")) throw new Error("the queue takes nothing");
      const taken = timeline.sleep(world.chance.between(1, 5), life);
      world.sendProjection(message);
      await taken;
    },
    callRunner: async (ticket) => {
      if (!life.alive) return never;
      const lost = faults.strikes("flightLost");
      if (lost && faults.chance.yes(0.5)) throw new Error("the runner could not be reached");
      const outcome = await world.provide(ticket);
      if (!life.alive) return never;
      if (lost) throw new Error("the runner's answer was lost");
      world.answered(ticket, life);
      return outcome;
    },
    publish: () => {},
    log: (line) => {
      if (life.alive) timeline.note(`${name} log ${String(line["event"])} ${String(line["message"] ?? "")}`);
    },
  });

  const host: Host = {
    name,
    disk,
    call: async (caller, work) => {
      await timeline.sleep(world.chance.between(1, 6), caller);
      if (faults.strikes("requestLost")) throw new Error("the request was lost");
      const running = awake();
      callsUnderWay += 1;
      try {
        // A doubled call is answered twice; the caller gets the last response only.
        if (faults.strikes("requestDoubled")) void running.call(work).catch(() => {});
        const answer = await running.call(work);
        if (faults.strikes("answerLost")) throw new Error("the answer was lost");
        if (faults.strikes("answerDelayed")) await timeline.sleep(faults.chance.between(100, 60_000), caller);
        await timeline.sleep(world.chance.between(1, 6), caller);
        return answer;
      } finally {
        callsUnderWay -= 1;
      }
    },
    kill,
    refuse: (execution, until) => void refused.set(execution, until),
    spoil: (execution) => {
      kill(`older code, which cannot read ${execution}`);
      disk.rewrite(execution, (text) => text.replace(/^\{"state":\{"v":1,/, '{"state":{"v":99,'));
    },
    mend: (execution) => {
      kill(`newer code, which can read ${execution}`);
      disk.rewrite(execution, (text) => text.replace(/^\{"state":\{"v":99,/, '{"state":{"v":1,'));
    },
    unstored: () => [...unstored],
    spuriousAlarm: () => {
      if (!firing && disk.alarm() !== null) void fire();
    },
    isFiring: () => firing,
    isBusy: () => callsUnderWay > 0,
    backoffUntil: () => backoffUntil,
  };
  return host;
}
