// Use-case dependencies: clock, randomness, the catalog, the cells, and facts about the runners.
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
import type { MaintainAsk, Maintained, Signer } from "#schema/signer.ts";
import type { Subject } from "#schema/subject/calls.ts";
import type { RetryPreset } from "#schema/definition/retry.ts";

/** What definitions need to know of a runner; the runners themselves stay out of this room. */
export type ActionType = {
  readonly config: z.ZodType;
  readonly timeoutMs: number;
  readonly retryPolicy: RetryPreset;
  /** Set if its actions can only use that lane. */
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
  /** Under an Idempotency-Key: records the answer to the next change, stored in the same batch. */
  readonly answerWith?: (value: unknown) => void;
  /** By cell name (see placement.ts). */
  readonly cell: (name: string) => Cell;
  /** The object of a connection's gate, by `<tenant>/<connection id>`. */
  readonly gate: (name: string) => Gate;
  /** The object of an operation over many dead letters, by `<tenant>/<operation id>`. */
  readonly operation: (name: string) => Operation;
  /** The object of a recurring action, by `<tenant>/<recurring id>`. */
  readonly recurring: (name: string) => Recurring;
  /** Whether this installation supports recurring actions. */
  readonly isRecurringOn: boolean;
  /** The object of a trigger, by `<tenant>/<trigger id>`. */
  readonly trigger: (name: string) => TriggerPort;
  /** A part of a tenant's directory, by `<tenant>/<number>` (services/events/directories.ts). */
  readonly directory: (name: string) => Directory;
  /** The object of a subject, by `<tenant>/<subject key>`. */
  readonly subject: (name: string) => Subject;
  /** The object that meters what a tenant uses, by the tenant's id. */
  readonly meter: (tenant: string) => Meter;
  /** The object that assigns the nonces of one of a tenant's addresses (lower-case) on one chain. */
  readonly signer: (tenant: string, chainId: number, address: string) => Signer;
  /** Maintains such an address: queries the chain, resends dropped transactions, closes gaps. */
  readonly maintainAddress: (asked: MaintainAsk) => Promise<Maintained>;
  /** For a chain known by name; null otherwise. */
  readonly chainIdOf: (network: string) => number | null;
  readonly callOut: (call: OutboundCall) => Promise<OutboundAnswer>;
  /**
   * Opens an execution's live stream for the holder of a key, by its id (null: the root key). The answer is passed on
   * unchanged.
   */
  readonly live: (cell: string, execution: string, key: string | null, upgrade: Request) => Promise<Response>;
  readonly actionTypes: { readonly [type: string]: ActionType };
  /** True only for local development: connections and actions may use http: and loopback addresses. */
  readonly allowLoopback: boolean;
  /** Findings about an action's config before it is rendered; pointers are relative to the config. */
  readonly configFindings: (type: string, config: JsonObject) => readonly Finding[];
  /** The repeat safety of a run of this rendered config. */
  readonly repeatsOf: (type: string, config: JsonObject) => Repeats;
  /** Executes attempts without any effect. */
  readonly rehearse: (lookups: Lookups) => Rehearsal;
  /** The recipient of a config, rendered or still a template; null for an unknown type. */
  readonly destinationOf: (type: string, config: JsonObject) => Destination | null;
  /**
   * Webhook signing keys: a receiver's secrets, or (null) those shared by all of a tenant's receivers. One for each of
   * the installation's keys, the current one first; empty if it signs nothing.
   */
  readonly signingSecrets: (tenant: string, receiver: Receiver | null) => Promise<readonly string[]>;
  /** The secrets behind the tokens of hooks: one for each of the installation's keys, the current one first. */
  readonly hookTokenSecrets: () => Promise<readonly string[]>;
  /** A JSON Web Token, signed with a private key in PEM; null if that is not a valid key. */
  readonly signJwt: SignJwt;
  /** The keyring that encrypts secrets (services/secrets/sealing.ts); null if the installation has none. */
  readonly secretsKeys: string | null;
  readonly rootKey: string;
  /** The Worker's deployment settings. */
  readonly installation: Installation;
  /** Work after the answer, whose failure does not affect it. */
  readonly background: (work: Promise<unknown>) => void;
  /** Yields to the isolate's other work, before a long computation continues. */
  readonly yieldToOthers: () => Promise<void>;
  /** The slots of the long computations that run in this isolate. */
  readonly computations: ComputationSlots;
  readonly log: (line: { readonly [key: string]: unknown }) => void;
};

/** A receiver of webhooks, with one version of its key (schema/outgoing/signing.ts). */
export type Receiver = { readonly endpoint: string; readonly generation: number };

export const scopes = ["read", "write", "tasks", "operate", "admin"] as const;
export type Scope = (typeof scopes)[number];

/** The caller. The tenant comes from the credential; the root key names one per request or none. */
export type Caller = { readonly actor: Actor; readonly tenant: string | null; readonly scopes: readonly Scope[] };

/**
 * The caller of a request about one tenant's data. The guard of the routes sets it; later code does not check again.
 */
export type TenantCaller = Caller & { readonly tenant: string };
