// Pending limits: the limits that a run must still pass before it is sent, as far as known in advance.
import type { ConnectionSettings } from "../connection.ts";
import type { GateView } from "../gate.ts";
import type { Json, JsonObject } from "../json.ts";

export type PendingLimit =
  /** At the instant at which it is due. skip: it opens after the run expires. `until`: when it is sent then. */
  | {
      readonly limit: "window";
      readonly window: Json;
      readonly would: "pass" | "hold" | "skip";
      readonly until: number | null;
    }
  /** `per` is null if that is the subject's day. */
  | {
      readonly limit: "cap";
      readonly cap: string;
      readonly subject: string | null;
      readonly max: number;
      readonly per: string | null;
      readonly over: "wait" | "skip";
    }
  /** `gate`: its current state; null if it did not answer. */
  | ({ readonly limit: "connection"; readonly connection: string; readonly gate: GateView | null } & Pick<
      ConnectionSettings,
      "rateLimit" | "concurrency" | "breaker"
    >);
/** The account that a run's config names. */
export type Account = { readonly type: string; readonly config: JsonObject };
export type RunPreconditions = { readonly meets?: readonly PendingLimit[]; readonly account?: Account };
