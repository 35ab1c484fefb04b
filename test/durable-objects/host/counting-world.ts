// The state that survives a hosted object in memory: rows, alarm and calls. Over it, instances of an object whose
// controller makes one call for each wanted unit.
import {
  Host,
  type Controller,
  type Forget,
  type HostPlatform,
  type HostSettings,
  type Rest,
} from "#objects/host/host.ts";

export const T0 = 1_000_000;
export const GUARD_MS = 30_000;
export const NOTIFY_AGAIN_MS = 7_000;
/** A call that never returns, as if the object was evicted. */
export const never = () => new Promise<void>(() => {});

type State = { readonly wanted: number; readonly done: number; readonly retryAt: number };
type Plan = { readonly kind: "call" } | Rest | Forget;

/** The state that survives an instance of the object. */
export function world(settings: Partial<HostSettings> = {}) {
  const disk: { state: State | null; alarm: number | null; isFull: boolean } = {
    state: null,
    alarm: null,
    isFull: false,
  };
  const clock = { now: T0 };
  const lines: unknown[] = [];
  const notified: number[] = [];
  const hooks: { call: () => Promise<void>; notify: () => void; plan: () => void } = {
    call: async () => {},
    notify: () => {},
    plan: () => {},
  };
  const calls = { count: 0, tidied: 0, alarmsSet: 0 };
  const platform: HostPlatform = {
    now: () => clock.now,
    setAlarm: (at) => {
      disk.alarm = at;
      calls.alarmsSet += 1;
    },
    log: ({ event }) => void lines.push(event),
    within: (call) => call,
  };
  const storage = {
    atomically: <T>(work: () => T): T => {
      const before = { ...disk };
      try {
        const done = work();
        if (disk.isFull) throw new Error("the disk is full");
        return done;
      } catch (fault) {
        Object.assign(disk, { state: before.state, alarm: before.alarm });
        throw fault;
      }
    },
    reset: async () => void Object.assign(disk, { state: null, alarm: null }),
  };

  /** Opens an instance of the object. */
  const live = () => {
    let state: State | null = null;
    const write = (next: State): void =>
      host.commit(() => {
        disk.state = next;
        state = next;
      });
    const controller: Controller<Plan> = {
      load: () => void (state = disk.state),
      plan: (now) => {
        hooks.plan();
        if (state === null || state.wanted === 0) return { kind: "rest", at: null };
        if (state.wanted === -1) return { kind: "forget" };
        return state.retryAt > now ? { kind: "rest", at: state.retryAt } : { kind: "call" };
      },
      carryOut: async () => {
        calls.count += 1;
        await hooks.call();
        if (state !== null) write({ ...state, wanted: state.wanted - 1, done: state.done + 1 });
      },
      fail: () => {
        if (state !== null) write({ ...state, retryAt: clock.now + 1_000 });
      },
      purge: () => void (calls.tidied += 1),
      notify: {
        send: async () => {
          hooks.notify();
          notified.push(state?.done ?? -1);
        },
        againMs: NOTIFY_AGAIN_MS,
      },
    };
    const defaults: HostSettings = { guardMs: GUARD_MS, stepsMax: 5, startedBy: "call" };
    const host = new Host<Plan>(platform, storage, { ...defaults, ...settings }, controller);
    const want = (wanted: number, retryAt = 0): void => write({ wanted, done: state?.done ?? 0, retryAt });
    return { host, want, done: () => state?.done ?? null };
  };
  const fire = (object: { readonly host: Host<Plan> }, at: number): Promise<void> => {
    clock.now = at;
    disk.alarm = null;
    return object.host.wake();
  };
  return { disk, clock, lines, notified, hooks, calls, platform, live, fire };
}
