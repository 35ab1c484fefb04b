// Address maintenance: resends mined transactions that a reorganization dropped, deletes final transactions from the
// signer, and closes nonce gaps. A step that fails is repeated by the next call.
import type { MinedVerdict, OwnTx, ChainCounts, MaintenancePlan } from "#schema/signer.ts";
import { FINAL_BLOCKS } from "#schema/limits/outgoing/blockchain.ts";
import type { Failure } from "../core/classify.ts";
import { closeGap } from "./gap.ts";
import { toHex, objectOf, parseQuantity, type Rpc, type RpcAnswer } from "./rpc.ts";
import type { AddressAccess } from "./wanted-transaction.ts";

export type MaintenanceResult =
  | ({ readonly ok: true; readonly chain: Counts } & MaintenancePlan & MinedVerdict)
  | ({ readonly ok: false } & Failure);

type Counts = Pick<ChainCounts, "latest" | "pending" | "final">;

const AUTOMATIC = { byPerson: false, dryRun: false };

export async function maintainAddress(
  access: AddressAccess,
  mode: Pick<ChainCounts, "byPerson" | "dryRun"> = AUTOMATIC,
): Promise<MaintenanceResult> {
  const { rpc, signer, from } = access;
  const read = await readCounts(rpc, from);
  if (!read.ok) return read;
  const { counts } = read;
  const maintained = await signer.planMaintenance({ ...counts, ...mode });
  const checked = await findMined(rpc, maintained.check);
  const judged = checked.length === 0 ? { mined: [], lost: [] } : await signer.recordMined({ found: checked, ...mode });
  if (!mode.dryRun) {
    for (const { raw } of maintained.resend) await rpc("eth_sendRawTransaction", raw);
    if (maintained.gap !== null) await closeGap(access, maintained.gap);
  }
  return { ok: true, chain: counts, ...maintained, ...judged };
}

async function readCounts(
  rpc: Rpc,
  from: string,
): Promise<{ readonly ok: true; readonly counts: Counts } | ({ readonly ok: false } & Failure)> {
  const [latest, pending] = await Promise.all([
    rpc("eth_getTransactionCount", from, "latest"),
    rpc("eth_getTransactionCount", from, "pending"),
  ]);
  if (!latest.ok) return { ok: false, ...latest.failure };
  const count = countIn(latest);
  if (count === null) return { ok: false, ...unreadableCount(from) };
  return {
    ok: true,
    counts: { latest: count, pending: countIn(pending) ?? count, final: await readFinalCount(rpc, from) },
  };
}

/**
 * Returns the number of final transactions of the address, as the chain reports it. If the chain does not report it,
 * counts up to a block that is deeper than any past reorganization.
 */
async function readFinalCount(rpc: Rpc, from: string): Promise<number | null> {
  const byTag = await rpc("eth_getTransactionCount", from, "finalized");
  if (byTag.ok) return countIn(byTag);
  const head = await rpc("eth_blockNumber");
  const depth = head.ok ? Number(parseQuantity(head.result)) - FINAL_BLOCKS : 0;
  if (depth <= 0) return null;
  const atDepth = await rpc("eth_getTransactionCount", from, toHex(depth));
  return countIn(atDepth);
}

/**
 * Returns the number in an answer. Returns null if the answer has no number, because the caller would treat a count of
 * zero as lost transactions.
 */
function countIn(answer: RpcAnswer): number | null {
  return answer.ok && typeof answer.result === "string" && /^0x[0-9a-fA-F]+$/.test(answer.result)
    ? Number(answer.result)
    : null;
}

function unreadableCount(from: string): Failure {
  const message = `the node did not return the number of transactions of ${from}`;
  return { error: { type: "network_congestion", message, retryable: true, code: "answer_unreadable" } };
}

async function findMined(rpc: Rpc, check: readonly OwnTx[]) {
  const checked = await Promise.all(
    check.map(async ({ key, nonce, hashes }) => {
      const isMined = await isAnyMined(rpc, hashes);
      return isMined === null ? [] : [{ key, nonce, isMined }];
    }),
  );
  return checked.flat();
}

/** Returns true if one of the transactions is mined; null if the node did not answer. */
async function isAnyMined(rpc: Rpc, hashes: readonly string[]): Promise<boolean | null> {
  for (const hash of hashes) {
    const answer = await rpc("eth_getTransactionReceipt", hash);
    if (!answer.ok) return null;
    if (objectOf(answer.result)?.["blockNumber"]) return true;
  }
  return false;
}
