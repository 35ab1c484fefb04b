// Pending limits: those limits that a run must still pass before it is sent, as far as they can be predicted.
import type { ZoneInUse } from "./zone-in-use.ts";
import type { KeyLimit } from "../definition/key-limit.ts";
import type { ConnectionSettings } from "../connection.ts";
import type { GateView } from "../gate.ts";
import type { LimitHoldReason } from "../key-limits/calls.ts";
import type { Json, JsonObject } from "../json.ts";

export type PendingLimit =
  /**
   * A time window at the instant when the run is due. skip: the run expires before the window opens, so it is skipped.
   * `until`: when the run is sent after the opening (epoch ms).
   */
  | ({
      readonly limit: "window";
      readonly window: Json;
      readonly would: "pass" | "hold" | "skip";
      readonly until: number | null;
    } & ZoneInUse)
  /**
   * A cap of the subject. `per`: the length of its window. Null: the window is the subject's day. `opensAt`: when a slot
   * will be free (epoch ms). Null: one is free now, or the subject's object did not answer.
   */
  | {
      readonly limit: "cap";
      readonly cap: string;
      readonly subject: string | null;
      readonly max: number;
      readonly per: string | null;
      readonly over: "wait" | "skip";
      readonly opensAt?: number | null;
    }
  /** A limit by key. `key`: null if its rule cannot be evaluated now. */
  | ({ readonly limit: "key"; readonly name: string; readonly key: string | null } & Omit<KeyLimit, "name" | "key">)
  /** A connection with limits. `gate`: its current state. Null if the connection's object did not answer. */
  | ({ readonly limit: "connection"; readonly connection: string; readonly gate: GateView | null } & Pick<
      ConnectionSettings,
      "rateLimit" | "concurrency" | "breaker"
    >);
/** The account that a run's config names. */
export type Account = { readonly type: string; readonly config: JsonObject };
export type RunPreconditions = { readonly meets?: readonly PendingLimit[]; readonly account?: Account };

/** A wait for the cap of the run's subject. The values are null if the run has not recorded them. */
export type CapWait = { readonly cap: string | null; readonly subject: string | null; readonly max: number | null };

/** A wait for a limit by key. The values are null if the run has not recorded its place. */
export type KeyLimitWait = {
  readonly by: LimitHoldReason;
  readonly limit: string | null;
  readonly key: string | null;
  /** How many runs of the key were before the run when it last asked. */
  readonly ahead: number | null;
};

/** A limit on starts delays the first move. `by` and `ahead`: null if the limit has not answered yet. */
export type StartWait = {
  readonly by: LimitHoldReason | null;
  readonly limit: string;
  readonly key: string;
  readonly ahead: number | null;
};

/** Hours that are closed now. `window`: its name, or the run's own window. `policy`: that of the quiet hours. */
export type ClosedHours =
  | ({ readonly for: "window"; readonly window: Json } & ZoneInUse)
  | { readonly for: "quiet_hours"; readonly policy: string | null };
