// Automatic retry after recovery: retries the dead letters of a provider's outage as an ordinary operation, which
// operators can see and abort. Each outage creates one operation, even if its retry is requested several times.
import { outageTypes } from "#schema/engine/outage.ts";
import type { JsonObject } from "#schema/json.ts";
import type { AutoRetryAnswer, AutoRetryRequest } from "#schema/gate.ts";
import type { OperationFilter, OperationRequest } from "#schema/operation.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import { keyedOperationId } from "../cells/ids-and-cells.ts";
import { autoRetrySettings, type AutoRetrySettings } from "../connections/connection-terms.ts";
import { countDeadLetters } from "../dead-letters/dead-letters.ts";
import type { Deps } from "../deps.ts";
import { deadLettersOf } from "./operations.ts";
import { beginOperation, digestOf } from "./start-operation.ts";

export async function autoRetryDeadLetters(deps: Deps, ask: AutoRetryRequest): Promise<AutoRetryAnswer> {
  const { tenant, connection } = ask;
  const settings = await autoRetrySettings(deps, tenant, connection);
  if (settings === null) return { kind: "nothing" };
  const since = await periodStart(deps, ask);
  if (since === null) return { kind: "busy" };
  const newOperation = await buildTerms(deps, ask, settings, since);
  if (newOperation.matched === 0) return { kind: "nothing" };
  const started = await beginOperation(deps, newOperation, newOperation.id);
  // A refusal means that too many operations run now, or that the catalog does not answer; the caller then asks again
  // later. The refusal idempotency_conflict means that the operation was begun before, with other settings.
  if (!started.ok && started.refusal.code !== "idempotency_conflict") return { kind: "busy" };
  return { kind: "begun", operation: newOperation.id, since };
}

/**
 * Returns the start of the period whose dead letters are retried. Returns null if the previous operation is still
 * running. If the provider failed again during that operation, the period includes the dead letters that it left.
 */
async function periodStart(deps: Deps, { tenant, last, since }: AutoRetryRequest): Promise<number | null> {
  if (last === null) return since;
  const earlier = await callWithRetry(() => deps.operation(`${tenant}/${last.operation}`).read(), "operation");
  if (!earlier.ok || earlier.value?.status === "running") return null;
  return earlier.value?.stopped?.why === "away" ? Math.min(last.since, since) : since;
}

async function buildTerms(
  deps: Deps,
  { tenant, connection, since: outageSince }: AutoRetryRequest,
  { name, times, perSecond }: AutoRetrySettings,
  since: number,
): Promise<OperationRequest> {
  const createdAt = deps.now();
  const selfHeal = times === null ? "asked" : "open";
  const filter: OperationFilter & JsonObject = {
    connection,
    errorTypes: [...outageTypes],
    selfHeal,
    failedAfter: since,
  };
  const reason = `the connection ${name} has recovered`;
  const matched = await countDeadLetters(deps, tenant, deadLettersOf({ filter, createdAt }));
  return {
    id: await keyedOperationId(tenant, `self-heal/${connection}/${outageSince}`),
    tenant,
    verb: "retry",
    filter,
    perSecond,
    reason,
    createdAt,
    matched,
    actor: { kind: "engine", id: "self-heal" },
    heal: { connection, times },
    fingerprint: await digestOf({ verb: "retry", filter, perSecond, reason }),
  };
}
