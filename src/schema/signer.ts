// Signer calls: the RPC interface of a signer's object. It orders the nonces of one address on one chain, and stores
// every transaction by its run. It has no key: the Worker signs.

import type { ActionError } from "./engine/outcome.ts";
import type { JsonObject } from "./json.ts";
import type { BoundSecret } from "./outgoing/bound-secret.ts";

/**
 * The fees of a transaction per unit of gas, in wei. They are decimal texts, because amounts in wei exceed the numbers
 * that a double represents exactly.
 */
export type TxFees = { readonly maxFeePerGas: string; readonly maxPriorityFeePerGas: string };

export type TxReceipt = {
  readonly transactionHash: string;
  readonly blockNumber: number;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
  /** The total paid in wei. It may exceed gas times price, because rollups also charge for other costs. */
  readonly feeWei: string;
  /** The id of the created token; null if the receipt contains none. */
  readonly tokenId: string | null;
};

/** A transaction that is signed. It may have been sent already. */
export type SignedTx = {
  readonly nonce: number;
  readonly raw: string;
  /** The hashes of the transactions with this nonce, the newest first. Any one of them may be mined. */
  readonly hashes: readonly string[];
  readonly fees: TxFees;
  readonly gas: string;
  readonly signedAt: number;
  /** When the transaction was first sent, in epoch ms; null if it was never sent. */
  readonly sentAt: number | null;
};

export type TxQuery = {
  /** The run's idempotency key. */
  readonly key: string;
  /** The chain's block time in ms. */
  readonly blockMs: number;
};
export type TxLookup =
  /** An earlier attempt has signed this transaction, and it is sent again unchanged. `isStuck`: the fee is too low. */
  | { readonly kind: "signed"; readonly tx: SignedTx; readonly isStuck: boolean }
  | { readonly kind: "confirmed"; readonly receipt: TxReceipt }
  | { readonly kind: "none" };

export type NonceRequest = TxQuery & {
  /** The number of the address's transactions in the chain; null if the caller has not queried it. */
  readonly chainNonce: number | null;
  /** An unused nonce to reserve, so that it closes a gap; null: the next nonce. */
  readonly gap: number | null;
};
export type NonceAnswer =
  | Exclude<TxLookup, { readonly kind: "none" }>
  | { readonly kind: "reserved"; readonly nonce: number }
  /** The caller must query the chain's number of transactions, and call again with it. */
  | { readonly kind: "chain_unknown" }
  | { readonly kind: "no_gap" };

export type StoreTxRequest = {
  readonly key: string;
  readonly nonce: number;
  readonly raw: string;
  readonly hash: string;
  readonly fees: TxFees;
  readonly gas: string;
  /** The hash of the replaced transaction; null for the run's first transaction. */
  readonly replaces: string | null;
};
export type StoreTxAnswer =
  /** The transaction to send: the one in the request, or another one that was stored before. */
  | { readonly kind: "signed"; readonly tx: SignedTx }
  /** The reservation has expired, so another run may use the nonce. */
  | { readonly kind: "lost" };

/**
 * A run that waits for its transaction. `dark`: the node did not answer, so a long wait does not mean that the fee is
 * too low.
 */
export type TxWaitRequest = TxQuery & { readonly dark?: boolean };
export type TxWaitAnswer = {
  /** When the run checks the receipt again, in epoch ms. */
  readonly until: number;
  /** Since when the run waits, in epoch ms. With `dark`: since when no node has shown the transaction. */
  readonly since: number;
  /**
   * Transactions with lower nonces that no run sends. The waiting run sends them again, because its own transaction is
   * mined after them.
   */
  readonly resend: readonly string[];
  /** An unused lower nonce; null without one. No later transaction can be mined until a transaction uses it. */
  readonly gap: NonceGap | null;
  /** True: the waiting run should check the mined transactions (`tend`). */
  readonly tend?: boolean;
};

export type NonceGap = { readonly key: string; readonly nonce: number };
export type TxConfirmation = { readonly tend: boolean };

/** The numbers of the address's transactions on the chain, for a check of mined transactions. */
export type ChainCounts = {
  readonly latest: number;
  /** The number of transactions including the ones in the node's pool. */
  readonly pending: number;
  /** The number of final transactions, which no reorganization reverts; null if the node does not report it. */
  readonly final: number | null;
  /** True: an operator requested the check. It checks all transactions, and repairs lost ones. */
  readonly byPerson: boolean;
  /** True: the answer shows the planned work, and nothing is changed. */
  readonly dryRun: boolean;
};
/** A transaction that the signer has signed, for a run or to close a gap. */
export type OwnTx = { readonly key: string; readonly nonce: number; readonly hashes: readonly string[] };
export type MaintenancePlan = {
  /** Transactions that are not in the chain, or are no longer in it. They are sent again, the lowest nonce first. */
  readonly resend: readonly (OwnTx & { readonly raw: string })[];
  /** Unused nonces. They are assigned next. */
  readonly released: readonly number[];
  readonly gap: NonceGap | null;
  /**
   * Transactions whose nonces are used in a final block. Their receipts show whether these or other transactions used
   * the nonces.
   */
  readonly check: readonly OwnTx[];
};
export type MinedFindings = Pick<ChainCounts, "byPerson" | "dryRun"> & {
  readonly found: readonly { readonly key: string; readonly nonce: number; readonly isMined: boolean }[];
};
/** The result of the receipts: which of the transactions are mined, and which are lost. */
export type MinedVerdict = { readonly mined: readonly OwnTx[]; readonly lost: readonly OwnTx[] };

/** A request to check the mined transactions of an address. The account's secrets are only sent to the node's URL. */
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
  /** The hosts to which the account's secrets may be sent. */
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
  /** Mined transactions that are kept until they are final. */
  readonly kept: readonly (OwnTx & { readonly minedAt: number; readonly lostAt: number | null })[];
  /** The chain's last answer; null before the first. */
  readonly seen: (Pick<ChainCounts, "latest" | "pending" | "final"> & { readonly at: number }) | null;
  /** The nonce that the chain waits for and that no transaction has; null without one. */
  readonly stuck: { readonly nonce: number; readonly since: number } | null;
};

export type RenewNonceRequest = { readonly key: string; readonly chainNonce: number };
export type RenewNonceAnswer =
  /** Another transaction has used the nonce: the run reserves a new one. */
  | { readonly kind: "renewed" }
  /** The transaction may have used the nonce: the run checks again at `until` (epoch ms). */
  | { readonly kind: "wait"; readonly until: number }
  /**
   * It is unknown whether this transaction used the nonce, because nodes may have deleted the receipt. An operator must
   * check it.
   */
  | { readonly kind: "unknown" };

export type Signer = {
  /** Returns the transaction that an earlier attempt has stored. */
  find(ask: TxQuery): Promise<TxLookup>;
  reserve(ask: NonceRequest): Promise<NonceAnswer>;
  /** Stores a transaction before it is sent. A stored transaction may be sent any number of times. */
  store(ask: StoreTxRequest): Promise<StoreTxAnswer>;
  /** Plans the next check of a transaction that was sent and is not mined yet. */
  wait(ask: TxWaitRequest): Promise<TxWaitAnswer>;
  /** Decides what the run does if the chain has used the nonce with a transaction that the signer does not know. */
  renew(ask: RenewNonceRequest): Promise<RenewNonceAnswer>;
  /** Releases the nonce of a transaction that the chain refused permanently, unless it may have been sent before. */
  releaseNonce(key: string): Promise<void>;
  /**
   * Records that the transaction is mined. The object keeps the transaction until it is final, because a reorganization
   * may revert it.
   */
  confirm(key: string, receipt: TxReceipt): Promise<TxConfirmation | undefined>;
  /**
   * Records that the transaction was mined but its effect was reverted. The nonce is used, so the run may sign a new
   * transaction.
   */
  fail(key: string): Promise<void>;
  /** Returns the plan for the mined transactions, given the chain's numbers. */
  planMaintenance(ask: ChainCounts): Promise<MaintenancePlan>;
  recordMined(ask: MinedFindings): Promise<MinedVerdict>;
  overview(): Promise<SignerOverview>;
};
