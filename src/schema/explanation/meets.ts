// The limits that a run has still to pass before it goes out, as far as they are known beforehand.
import type { ConnectionSettings } from "../connection.ts";
import type { GateView } from "../gate.ts";
import type { Json, JsonObject } from "../json.ts";

export type Meets =
  /** At the instant at which it is due. skip: it opens when the run is not wanted any more. `until`: when it then goes. */
  | {
      readonly limit: "window";
      readonly window: Json;
      readonly would: "pass" | "hold" | "skip";
      readonly until: number | null;
    }
  /** `per` is null where that is the subject's day. */
  | {
      readonly limit: "cap";
      readonly cap: string;
      readonly subject: string | null;
      readonly max: number;
      readonly per: string | null;
      readonly over: "wait" | "skip";
    }
  /** `gate`: how that is doing now; null where nobody could be asked. */
  | ({ readonly limit: "connection"; readonly connection: string; readonly gate: GateView | null } & Pick<
      ConnectionSettings,
      "rateLimit" | "concurrency" | "breaker"
    >);
/** What a run's config says of the account that it opens. */
export type Account = { readonly type: string; readonly config: JsonObject };
export type Meeting = { readonly meets?: readonly Meets[]; readonly account?: Account };
