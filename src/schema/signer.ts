// Signer calls: what a signer's object answers. It orders the nonces of one address on one chain, and stores every
// transaction by its run. It never has a key: the Worker signs.

import type { ActionError } from "./engine/outcome.ts";
import type { JsonObject } from "./json.ts";
import type { BoundSecret } from "./outgoing/bound-secret.ts";

/** A transaction's offer per unit of gas, in wei; as text, because wei exceed a number's exact range. */
export type TxFees = { readonly maxFeePerGas: string; readonly maxPriorityFeePerGas: string };

export type TxReceipt = {
  readonly transactionHash: string;
  readonly blockNumber: number;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
  /** The total paid, in wei: rollups charge for more than the gas. */
  readonly feeWei: string;
  /** Of the created token, if the receipt contains one. */
  readonly tokenId: string | null;
};

/** A transaction that is signed, and may have been sent. */
export type SignedTx = {
  readonly nonce: number;
  readonly raw: string;
  /** Newest first: of several with the same nonce, any may be mined. */
  readonly hashes: readonly string[];
  readonly fees: TxFees;
  readonly gas: string;
  readonly signedAt: number;
  /** Since when the chain has it, or must be assumed to. */
  readonly sentAt: number | null;
};

export type TxQuery = {
  /** The run's idempotency key. */
  readonly key: string;
  /** The chain's block time. */
  readonly blockMs: number;
};
export type TxLookup =
  /** An earlier attempt has signed already: the same bytes are sent again. */
  | { readonly kind: "signed"; readonly tx: SignedTx; readonly isStuck: boolean }
  | { readonly kind: "confirmed"; readonly receipt: TxReceipt }
  | { readonly kind: "none" };

export type NonceRequest = TxQuery & {
  /** The number of the address's transactions on the chain; null if not queried. */
  readonly chainNonce: number | null;
  /** Exactly this unused nonce, to close a gap. */
  readonly gap: number | null;
};
export type NonceAnswer =
  | Exclude<TxLookup, { readonly kind: "none" }>
  | { readonly kind: "reserved"; readonly nonce: number }
  /** Query the chain's number of transactions, and call again with it. */
  | { readonly kind: "chain_unknown" }
  | { readonly kind: "no_gap" };

export type StoreTxRequest = {
  readonly key: string;
  readonly nonce: number;
  readonly raw: string;
  readonly hash: string;
  readonly fees: TxFees;
  readonly gas: string;
  /** The hash of the transaction that this one replaces; null for the first. */
  readonly replaces: string | null;
};
export type StoreTxAnswer =
  /** The transaction to send: this one, or another that was stored before. */
  | { readonly kind: "signed"; readonly tx: SignedTx }
  /** The reservation expired, and the nonce may be used by another. */
  | { readonly kind: "lost" };

/** `dark`: the node did not answer, so the waiting time means nothing. */
export type TxWaitRequest = TxQuery & { readonly dark?: boolean };
export type TxWaitAnswer = {
  /** When to check the receipt again. */
  readonly until: number;
  /** Since when it is waited for; in the dark: since when it was not seen. */
  readonly since: number;
  /** Lower nonces that are not being sent: these transactions, again. */
  readonly resend: readonly string[];
  /** An unused lower nonce: nothing above it can be mined until a transaction uses it. */
  readonly gap: NonceGap | null;
  /** This one should check the mined transactions (`tend`); absent: no. */
  readonly tend?: boolean;
};

export type NonceGap = { readonly key: string; readonly nonce: number };
export type TxConfirmation = { readonly tend: boolean };

/** The chain's numbers of transactions of the address. */
export type ChainCounts = {
  readonly latest: number;
  /** Including those in the node's pool. */
  readonly pending: number;
  /** Final ones, which no reorganization reverts; null if the node does not report them. */
  readonly final: number | null;
  /** An operator's request: checks all, and repairs lost ones. */
  readonly byPerson: boolean;
  /** Only shows what the signer would do. */
  readonly dryRun: boolean;
};
/** One that the signer has signed, for a run or to close a gap. */
export type OwnTx = { readonly key: string; readonly nonce: number; readonly hashes: readonly string[] };
export type MaintenancePlan = {
  /** Not in the chain (any more): these are sent again, lowest nonce first. */
  readonly resend: readonly (OwnTx & { readonly raw: string })[];
  /** Unused nonces: they are assigned next. */
  readonly released: readonly number[];
  readonly gap: NonceGap | null;
  /** Their nonces are permanently used: whether by them, their receipts show. */
  readonly check: readonly OwnTx[];
};
export type MinedFindings = Pick<ChainCounts, "byPerson" | "dryRun"> & {
  readonly found: readonly { readonly key: string; readonly nonce: number; readonly isMined: boolean }[];
};
/** The result of the lookups. */
export type MinedVerdict = { readonly mined: readonly OwnTx[]; readonly lost: readonly OwnTx[] };

/** An address and its account; its secrets are only sent to the node's own URL. */
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

/** An address as operators see it. */
export type SignerOverview = {
  readonly next: number | null;
  readonly free: readonly number[];
  readonly reserved: readonly { readonly key: string; readonly nonce: number; readonly since: number }[];
  readonly inFlight: readonly (OwnTx & {
    readonly signedAt: number;
    readonly sentAt: number | null;
    readonly darkSince: number | null;
  })[];
  /** Mined, and kept until it is final. */
  readonly kept: readonly (OwnTx & { readonly minedAt: number; readonly lostAt: number | null })[];
  /** The chain's last answer. */
  readonly seen: (Pick<ChainCounts, "latest" | "pending" | "final"> & { readonly at: number }) | null;
  /** The nonce that the chain waits for and that is not available here. */
  readonly stuck: { readonly nonce: number; readonly since: number } | null;
};

export type RenewNonceRequest = { readonly key: string; readonly chainNonce: number };
export type RenewNonceAnswer =
  /** The nonce was used by another: reserve again. */
  | { readonly kind: "renewed" }
  /** It may have been used by this transaction: check again then. */
  | { readonly kind: "wait"; readonly until: number }
  /** So long ago that nodes may have pruned its receipt: a person must check whether it was this one. */
  | { readonly kind: "unknown" };

export type Signer = {
  /** What an earlier attempt left. */
  find(ask: TxQuery): Promise<TxLookup>;
  reserve(ask: NonceRequest): Promise<NonceAnswer>;
  /** Before sending: a stored transaction may be sent any number of times. */
  store(ask: StoreTxRequest): Promise<StoreTxAnswer>;
  /** Waits for a transaction that was sent and is not mined yet. */
  wait(ask: TxWaitRequest): Promise<TxWaitAnswer>;
  /** The chain has passed the nonce, without any of the hashes. */
  renew(ask: RenewNonceRequest): Promise<RenewNonceAnswer>;
  /** The chain refused it permanently: the nonce is released, unless it may have been sent before. */
  releaseNonce(key: string): Promise<void>;
  /** Kept until it is final: a reorganization may revert it. */
  confirm(key: string, receipt: TxReceipt): Promise<TxConfirmation | undefined>;
  /** It was mined and reverted: the nonce is used, and the run may start again. */
  fail(key: string): Promise<void>;
  /** What to do, given the chain's numbers of the address. */
  planMaintenance(ask: ChainCounts): Promise<MaintenancePlan>;
  recordMined(ask: MinedFindings): Promise<MinedVerdict>;
  overview(): Promise<SignerOverview>;
};
