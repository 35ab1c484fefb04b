// Wanted transactions: a run's transaction with everything that sending it needs, and the possible results of an
// attempt.
import type { Abi, Hex } from "viem";
import type { Signer, TxReceipt } from "#schema/signer.ts";
import type { Failure } from "../core/classify.ts";
import type { Chain } from "./chains.ts";
import type { Contracts } from "./contract-code.ts";
import type { EvmConfig } from "./config.ts";
import type { Rpc } from "./rpc.ts";
import type { Wallet } from "./wallet.ts";

export type WantedTransaction = {
  readonly key: string;
  readonly config: EvmConfig;
  readonly chain: Chain;
  readonly from: string;
  readonly data: Hex;
  readonly abi: Abi;
  readonly wallet: Wallet;
  readonly rpc: Rpc;
  readonly signer: Signer;
  readonly contracts: Contracts;
  readonly now: () => number;
};

/** The parts that maintenance of an address needs, both in a run and for an operator. */
export type AddressAccess = Pick<WantedTransaction, "chain" | "from" | "wallet" | "rpc" | "signer"> & {
  readonly config: Pick<EvmConfig, "maxFeeCapGwei">;
};

export type TransactionResult =
  | { readonly kind: "mined"; readonly receipt: TxReceipt }
  /** The transaction is in progress, so the run is held until `until`. */
  | {
      readonly kind: "held";
      readonly until: number;
      readonly hash: string;
      readonly nonce: number;
      /** Why the node's answer cannot be read; null if it can be read, and the transaction is not mined yet. */
      readonly why: string | null;
    }
  | {
      readonly kind: "failed";
      readonly failure: Failure;
      readonly hash: string | null;
      /** The fee of a reverted transaction in wei; null if no fee was paid. */
      readonly feeWei: string | null;
    };

/** The node did not answer, so it is unknown whether the transaction was sent. */
export type UnknownResult = { readonly kind: "dark"; readonly failure: Failure };

export function failedWith({ error, retryAfterMs }: Failure, hash: string | null = null): TransactionResult {
  const failure = retryAfterMs === undefined ? { error } : { error, retryAfterMs };
  return { kind: "failed", failure, hash, feeWei: null };
}
