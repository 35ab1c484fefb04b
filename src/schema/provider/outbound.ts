// Calls of the engine: HTTP calls that belong to no run, and their results.
import type { Json } from "../json.ts";
import type { BoundSecret } from "../outgoing/bound-secret.ts";
import type { ActionError } from "../engine/outcome.ts";

export type OutboundCall = {
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | null;
  readonly timeoutMs: number;
  /** Secret values that are redacted from the answer. */
  readonly secrets: readonly string[];
  /** The secrets of the call that are restricted to certain hosts. */
  readonly bounds: readonly BoundSecret[];
};

export type OutboundAnswer =
  | { readonly ok: true; readonly status: number; readonly data: Json }
  /** The call failed. `status` is null if the provider did not answer. */
  | {
      readonly ok: false;
      readonly error: ActionError;
      readonly retryAfterMs?: number;
      readonly status: number | null;
      readonly data: Json;
    };
