// Hosted object: opens an object's controller with its platform (clock, alarm, log lines), its rows, and the Worker.
import { ALARM_HOP_MS_MAX, OBJECT_UNREADABLE_RETRY_MS } from "#schema/limits/alarms.ts";
import { openLog, type LogComponent } from "#schema/logging/log-levels.ts";
import type { HostPlatform } from "./host.ts";
import { openStore, type Store } from "./store.ts";

export type Hosted<C> = {
  /** Returns the controller. Throws if the object's rows cannot be read. A call must not overwrite unreadable rows. */
  readonly controller: () => C;
  /** Never rejects: the platform drops an alarm after six retries. */
  readonly alarm: () => Promise<void>;
};

/** The parts with which an object's controller is opened. `worker` returns the Worker's stateless entrypoints. */
export type HostedParts<Entrypoints> = {
  readonly platform: HostPlatform;
  readonly store: Store;
  readonly worker: () => Entrypoints;
};

/** `callMs`: the maximum duration of a call to the Worker. */
export function hostObject<Entrypoints, C extends { wake(): Promise<void> }>(
  ctx: DurableObjectState,
  lines: ObjectLines,
  callMs: number,
  open: (parts: HostedParts<Entrypoints>) => C,
): Hosted<C> {
  const platform = platformOf(ctx, lines, callMs);
  // the main module has this type, and this room may not import it
  const worker = (): Entrypoints => ctx.exports as unknown as Entrypoints;
  return hosted(platform, () => open({ platform, store: openStore(ctx.storage), worker }));
}

/** Opens an object's controller at its first call or alarm. */
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

/** The kind of object, for its log lines. `levels`: the variable LOG_LEVELS. */
type ObjectLines = { readonly object: LogComponent; readonly levels: string | undefined };

function platformOf(
  { id, storage }: DurableObjectState,
  { object, levels }: ObjectLines,
  callMs: number,
): HostPlatform {
  const log: HostPlatform["log"] = openLog(levels, object, (line) =>
    (line["level"] === "error" ? console.error : console.log)(JSON.stringify({ object, name: id.name, ...line })),
  );
  return {
    now: () => Date.now(),
    log,
    // The platform limits how far ahead an alarm can be set. Several alarms lead to a later time.
    setAlarm: (at) => {
      storage.setAlarm(Math.min(at, Date.now() + ALARM_HOP_MS_MAX)).catch((fault: unknown) => {
        log({ level: "error", event: "alarm_not_set", message: String(fault) });
      });
    },
    within: (call) => answeredWithin(call, callMs),
  };
}

function answeredWithin<T>(call: Promise<T>, callMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the Worker did not answer within ${callMs} ms`)), callMs);
  });
  return Promise.race([call, timeout]).finally(() => clearTimeout(timer));
}
