// Use-case dependencies: clock, randomness, the catalog, the ports to objects, and facts about the runners. index.ts
// builds them; tests pass their own.
import type { z } from "zod";
import type { Db } from "#catalog/db.ts";
import type { Computing } from "./computing/compute.ts";
import type { ComputationSlots } from "#policy/computing/computation-slots.ts";
import type { Cell } from "#schema/engine/cell.ts";
import type { Directory } from "#schema/directory/calls.ts";
import type { Gate } from "#schema/gate.ts";
import type { Destination } from "#schema/destination.ts";
import type { Actor } from "#schema/engine/input.ts";
import type { IdempotencySupport } from "#schema/idempotency-support.ts";
import type { TriggerPort } from "#schema/inbound/delivery.ts";
import type { JsonObject } from "#schema/json.ts";
import type { Operation } from "#schema/operation.ts";
import type { Installation } from "#schema/engine/installation.ts";
import type { Recurring } from "#schema/recurring/calls.ts";
import type { Meter } from "#schema/quota.ts";
import type { BindingNames } from "#schema/outgoing/bound-names.ts";
import type { OutboundAnswer, OutboundCall } from "#schema/provider/outbound.ts";
import type { Finding } from "#schema/refusal.ts";
import type { Rehearsal, Lookups } from "#schema/rehearsal.ts";
import type { MaintainAddressRequest, MaintainAddressAnswer, Signer } from "#schema/signer.ts";
import type { KeyLimitsPort } from "#schema/key-limits/calls.ts";
import type { Subject } from "#schema/subject/calls.ts";
import type { RetryPreset } from "#schema/definition/retry.ts";

/** The facts about a runner that checks of definitions need. Services may not import the runners themselves. */
export type ActionType = {
  readonly config: z.ZodType;
  readonly timeoutMs: number;
  readonly retryPolicy: RetryPreset;
  /** "queue" if actions of this type must use the queue. Absent if they may use either lane. */
  readonly lane?: "queue";
  /** What the runner may do, such as email:send. */
  readonly permissions?: readonly string[];
  /** Whether the provider detects repeated calls. The config or the connection may change it. */
  readonly repeats?: IdempotencySupport;
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
  /**
   * Set only for a request with an Idempotency-Key. It receives the answer before the change is made, so that one
   * catalog batch stores both.
   */
  readonly answerWith?: (value: unknown) => void;
  /** The object of a cell, by cell name (services/cells/ids-and-cells.ts). */
  readonly cell: (name: string) => Cell;
  /** The object of a connection's gate, by `<tenant>/<connection id>`. */
  readonly gate: (name: string) => Gate;
  /** The object of an operation, by `<tenant>/<operation id>`. */
  readonly operation: (name: string) => Operation;
  /** The object of a recurring action, by `<tenant>/<recurring action id>`. */
  readonly recurring: (name: string) => Recurring;
  /** Whether this installation supports recurring actions. */
  readonly isRecurringOn: boolean;
  /** The object of a trigger, by `<tenant>/<trigger id>`. */
  readonly trigger: (name: string) => TriggerPort;
  /**
   * One of a tenant's directory objects, by `<tenant>/<number>`. services/events/published-events.ts computes the
   * number.
   */
  readonly directory: (name: string) => Directory;
  /** The object of a subject, by `<tenant>/<subject key>`. */
  readonly subject: (name: string) => Subject;
  /** One of the objects of a limit by key. services/key-limits/shards.ts computes the name. */
  readonly keyLimits: (name: string) => KeyLimitsPort;
  /** The object that meters a tenant's usage, by the tenant's id. */
  readonly meter: (tenant: string) => Meter;
  /** The object that assigns the nonces of a tenant's blockchain address on one chain. The address is in lower case. */
  readonly signer: (tenant: string, chainId: number, address: string) => Signer;
  /**
   * Maintains a blockchain address that signs transactions: queries the chain, resends dropped transactions, and closes
   * nonce gaps.
   */
  readonly maintainAddress: (request: MaintainAddressRequest) => Promise<MaintainAddressAnswer>;
  /** Returns the id of a chain known by name; null for an unknown name. */
  readonly chainIdOf: (network: string) => number | null;
  readonly callOut: (call: OutboundCall) => Promise<OutboundAnswer>;
  /** Opens an execution's live stream. Returns the object's answer unchanged. */
  readonly live: (cell: string, execution: string, watcher: Watcher, upgrade: Request) => Promise<Response>;
  readonly actionTypes: { readonly [type: string]: ActionType };
  /** The Workers and databases that actions may use. */
  readonly bindings: BindingNames;
  /** True only for local development: connections and actions may then use http: and loopback addresses. */
  readonly allowLoopback: boolean;
  /** Returns the findings about an action's config before rendering. Their pointers are relative to the config. */
  readonly configFindings: (type: string, config: JsonObject) => readonly Finding[];
  /** Returns whether the provider recognizes a repeated call with this rendered config as a repeat. */
  readonly repeatsOf: (type: string, config: JsonObject) => IdempotencySupport;
  /** Opens a rehearsal, which executes attempts without calling a provider. */
  readonly rehearse: (lookups: Lookups) => Rehearsal;
  /**
   * Returns the recipient that a config names. The config may be rendered or contain templates. Null for an unknown
   * action type.
   */
  readonly destinationOf: (type: string, config: JsonObject) => Destination | null;
  /**
   * Returns the webhook signing keys of a receiver. If the receiver is null: the keys that all receivers of the tenant
   * share. Each of the installation's keys gives one signing key, the current one first. Empty if the installation does
   * not sign.
   */
  readonly signingSecrets: (tenant: string, receiver: Receiver | null) => Promise<readonly string[]>;
  /**
   * Returns the secrets that sign the tokens in hook URLs. Each of the installation's keys gives one secret, the
   * current one first.
   */
  readonly hookTokenSecrets: () => Promise<readonly string[]>;
  /** Returns the secrets that encrypt the tokens in unsubscribe links, the current one first. */
  readonly unsubscribeSecrets: () => Promise<readonly string[]>;
  /** Signs a JSON Web Token with a private key in PEM. Returns null if the key is not valid. */
  readonly signJwt: SignJwt;
  /** The keyring that encrypts secrets (services/secrets/sealing.ts); null if the installation has none. */
  readonly secretsKeys: string | null;
  readonly rootKey: string;
  /** The Worker's deployment settings. */
  readonly installation: Installation;
  /** Continues work after the response was sent. If the work fails, the response is not affected. */
  readonly background: (work: Promise<unknown>) => void;
  /** Yields to the isolate's other work before a long computation continues. */
  readonly yieldToOthers: () => Promise<void>;
  /** The slots of the long computations that run in this isolate. */
  readonly computations: ComputationSlots;
  /** Set only while one request checks several definitions. They then share one slot and one budget. */
  readonly computing?: Computing;
  readonly log: (line: { readonly [key: string]: unknown }) => void;
};

/**
 * The caller that watches a live stream. `key`: the id of the API key or of the session; null for the root key. `until`:
 * when the caller's credential expires, in epoch ms; null if it does not.
 */
export type Watcher = { readonly key: string | null; readonly until: number | null; readonly showsPayloads: boolean };

/** A receiver of webhooks, with the version of its signing key (schema/outgoing/signing.ts). */
export type Receiver = { readonly endpoint: string; readonly generation: number };

export const scopes = ["read", "payloads", "write", "tasks", "operate", "admin"] as const;
export type Scope = (typeof scopes)[number];

/**
 * The authenticated caller of a request. An API key belongs to one tenant. The root key belongs to none, but may name a
 * tenant in each request.
 */
export type Caller = {
  readonly actor: Actor;
  readonly tenant: string | null;
  readonly scopes: readonly Scope[];
  /** What the request used instead of the key itself. Absent: the key. */
  readonly via?: "session" | "token";
  /** The id of the request's session. */
  readonly session?: string;
  /** The only execution that the request may read. Only a token has this restriction. */
  readonly execution?: string;
  /** When the key, session or token expires. */
  readonly expiresAt?: number;
};

/**
 * The caller of a request about one tenant's data. The guard of the routes sets the tenant, so later code does not
 * check it again.
 */
export type TenantCaller = Caller & { readonly tenant: string };
