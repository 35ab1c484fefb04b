// The calls a signer's object answers. It keeps the order of nonces of one address on one chain, and remembers every
// transaction by the run it belongs to. It never sees a key: signing is the Worker's work.

/** What a transaction offers per unit of gas, in wei; as text, because wei do not fit into a number. */
export type TxFees = { readonly maxFeePerGas: string; readonly maxPriorityFeePerGas: string };

export type TxReceipt = {
  readonly transactionHash: string;
  readonly blockNumber: number;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
  /** All that was paid, in wei: rollups ask for more than the gas. */
  readonly feeWei: string;
  /** Of the token that came into being, where the receipt told of one. */
  readonly tokenId: string | null;
};

/** A transaction that is signed, and may have been sent. */
export type SignedTx = {
  readonly nonce: number;
  readonly raw: string;
  /** Newest first: of several with the same nonce any may be the one that is mined. */
  readonly hashes: readonly string[];
  readonly fees: TxFees;
  readonly gas: string;
  readonly signedAt: number;
  /** Since when the chain is known, or must be taken, to have it. */
  readonly sentAt: number | null;
};

export type FindAsk = {
  /** Whose transaction: the run's idempotency key. */
  readonly key: string;
  /** How long this chain takes for a block. */
  readonly blockMs: number;
};
export type Found =
  /** An earlier attempt signed already: the same bytes go out again. */
  | { readonly kind: "signed"; readonly tx: SignedTx; readonly isStuck: boolean }
  | { readonly kind: "confirmed"; readonly receipt: TxReceipt }
  | { readonly kind: "none" };

export type ReserveAsk = FindAsk & {
  /** How many transactions the chain knows of this address; null where nobody has asked it. */
  readonly chainNonce: number | null;
  /** This nonce and no other, which nobody has: to close a gap with. */
  readonly gap: number | null;
};
export type Reserved =
  | Exclude<Found, { readonly kind: "none" }>
  | { readonly kind: "reserved"; readonly nonce: number }
  /** Ask the chain how many transactions it knows, and come again with that. */
  | { readonly kind: "chain_unknown" }
  | { readonly kind: "no_gap" };

export type StoreAsk = {
  readonly key: string;
  readonly nonce: number;
  readonly raw: string;
  readonly hash: string;
  readonly fees: TxFees;
  readonly gas: string;
  /** The hash of the transaction that this one takes the place of; null for the first. */
  readonly replaces: string | null;
};
export type Stored =
  /** What is to be sent: this one, or another that somebody stored before. */
  | { readonly kind: "signed"; readonly tx: SignedTx }
  /** The reservation came to an end, and the nonce may be another's. */
  | { readonly kind: "lost" };

export type Waiting = {
  /** When to look for the receipt again. */
  readonly until: number;
  /** Since when it has been waited for. */
  readonly since: number;
  /** Lower nonces that nobody seems to send: these transactions, again. */
  readonly resend: readonly string[];
  /** A lower nonce that belongs to nobody: nothing above it can be mined until something takes it. */
  readonly gap: { readonly key: string; readonly nonce: number } | null;
};

export type RenewAsk = { readonly key: string; readonly chainNonce: number };
export type Renewed =
  /** The nonce is gone to another: reserve anew. */
  | { readonly kind: "renewed" }
  /** It may yet turn out to have been this very transaction: look again then. */
  | { readonly kind: "wait"; readonly until: number }
  /** So long ago that nodes may have forgotten its receipt: whether it was this one, a person has to find out. */
  | { readonly kind: "unknown" };

export type Signer = {
  /** What an earlier attempt left behind. */
  find(ask: FindAsk): Promise<Found>;
  reserve(ask: ReserveAsk): Promise<Reserved>;
  /** Before sending: what is stored may be sent any number of times. */
  store(ask: StoreAsk): Promise<Stored>;
  /** It was sent, and is not mined yet. */
  wait(ask: FindAsk): Promise<Waiting>;
  /** The chain has the nonce behind it, and none of the hashes. */
  renew(ask: RenewAsk): Promise<Renewed>;
  /** The chain refused it for good: the nonce goes back, unless it may have been sent before. */
  giveBack(key: string): Promise<void>;
  confirm(key: string, receipt: TxReceipt): Promise<void>;
  /** It was mined and undone: the nonce is used up, and the run may begin anew. */
  fail(key: string): Promise<void>;
};
