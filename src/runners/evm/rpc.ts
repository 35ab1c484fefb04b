// JSON-RPC: sends one call to a chain's node, through the guarded ports of runners.
import type { Json, JsonObject } from "#schema/json.ts";
import { NODE_TIMEOUT_MS } from "#schema/limits/outgoing/blockchain.ts";
import { ANSWER_BYTES_MAX } from "#schema/limits/outgoing/responses.ts";
import { secretsIn } from "../core/account.ts";
import type { Failure } from "../core/classify.ts";
import { rpcRefusal, type RpcMeaning } from "./errors.ts";
import { answerDetails, send, unreadableFailure, type HttpAnswer, type HttpRefusal } from "../http/call.ts";
import type { OpenConnection, RunnerContext } from "../core/runner.ts";

export type RpcAnswer =
  | { readonly ok: true; readonly result: Json }
  /**
   * `lost`: it is unknown whether the node accepted the call. `nodeError` is the node's error object; null if the
   * answer has none.
   */
  | {
      readonly ok: false;
      readonly meaning: RpcMeaning | "lost";
      readonly failure: Failure;
      readonly nodeError: JsonObject | null;
    };

export type Rpc = (method: string, ...params: readonly Json[]) => Promise<RpcAnswer>;

/** The ports that a call to a node needs. Both a run and the engine's address maintenance have these ports. */
export type RpcPorts = Pick<RunnerContext, "fetch" | "now" | "allowLoopback" | "signal"> & {
  readonly ticket: Pick<RunnerContext["ticket"], "timeoutMs">;
};

export function rpcTo(url: string, connection: Pick<OpenConnection, "credentials">, context: RpcPorts): Rpc {
  const secrets = [...secretsIn(connection), ...secretsInPath(url)];
  return async (method, ...params) => {
    const headers = new Headers({ "Content-Type": "application/json" });
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    // Every method counts as a read, except for eth_sendRawTransaction: after a failure, only its effect is in doubt.
    const reads = method !== "eth_sendRawTransaction";
    const call = { method: "POST", url, headers, body, secrets, reads, answerBytesMax: ANSWER_BYTES_MAX };
    return readAnswer(method, await send(call, withTimeLimit(context)), reads);
  };
}

/** Returns the long segments of a URL's path, which must be redacted, because paid nodes have their key in the path. */
export function secretsInPath(url: string): string[] {
  return URL.canParse(url) ? new URL(url).pathname.split("/").filter((part) => part.length >= 16) : [];
}

/** Limits the time of one call, so that an attempt whose node does not answer can still report what it has sent. */
function withTimeLimit(context: RpcPorts): RpcPorts {
  const { fetch, now, allowLoopback, signal, ticket } = context;
  const timeoutMs = Math.min(ticket.timeoutMs, NODE_TIMEOUT_MS);
  return {
    fetch,
    now,
    allowLoopback,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    ticket: { timeoutMs },
  };
}

function readAnswer(method: string, answer: HttpAnswer | HttpRefusal, reads: boolean): RpcAnswer {
  const answered = answer.ok ? answer : answer.answered;
  const data = objectOf(answered?.data ?? null);
  const error = objectOf(data?.["error"] ?? null);
  if (answered !== null && error !== null) {
    const { meaning, failure } = rpcRefusal(method, error);
    const details = answerDetails({ status: answered.status, data: error });
    return { ok: false, meaning, failure: { error: { ...failure.error, details } }, nodeError: error };
  }
  if (!answer.ok) return { ok: false, meaning: "lost", failure: asCongestion(answer), nodeError: null };
  if (data !== null && data["result"] !== undefined) return { ok: true, result: data["result"] };
  const message = `the node's answer to ${method} is not JSON-RPC`;
  const { error: unread } = unreadableFailure(message, answer, { reads });
  const failure = { error: { ...unread, type: "network_congestion", retryable: true } };
  return { ok: false, meaning: "lost", failure, nodeError: null };
}

/**
 * Reports a failing node as network congestion, so that a definition can handle all node failures in the same way. The
 * error code keeps the cause.
 */
function asCongestion({ error, retryAfterMs }: Failure): Failure {
  if (!["timeout", "rate_limit", "service_unavailable", "network_error"].includes(error.type)) return { error };
  const known = { error: { ...error, type: "network_congestion", retryable: true } };
  return retryAfterMs === undefined ? known : { ...known, retryAfterMs };
}

export function objectOf(value: Json): JsonObject | null {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as JsonObject) : null; // null, scalars and lists are excluded
}

/** Parses a hexadecimal number of at most 256 bits. Any other value counts as zero. */
export function parseQuantity(value: Json | undefined): bigint {
  return typeof value === "string" && /^0x[0-9a-fA-F]{1,64}$/.test(value) ? BigInt(value) : 0n;
}

export function toHex(value: bigint | number): `0x${string}` {
  return `0x${value.toString(16)}`;
}
