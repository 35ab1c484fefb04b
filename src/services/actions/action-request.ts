// From an action as it is asked for on the wire to the request that is dispatched.
import { isFixedLength } from "#kernel/language/instant.ts";
import { durationMs } from "#kernel/language/timing.ts";
import type { AskedAction } from "#schema/definition/standalone.ts";
import type { Duration } from "#schema/definition/timing.ts";
import { defaults } from "#schema/defaults.ts";
import type { ActionRequest } from "./plan-action.ts";

export function actionRequest(body: AskedAction, key: string | null): ActionRequest {
  const { variables, namespace, correlationId, dedupKey, dedupWindow, ...action } = body;
  return {
    action,
    variables: variables ?? {},
    namespace: namespace ?? defaults.namespace,
    correlationId: correlationId ?? null,
    key,
    dedup: dedupKey === undefined ? null : { key: dedupKey, windowMs: windowMs(dedupWindow ?? defaults.dedupWindow) },
  };
}

/** Not a number where the length depends on the calendar; that is refused with the other findings. */
function windowMs(window: Duration): number {
  return typeof window === "number" || isFixedLength(window) ? durationMs(window) : Number.NaN;
}
