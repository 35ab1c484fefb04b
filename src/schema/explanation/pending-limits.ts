// Pending limits: those limits that a run must still pass before it is sent, as far as they can be predicted.
import type { ConnectionSettings } from "../connection.ts";
import type { GateView } from "../gate.ts";
import type { Json, JsonObject } from "../json.ts";

export type PendingLimit =
  /**
   * A time window at the instant when the run is due. skip: the run expires before the window opens, so it is skipped.
   * `until`: when the run is sent after the opening (epoch ms).
   */
  | {
      readonly limit: "window";
      readonly window: Json;
      readonly would: "pass" | "hold" | "skip";
      readonly until: number | null;
      /** The time zone in which the window was computed. */
      readonly timezone?: string;
    }
  /** A cap of the subject. `per`: the length of its window. Null: the window is the subject's day. */
  | {
      readonly limit: "cap";
      readonly cap: string;
      readonly subject: string | null;
      readonly max: number;
      readonly per: string | null;
      readonly over: "wait" | "skip";
    }
  /** A connection with limits. `gate`: its current state. Null if the connection's object did not answer. */
  | ({ readonly limit: "connection"; readonly connection: string; readonly gate: GateView | null } & Pick<
      ConnectionSettings,
      "rateLimit" | "concurrency" | "breaker"
    >);
/** The account that a run's config names. */
export type Account = { readonly type: string; readonly config: JsonObject };
export type RunPreconditions = { readonly meets?: readonly PendingLimit[]; readonly account?: Account };
