// A call of the engine's own, outside any run, and what comes of it.
import type { Json } from "../json.ts";
import type { BoundSecret } from "../outgoing/bound-secret.ts";
import type { ActionError } from "../engine/outcome.ts";

export type OutboundCall = {
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | null;
  readonly timeoutMs: number;
  /** What must not come back in what is answered. */
  readonly secrets: readonly string[];
  /** What may go to certain hosts only. */
  readonly bounds: readonly BoundSecret[];
};

export type OutboundAnswer =
  | { readonly ok: true; readonly status: number; readonly data: Json }
  /** `status` is null where nobody answered. */
  | {
      readonly ok: false;
      readonly error: ActionError;
      readonly retryAfterMs?: number;
      readonly status: number | null;
      readonly data: Json;
    };
