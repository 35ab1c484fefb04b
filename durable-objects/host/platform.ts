// Platform of a hosted object: its clock, its alarm, its log lines, and the Worker behind it.
import { ALARM_HOP_MS_MAX, OBJECT_UNREADABLE_RETRY_MS } from "#schema/limits/alarms.ts";
import type { HostPlatform } from "./host.ts";

/** `object` is named in each log line. `callMs`: how long a call to the Worker may take. */
export function platformOf({ id, storage }: DurableObjectState, object: string, callMs: number): HostPlatform {
  const log: HostPlatform["log"] = (line) =>
    (line["level"] === "error" ? console.error : console.log)(JSON.stringify({ object, name: id.name, ...line }));
  return {
    now: () => Date.now(),
    log,
    // An instant further away than the platform accepts is reached by several alarms.
    setAlarm: (at) => {
      storage.setAlarm(Math.min(at, Date.now() + ALARM_HOP_MS_MAX)).catch((fault: unknown) => {
        log({ level: "error", event: "alarm_not_set", message: String(fault) });
      });
    },
    within: (call) => answeredWithin(call, callMs),
  };
}

/** The Worker's own stateless entrypoints, as the object calls them. */
export function workerOf<Entrypoints>(ctx: DurableObjectState): Entrypoints {
  return ctx.exports as unknown as Entrypoints; // typed by the Worker's main module, which this room may not import
}

export type Hosted<C> = {
  /** Throws while the object's rows cannot be read: a call must not write over them. */
  readonly controller: () => C;
  /** Never throws: after six retries the platform drops an alarm. */
  readonly alarm: () => Promise<void>;
};

/** Opens an object's controller by its first call or alarm. */
export function hosted<C extends { wake(): Promise<void> }>(platform: HostPlatform, open: () => C): Hosted<C> {
  let opened: C | null = null;
  const controller = (): C => (opened ??= open());
  return {
    controller,
    alarm: async () => {
      try {
        await controller().wake();
      } catch (fault) {
        platform.log({ level: "error", event: "object_unreadable", message: String(fault) });
        platform.setAlarm(platform.now() + OBJECT_UNREADABLE_RETRY_MS);
      }
    },
  };
}

function answeredWithin<T>(call: Promise<T>, callMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the Worker did not answer within ${callMs} ms`)), callMs);
  });
  return Promise.race([call, timeout]).finally(() => clearTimeout(timer));
}
