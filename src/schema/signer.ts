// Signer calls: the RPC interface of a signer's object. It assigns the nonces of one address on one chain in order, and
// stores every transaction by its run. It has no private key, because the Worker signs.

import type { ActionError } from "./engine/outcome.ts";
import type { JsonObject } from "./json.ts";
import type { BoundSecret } from "./outgoing/bound-secret.ts";

/**
 * The fees of a transaction per unit of gas, in wei. They are decimal texts, because a double cannot represent such
 * amounts exactly.
 */
export type TxFees = { readonly maxFeePerGas: string; readonly maxPriorityFeePerGas: string };

export type TxReceipt = {
  readonly transactionHash: string;
  readonly blockNumber: number;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
  /** The total fee that was paid, in wei. It may exceed gas times price, because rollups charge other costs as well. */
  readonly feeWei: string;
  /** The id of the token that the transaction created. Null if the receipt contains none. */
  readonly tokenId: string | null;
};

/** A signed transaction. It may already have been sent. */
export type SignedTx = {
  readonly nonce: number;
  readonly raw: string;
  /** The hashes of all transactions with this nonce, the newest first. Any one of them may be the one that is mined. */
  readonly hashes: readonly string[];
  readonly fees: TxFees;
  readonly gas: string;
  readonly signedAt: number;
  /** When the transaction was first sent, in epoch ms. Null if it was never sent. */
  readonly sentAt: number | null;
};

export type TxQuery = {
  /** The run's idempotency key. */
  readonly key: string;
  /** The chain's block time in ms. */
  readonly blockMs: number;
};
export type TxLookup =
  /** An earlier attempt has signed this transaction. It is sent again unchanged. `isStuck`: its fee is too low. */
  | { readonly kind: "signed"; readonly tx: SignedTx; readonly isStuck: boolean }
  | { readonly kind: "confirmed"; readonly receipt: TxReceipt }
  | { readonly kind: "none" };

export type NonceRequest = TxQuery & {
  /** How many transactions of the address are in the chain. Null if the caller has not queried that. */
  readonly chainNonce: number | null;
  /** An unused nonce that this run should use, so that a gap is closed. Null: the next nonce. */
  readonly gap: number | null;
};
export type NonceAnswer =
  | Exclude<TxLookup, { readonly kind: "none" }>
  | { readonly kind: "reserved"; readonly nonce: number }
  /** The caller must query how many transactions of the address are in the chain, and call again with the number. */
  | { readonly kind: "chain_unknown" }
  | { readonly kind: "no_gap" };

export type StoreTxRequest = {
  readonly key: string;
  readonly nonce: number;
  readonly raw: string;
  readonly hash: string;
  readonly fees: TxFees;
  readonly gas: string;
  /** The hash of the transaction that this one replaces. Null for the first transaction of the run. */
  readonly replaces: string | null;
};
export type StoreTxAnswer =
  /** The transaction to send. It is that of the request, or another one that was stored earlier. */
  | { readonly kind: "signed"; readonly tx: SignedTx }
  /** The reservation of the nonce has expired. Another run may have used the nonce. */
  | { readonly kind: "lost" };

/**
 * The wait of a run for its transaction. `dark`: the node did not answer, so a long wait does not mean that the fee is
 * too low.
 */
export type TxWaitRequest = TxQuery & { readonly dark?: boolean };
export type TxWaitAnswer = {
  /** When the run should query the receipt again, in epoch ms. */
  readonly until: number;
  /** Since when the run has been waiting, in epoch ms. With `dark`: since when no node has known the transaction. */
  readonly since: number;
  /**
   * Transactions with lower nonces that no run sends any more. The waiting run sends them again, because its own
   * transaction can only be mined after them.
   */
  readonly resend: readonly string[];
  /**
   * A lower nonce that no transaction uses. No later transaction can be mined until one does. Null if there is no such
   * nonce.
   */
  readonly gap: NonceGap | null;
  /** True: this waiting run should also check the mined transactions of the address. */
  readonly tend?: boolean;
};

export type NonceGap = { readonly key: string; readonly nonce: number };
export type TxConfirmation = { readonly tend: boolean };

/** How many transactions of an address are on the chain. A check of mined transactions uses these numbers. */
export type ChainCounts = {
  readonly latest: number;
  /** The number of transactions including those in the node's pool. */
  readonly pending: number;
  /**
   * The number of transactions in final blocks, which no reorganization reverts. Null if the node does not report it.
   */
  readonly final: number | null;
  /** True: an operator requested the check. It then covers all transactions, and repairs lost ones. */
  readonly byPerson: boolean;
  /** True: the answer only shows what the check would do. */
  readonly dryRun: boolean;
};
/** A transaction of the signer. It belongs to a run, or closes a gap. */
export type OwnTx = { readonly key: string; readonly nonce: number; readonly hashes: readonly string[] };
export type MaintenancePlan = {
  /** Transactions that are not, or no longer, in the chain. They are sent again, the lowest nonce first. */
  readonly resend: readonly (OwnTx & { readonly raw: string })[];
  /** Unused nonces, which are assigned next. */
  readonly released: readonly number[];
  readonly gap: NonceGap | null;
  /**
   * Transactions whose nonces were used in a final block. Their receipts show whether they or other transactions used
   * the nonces.
   */
  readonly check: readonly OwnTx[];
};
export type MinedFindings = Pick<ChainCounts, "byPerson" | "dryRun"> & {
  readonly found: readonly { readonly key: string; readonly nonce: number; readonly isMined: boolean }[];
};
/** What the receipts show: which of the transactions are mined, and which are lost. */
export type MinedVerdict = { readonly mined: readonly OwnTx[]; readonly lost: readonly OwnTx[] };

/** A request to check the mined transactions of an address. The account's secrets are sent only to the node's URL. */
export type MaintainAddressRequest = {
  readonly tenant: string;
  readonly chainId: number;
  readonly address: string;
  readonly account: {
    readonly name: string;
    readonly baseUrl: string | null;
    readonly credentials: { readonly [field: string]: string };
    readonly settings: JsonObject;
  };
  /** Those of the account's secrets that may be sent only to certain hosts, with these hosts. */
  readonly bounds: readonly BoundSecret[];
  readonly dryRun: boolean;
};
export type MaintainAddressAnswer =
  | ({ readonly ok: true; readonly chain: Pick<ChainCounts, "latest" | "pending" | "final"> } & MaintenancePlan &
      MinedVerdict)
  | { readonly ok: false; readonly error: ActionError };

/** The state of an address as operators see it. */
export type SignerOverview = {
  readonly next: number | null;
  readonly free: readonly number[];
  readonly reserved: readonly { readonly key: string; readonly nonce: number; readonly since: number }[];
  readonly inFlight: readonly (OwnTx & {
    readonly signedAt: number;
    readonly sentAt: number | null;
    readonly darkSince: number | null;
  })[];
  /** Mined transactions, which are stored until they are final. */
  readonly kept: readonly (OwnTx & { readonly minedAt: number; readonly lostAt: number | null })[];
  /** The last answer of the chain. Null before the first. */
  readonly seen: (Pick<ChainCounts, "latest" | "pending" | "final"> & { readonly at: number }) | null;
  /** The nonce that the chain expects next, if no transaction has it. Null if the chain expects no missing nonce. */
  readonly stuck: { readonly nonce: number; readonly since: number } | null;
};

export type RenewNonceRequest = { readonly key: string; readonly chainNonce: number };
export type RenewNonceAnswer =
  /** Another transaction has used the nonce. The run reserves a new nonce. */
  | { readonly kind: "renewed" }
  /** It is not known yet whether the transaction has used the nonce. The run checks again at `until` (epoch ms). */
  | { readonly kind: "wait"; readonly until: number }
  /**
   * It can no longer be determined whether this transaction used the nonce, because nodes may have deleted the receipt.
   * An operator must check it.
   */
  | { readonly kind: "unknown" };

export type Signer = {
  /** Returns the transaction that an earlier attempt has stored, if there is one. */
  find(ask: TxQuery): Promise<TxLookup>;
  reserve(ask: NonceRequest): Promise<NonceAnswer>;
  /** Stores a transaction before it is sent. Once stored, it may be sent any number of times. */
  store(ask: StoreTxRequest): Promise<StoreTxAnswer>;
  /** Plans the next check of a transaction that was sent but is not mined yet. */
  wait(ask: TxWaitRequest): Promise<TxWaitAnswer>;
  /** Decides what the run does if a transaction that the signer does not know has used its nonce. */
  renew(ask: RenewNonceRequest): Promise<RenewNonceAnswer>;
  /**
   * Releases the nonce of a transaction that the chain has refused permanently. If it may have been sent before, the
   * nonce stays reserved.
   */
  releaseNonce(key: string): Promise<void>;
  /**
   * Records that the transaction is mined. The object stores it until it is final, because a reorganization may revert
   * it.
   */
  confirm(key: string, receipt: TxReceipt): Promise<TxConfirmation | undefined>;
  /**
   * Records that the transaction was mined but its effect was reverted. Its nonce is used up, so the run may sign a new
   * transaction.
   */
  fail(key: string): Promise<void>;
  /** Returns what has to be done about the mined transactions, given the numbers of the chain. */
  planMaintenance(ask: ChainCounts): Promise<MaintenancePlan>;
  recordMined(ask: MinedFindings): Promise<MinedVerdict>;
  overview(): Promise<SignerOverview>;
};
