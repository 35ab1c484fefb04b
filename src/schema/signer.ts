// The calls a signer's object answers. It keeps the order of nonces of one address on one chain, and remembers every
// transaction by the run it belongs to. It never sees a key: signing is the Worker's work.

import type { ActionError } from "./engine/outcome.ts";
import type { JsonObject } from "./json.ts";
import type { BoundSecret } from "./outgoing/bound-secret.ts";

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

/** `dark`: the node could not be asked, so how long it takes says nothing of the transaction. */
export type WaitAsk = FindAsk & { readonly dark?: boolean };
export type Waiting = {
  /** When to look for the receipt again. */
  readonly until: number;
  /** Since when it has been waited for; in the dark: since when nothing has been seen. */
  readonly since: number;
  /** Lower nonces that nobody seems to send: these transactions, again. */
  readonly resend: readonly string[];
  /** A lower nonce that belongs to nobody: nothing above it can be mined until something takes it. */
  readonly gap: Gap | null;
  /** It is this one's turn to see whether what was mined still is (`tend`); absent: no. */
  readonly tend?: boolean;
};

export type Gap = { readonly key: string; readonly nonce: number };
export type Confirmed = { readonly tend: boolean };

/** What the chain says of the address, in numbers of transactions. */
export type TendAsk = {
  readonly latest: number;
  /** With those that wait in the node's pool. */
  readonly pending: number;
  /** Those that no reorganisation takes back; null where the node does not say. */
  readonly final: number | null;
  /** A person wants to know of all, and it is done with what is lost. */
  readonly byPerson: boolean;
  /** Only what would be done. */
  readonly dryRun: boolean;
};
/** One that the signer has signed, for a run or to close a gap. */
export type OwnTx = { readonly key: string; readonly nonce: number; readonly hashes: readonly string[] };
export type Tended = {
  /** Not in the chain (any more): these go out again, lowest nonce first. */
  readonly resend: readonly (OwnTx & { readonly raw: string })[];
  /** Nonces that nobody has any more: they go to the next. */
  readonly released: readonly number[];
  readonly gap: Gap | null;
  /** Their nonces are used for good: whether by them, their receipts tell. */
  readonly check: readonly OwnTx[];
};
export type JudgeAsk = Pick<TendAsk, "byPerson" | "dryRun"> & {
  readonly found: readonly { readonly key: string; readonly nonce: number; readonly isMined: boolean }[];
};
/** Of those that were looked up. */
export type Judged = { readonly mined: readonly OwnTx[]; readonly lost: readonly OwnTx[] };

/** An address and the account that signs for it; no secret of it goes anywhere but to the node's own URL. */
export type LookAfterAsk = {
  readonly tenant: string;
  readonly chainId: number;
  readonly address: string;
  readonly account: {
    readonly name: string;
    readonly baseUrl: string | null;
    readonly credentials: { readonly [field: string]: string };
    readonly settings: JsonObject;
  };
  /** To which hosts the secrets of the account may go. */
  readonly bounds: readonly BoundSecret[];
  readonly dryRun: boolean;
};
export type LookedAfter =
  | ({ readonly ok: true; readonly chain: Pick<TendAsk, "latest" | "pending" | "final"> } & Tended & Judged)
  | { readonly ok: false; readonly error: ActionError };

/** What a person sees of an address. */
export type SignerOverview = {
  readonly next: number | null;
  readonly free: readonly number[];
  readonly reserved: readonly { readonly key: string; readonly nonce: number; readonly since: number }[];
  readonly inFlight: readonly (OwnTx & {
    readonly signedAt: number;
    readonly sentAt: number | null;
    readonly darkSince: number | null;
  })[];
  /** Mined, and kept until that is final. */
  readonly kept: readonly (OwnTx & { readonly minedAt: number; readonly lostAt: number | null })[];
  /** What the chain said last. */
  readonly seen: (Pick<TendAsk, "latest" | "pending" | "final"> & { readonly at: number }) | null;
  /** The nonce that the chain waits for and that nobody here can send. */
  readonly stuck: { readonly nonce: number; readonly since: number } | null;
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
  wait(ask: WaitAsk): Promise<Waiting>;
  /** The chain has the nonce behind it, and none of the hashes. */
  renew(ask: RenewAsk): Promise<Renewed>;
  /** The chain refused it for good: the nonce goes back, unless it may have been sent before. */
  giveBack(key: string): Promise<void>;
  /** Kept until it is final: a reorganisation may take it back. */
  confirm(key: string, receipt: TxReceipt): Promise<Confirmed | undefined>;
  /** It was mined and undone: the nonce is used up, and the run may begin anew. */
  fail(key: string): Promise<void>;
  /** What is to be done, given what the chain says of the address. */
  tend(ask: TendAsk): Promise<Tended>;
  judge(ask: JudgeAsk): Promise<Judged>;
  overview(): Promise<SignerOverview>;
};
