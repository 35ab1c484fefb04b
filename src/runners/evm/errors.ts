// Node errors: classify a node's refusal by its text, because JSON-RPC has few error codes. The patterns cover geth,
// reth, erigon, nethermind, besu, anvil, and the rollups' sequencers.
import { decodeErrorResult } from "viem/utils";
import type { Abi, Hex } from "viem";
import type { Json, JsonObject } from "#schema/json.ts";
import { MESSAGE_EXCERPT_CHARS_MAX } from "#schema/limits/outgoing/responses.ts";
import type { Failure } from "../core/classify.ts";
import { redactText } from "../core/redact.ts";

export type RpcMeaning =
  | "already_known"
  | "nonce_too_low"
  | "nonce_too_high"
  /** The node already has another transaction with this nonce, and the new fee is not high enough to replace it. */
  | "replacement_underpriced"
  | "underpriced"
  | "insufficient_funds"
  | "reverted"
  | "congested"
  | "refused";

type Row = readonly [pattern: RegExp, meaning: RpcMeaning, type: string, retryable: boolean, code: string];

const MEANINGS: readonly Row[] = [
  [
    /already known|known transaction|already imported|already_exists|already in (?:the )?(?:mem)?pool/i,
    "already_known",
    "unknown_error",
    false,
    "already_known",
  ],
  [
    /nonce (?:is )?too low|old_?nonce|nonce has already been used|invalid nonce.*lower/i,
    "nonce_too_low",
    "network_congestion",
    true,
    "nonce_too_low",
  ],
  [/nonce (?:is )?too (?:high|distant)|nonce gap/i, "nonce_too_high", "network_congestion", true, "nonce_too_high"],
  [
    /replacement .*underpriced|could not replace existing/i,
    "replacement_underpriced",
    "gas_price_too_low",
    true,
    "replacement_underpriced",
  ],
  [
    /underpriced|less than block base fee|fee cap (?:is )?(?:too low|less)|(?:gas ?price|fee)s? (?:is )?(?:too low|below)|fee_?too_?low|max ?fee ?per ?gas/i,
    "underpriced",
    "gas_price_too_low",
    true,
    "underpriced",
  ],
  [
    /insufficient (?:funds|balance)|exceeds (?:the )?balance|(?:out ?of|lack of) ?funds|doesn't have enough funds/i,
    "insufficient_funds",
    "insufficient_funds",
    false,
    "insufficient_funds",
  ],
  [
    /intrinsic gas too low|out of gas|gas required exceeds|exceeds (?:the )?block gas limit|gas limit (?:is )?too (?:low|high)/i,
    "refused",
    "invalid_configuration",
    false,
    "gas_limit_unfit",
  ],
  [
    /invalid chain ?id|chain ?id mismatch|wrong chain|invalid sender/i,
    "refused",
    "invalid_configuration",
    false,
    "chain_mismatch",
  ],
  [/revert|vm exception|invalid opcode|stack underflow/i, "reverted", "execution_reverted", false, "reverted"],
  [
    /pool is full|pool.{0,20}(?:full|overflow)|too many (?:pending|requests)|rate limit|limit exceeded|timed? ?out|temporarily|try again|busy|capacity/i,
    "congested",
    "network_congestion",
    true,
    "node_busy",
  ],
];

/**
 * The JSON-RPC error codes of an overloaded or failing node. They are used if no pattern matches the error text. Any
 * other code means a wrong request.
 */
const BUSY_CODES = new Set([-32005, -32603, -32002]);

export function rpcRefusal(
  method: string,
  error: JsonObject,
): { readonly meaning: RpcMeaning; readonly failure: Failure } {
  const errorText = typeof error["message"] === "string" ? error["message"] : "";
  const isBusy = BUSY_CODES.has(Number(error["code"]));
  const fallback: Row = isBusy
    ? [/$/, "congested", "network_congestion", true, "node_busy"]
    : [/$/, "refused", "unknown_error", true, "rpc_refused"];
  const [, meaning, type, retryable, code] = MEANINGS.find(([pattern]) => pattern.test(errorText)) ?? fallback;
  const message = `the node refused ${method}: ${redactText(errorText).slice(0, MESSAGE_EXCERPT_CHARS_MAX)}`;
  return { meaning, failure: { error: { type, message, retryable, code } } };
}

/** Returns the contract's reason, which is its text or its custom error; null if the contract gave no reason. */
export function revertReason(error: JsonObject, abi: Abi): string | null {
  const data = revertData(error["data"] ?? null);
  if (data !== null && data.length >= 10) {
    try {
      // viem decodes Error(string) and Panic(uint256) without an ABI
      const { errorName, args = [] } = decodeErrorResult({ abi, data }) as {
        errorName: string;
        args?: readonly unknown[];
      };
      return errorName === "Error" ? String(args[0]) : `${errorName}(${args.map(String).join(", ")})`;
    } catch {
      // The ABI lacks this custom error, so its text or selector is used below.
    }
  }
  const errorText = typeof error["message"] === "string" ? error["message"] : "";
  const reason = /reverted(?: with reason string)?:?\s*['"]?(.+?)['"]?$/i.exec(errorText)?.[1] ?? null;
  return reason ?? (data === null || data === "0x" ? null : `custom error ${data.slice(0, 10)}`);
}

/** Finds the revert data. Nodes put it directly into `data`, or into an object in `data`. */
function revertData(data: Json): Hex | null {
  if (typeof data === "string") return /^0x[0-9a-fA-F]*$/.test(data) ? (data as Hex) : null; // the pattern has checked it
  if (data === null || typeof data !== "object" || Array.isArray(data)) return null;
  const { data: inner = null, result = null } = data as JsonObject; // null, scalars and lists are excluded above
  return revertData(inner ?? result);
}

export function revertFailure(reason: string | null, details: JsonObject): Failure {
  const message = `the contract refused: ${redactText(reason ?? "it returned no reason").slice(0, MESSAGE_EXCERPT_CHARS_MAX)}`;
  const error = { type: "execution_reverted", message, retryable: false, code: "reverted" };
  return {
    error: {
      ...error,
      details: reason === null ? details : { ...details, reason: reason.slice(0, MESSAGE_EXCERPT_CHARS_MAX) },
    },
  };
}
