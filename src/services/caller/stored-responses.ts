// Responses to requests with an Idempotency-Key: stores each response once, replays it to repeated requests, and purges
// it later.
import {
  CHANGED,
  isReservationLost,
  storeResponse,
  dbRecordingChange,
  releaseResponse,
  reserveResponse,
  takeOverResponse,
  type ResponseKey,
  type Reservation,
  purgeResponses as purge,
} from "#catalog/stored-responses.ts";
import type { Json } from "#schema/json.ts";
import { RESPONSES_KEPT_MS, RESPONSE_RESERVED_MS } from "#schema/limits/executions.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Caller, Deps } from "../deps.ts";
import { fingerprint } from "./fingerprint.ts";

export function batchKey(key: string | null, n: number): string | null {
  return key === null ? null : `${key}.${n}`;
}

export type ReplayKey<T> = {
  readonly key: string | null;
  /** The route of the request. The same Idempotency-Key on two routes identifies two requests. */
  readonly route: string;
  readonly body: Json;
  /** Returns the part of the answer that is stored and replayed to repeats. It must not contain a secret. */
  readonly keep: (value: T) => T;
};

/**
 * Runs a change at most once per Idempotency-Key, and replays the stored answer to repeats. The change gets `deps` of
 * its own, whose catalog stores its writes and marks the key's reservation in one batch.
 */
export async function answerOnce<T>(
  deps: Deps,
  caller: Caller,
  once: ReplayKey<T>,
  change: (deps: Deps) => Promise<Result<T>>,
): Promise<Result<T>> {
  if (once.key === null) return change(deps);
  // Requests of the root key without a tenant are stored under "*", which is not a valid tenant id.
  const scope = { tenant: caller.tenant ?? "*", key: once.key, route: once.route };
  const reserved = await reserve<T>(deps, scope, await fingerprint(once.body));
  if (!reserved.ok) return reserved;
  return "stored" in reserved.value
    ? accept(reserved.value.stored)
    : changeAndStore(deps, once, reserved.value.reservation, change);
}

async function changeAndStore<T>(
  deps: Deps,
  { keep }: ReplayKey<T>,
  reservation: Reservation,
  change: (deps: Deps) => Promise<Result<T>>,
): Promise<Result<T>> {
  let body: string | null = null;
  const answerWith = (value: unknown): void => {
    body = JSON.stringify(keep(value as T)); // `answerWith` is called only with the change's answer, which is a `T`.
  };
  try {
    const result = await change({ ...deps, db: dbRecordingChange(deps.db, reservation, () => body), answerWith });
    if (result.ok) await storeFinal(deps, reservation, JSON.stringify(keep(result.value)));
    else await releaseResponse(deps.db, reservation);
    return result;
  } catch (cause) {
    if (isReservationLost(cause)) return refuse(inProgress);
    await releaseResponse(deps.db, reservation).catch((cause: unknown) =>
      log(deps, "key_not_released", reservation, cause),
    );
    throw cause;
  }
}

/**
 * Stores the answer of a change that was made. A failure is only logged, because this client gets its answer directly.
 */
async function storeFinal(deps: Deps, reservation: Reservation, body: string): Promise<void> {
  try {
    await storeResponse(deps.db, reservation, body);
  } catch (cause) {
    log(deps, "response_not_stored", reservation, cause);
  }
}

function log({ log: write }: Deps, event: string, { tenant, key, route }: Reservation, cause: unknown): void {
  write({ level: "error", event, tenant, key, route, message: String(cause) });
}

/** Either the stored answer of an earlier request, or this request's reservation of the key. */
type Reserved<T> = { readonly stored: T } | { readonly reservation: Reservation };

async function reserve<T>(deps: Deps, scope: ResponseKey, digest: string): Promise<Result<Reserved<T>>> {
  const now = deps.now();
  const reservation = { ...scope, fingerprint: digest, reservedAt: now };
  const row = await reserveResponse(deps.db, scope, digest, now);
  if (row === null) return accept({ reservation });
  if (row.fingerprint !== digest) return refuse(conflict(scope.key));
  // An earlier request on this route stored the row's body, so its JSON is a `T`.
  if (row.body !== null) return accept({ stored: JSON.parse(row.body) as T });
  if (now - row.createdAt < RESPONSE_RESERVED_MS) return refuse(inProgress);
  if (row.status === CHANGED) return refuse(answerLost(row.createdAt));
  return (await takeOverResponse(deps.db, row, now)) ? accept({ reservation }) : refuse(inProgress);
}

function answerLost(createdAt: number) {
  return {
    code: "answer_lost",
    message: "The first request with this Idempotency-Key made its change, but its response could not be stored.",
    hint: "The change is not repeated. Read the current state; GET /v1/audit lists what was changed. Use a new key for a new change.",
    details: { madeAfter: new Date(createdAt).toISOString() },
  } as const;
}

function conflict(key: string) {
  return {
    code: "idempotency_conflict",
    message: `The Idempotency-Key ${key} was already used with a different body.`,
    hint: "Use a new key for a new request. To repeat a request, send exactly the same body.",
    errors: [{ pointer: "Idempotency-Key", code: "conflict", message: "was already used with a different body" }],
  } as const;
}

const inProgress = {
  code: "unavailable",
  message: "The first request with this Idempotency-Key is still in progress.",
  hint: "Send the same request again in a moment.",
} as const;

export async function purgeStoredResponses({ db, now }: Pick<Deps, "db" | "now">, rowsMax: number): Promise<number> {
  return purge(db, now() - RESPONSES_KEPT_MS, rowsMax);
}
