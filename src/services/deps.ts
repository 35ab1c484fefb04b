// What every use case is given: clock, chance, the catalog, the cells, and what the runners say about themselves.
import type { z } from "zod";
import type { Db } from "#catalog/db.ts";
import type { ComputationSlots } from "#policy/computing/computation-slots.ts";
import type { Cell } from "#schema/engine/cell.ts";
import type { Directory } from "#schema/directory/calls.ts";
import type { Gate } from "#schema/gate.ts";
import type { Destination } from "#schema/destination.ts";
import type { Actor } from "#schema/engine/input.ts";
import type { Repeats } from "#schema/repeats.ts";
import type { TriggerPort } from "#schema/inbound/delivery.ts";
import type { JsonObject } from "#schema/json.ts";
import type { Operation } from "#schema/operation.ts";
import type { Installation } from "#schema/engine/installation.ts";
import type { Recurring } from "#schema/recurring/calls.ts";
import type { Meter } from "#schema/quota.ts";
import type { OutboundAnswer, OutboundCall } from "#schema/provider/outbound.ts";
import type { Finding } from "#schema/refusal.ts";
import type { Rehearsal, Lookups } from "#schema/rehearsal.ts";
import type { LookAfterAsk, LookedAfter, Signer } from "#schema/signer.ts";
import type { Subject } from "#schema/subject/calls.ts";
import type { RetryPreset } from "#schema/definition/retry.ts";

/** What definitions need to know of a runner; the runners themselves stay out of this room. */
export type ActionType = {
  readonly config: z.ZodType;
  readonly timeoutMs: number;
  readonly retryPolicy: RetryPreset;
  /** Set where its actions can go that way only. */
  readonly lane?: "queue";
};

export type SignJwt = (
  algorithm: "RS256" | "ES256",
  privateKey: string,
  claims: JsonObject,
  header: JsonObject,
) => Promise<string | null>;

export type Deps = {
  readonly now: () => number;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly db: Db;
  /** Under an Idempotency-Key: what the change about to be written will be answered with, kept in the same batch. */
  readonly answerWith?: (value: unknown) => void;
  /** By cell name (see placement.ts). */
  readonly cell: (name: string) => Cell;
  /** The object that stands before a connection, by `<tenant>/<connection id>`. */
  readonly gate: (name: string) => Gate;
  /** The object of an operation over many dead letters, by `<tenant>/<operation id>`. */
  readonly operation: (name: string) => Operation;
  /** The object of a recurring action, by `<tenant>/<recurring id>`. */
  readonly recurring: (name: string) => Recurring;
  /** Whether this installation lets anything recur. */
  readonly isRecurringOn: boolean;
  /** The object of a trigger, by `<tenant>/<trigger id>`. */
  readonly trigger: (name: string) => TriggerPort;
  /** A part of a tenant's directory, by `<tenant>/<number>` (services/events/directories.ts). */
  readonly directory: (name: string) => Directory;
  /** The object of a subject, by `<tenant>/<subject key>`. */
  readonly subject: (name: string) => Subject;
  /** The object that meters what a tenant uses, by the tenant's id. */
  readonly meter: (tenant: string) => Meter;
  /** What gives out the nonces of one of a tenant's addresses (in small letters) on one chain. */
  readonly signer: (tenant: string, chainId: number, address: string) => Signer;
  /** Looks after such an address: asks the chain, sends again what fell out of it, closes gaps. */
  readonly lookAfter: (asked: LookAfterAsk) => Promise<LookedAfter>;
  /** Of a chain that is known by name; null of any other. */
  readonly chainIdOf: (network: string) => number | null;
  readonly callOut: (call: OutboundCall) => Promise<OutboundAnswer>;
  /** Opens an execution's live stream for the holder of a key, by its id (null: the root key). The answer passes through untouched. */
  readonly live: (cell: string, execution: string, key: string | null, upgrade: Request) => Promise<Response>;
  readonly actionTypes: { readonly [type: string]: ActionType };
  /** True only for local work: connections and actions may be written with http: and loopback addresses. */
  readonly allowLoopback: boolean;
  /** What is wrong with an action's config before it is rendered; pointers are relative to the config. */
  readonly configFindings: (type: string, config: JsonObject) => readonly Finding[];
  /** How a run of this rendered config repeats. */
  readonly repeatsOf: (type: string, config: JsonObject) => Repeats;
  /** Carries attempts out with nothing behind them. */
  readonly rehearse: (lookups: Lookups) => Rehearsal;
  /** To whom a config goes, rendered or still a template; null where nobody knows the type. */
  readonly destinationOf: (type: string, config: JsonObject) => Destination | null;
  /**
   * What webhooks are signed with: a receiver's secrets, or (null) those that all of a tenant's receivers have in common.
   * One for each of the installation's keys, the current one first; none where it signs nothing.
   */
  readonly signingSecrets: (tenant: string, receiver: Receiver | null) => Promise<readonly string[]>;
  /** What tokens of hooks are proven with: one for each of the installation's keys, the current one first. */
  readonly hookTokenSecrets: () => Promise<readonly string[]>;
  /** A JSON Web Token, signed with a private key in PEM; null where that is no key of this kind. */
  readonly signJwt: SignJwt;
  /** The keyring that secrets are sealed with (services/secrets/sealing.ts); null where the installation has none. */
  readonly secretsKeys: string | null;
  readonly rootKey: string;
  /** What the Worker was deployed with. */
  readonly installation: Installation;
  /** What goes on after the answer, and whose failure changes nothing of it. */
  readonly background: (work: Promise<unknown>) => void;
  /** Lets the isolate do what else it has to do, before a long reckoning goes on. */
  readonly breathe: () => Promise<void>;
  /** The slots of the long computations that run in this isolate. */
  readonly computations: ComputationSlots;
  readonly log: (line: { readonly [key: string]: unknown }) => void;
};

/** A receiver of webhooks, in one generation of its key (schema/outgoing/signing.ts). */
export type Receiver = { readonly endpoint: string; readonly generation: number };

export const scopes = ["read", "write", "tasks", "operate", "admin"] as const;
export type Scope = (typeof scopes)[number];

/** Who is calling. The tenant comes from the credential; the root key names one per request or none. */
export type Caller = { readonly actor: Actor; readonly tenant: string | null; readonly scopes: readonly Scope[] };

/** Who is calling, about what one tenant has. The guard of the routes hands it over; nobody behind it asks again. */
export type TenantCaller = Caller & { readonly tenant: string };
