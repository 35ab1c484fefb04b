// Webhook signing keys: presents the keys and their rotations to operators.
import type { StoredRotation } from "#catalog/signing.ts";
import { keyVersionsOf } from "#policy/gates/signing.ts";
import { endpointOf, endpointShown, type SigningKey, TENANT_WIDE } from "#schema/outgoing/signing.ts";
import { accept, type Result, refuse } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { endpointKeys } from "./endpoint-keys.ts";
import { findRotations } from "./find-rotations.ts";

/** A receiver, named either by its URL or by the endpoint name that actions use. */
export type EndpointAsk = { readonly url: string } | { readonly endpoint: string };
export type EndpointKeys = { readonly endpoint: string; readonly keys: readonly SigningKey[] };

export async function getSigningKeys(
  deps: Deps,
  caller: TenantCaller,
  request: EndpointAsk,
): Promise<Result<EndpointKeys>> {
  const endpoint = requestedEndpoint(request);
  const keys = await endpointKeys(deps, caller.tenant, endpoint, await findRotations(deps.db, caller.tenant));
  return keys.length === 0 ? signsNothing() : accept({ endpoint: endpointShown(endpoint), keys });
}

export function requestedEndpoint(request: EndpointAsk): string {
  return "url" in request ? endpointOf(request.url) : request.endpoint;
}

export type SigningSecrets = { readonly secret: string; readonly previous: readonly string[] };

export async function getSigningSecret(deps: Deps, caller: TenantCaller): Promise<Result<SigningSecrets>> {
  const [secret, ...previous] = await deps.signingSecrets(caller.tenant, null);
  if (secret === undefined) return signsNothing();
  const { tenant } = await findRotations(deps.db, caller.tenant);
  const versions = keyVersionsOf({ tenant, endpoint: null }, deps.now());
  if (versions.some(({ generation }) => generation === TENANT_WIDE)) return accept({ secret, previous });
  return refuse({
    code: "not_found",
    message: "This tenant has no shared key: each receiver has its own key.",
    hint: "GET /v1/signing-keys?url=… (or ?endpoint=…) returns a receiver's keys.",
  });
}

export function signsNothing() {
  return refuse({
    code: "not_found",
    message: "This installation signs no webhooks.",
    hint: "Set the Worker secret SIGNING_KEY (wrangler secret put SIGNING_KEY) to sign webhooks.",
  });
}

export type RotationView = {
  readonly since: number;
  /** Until this time, in epoch ms, the previous key signs as well. Null if no previous key signs. */
  readonly previousUntil: number | null;
};
export type SigningView = {
  readonly mode: "endpoint" | "tenant";
  /** When all receivers were last rotated, in epoch ms. Null: the tenant still uses its original shared key. */
  readonly since: number | null;
  readonly previousUntil: number | null;
  /**
   * Whether the keys that sign until `previousUntil` are shared by the tenant or belong to one endpoint each. Null if
   * no earlier key signs.
   */
  readonly previousMode: "endpoint" | "tenant" | null;
  /** The receivers that were rotated separately, after the last rotation of all receivers. */
  readonly endpoints: readonly (RotationView & { readonly endpoint: string })[];
};

export async function getSigning(deps: Deps, caller: TenantCaller): Promise<Result<SigningView>> {
  const { tenant, endpoints } = await findRotations(deps.db, caller.tenant);
  if (tenant === null)
    return accept({ mode: "tenant", since: null, previousUntil: null, previousMode: null, endpoints: [] });
  const view = rotationView(tenant, deps.now());
  const before = tenant.previous === TENANT_WIDE ? "tenant" : "endpoint";
  const rotatedLater = [...endpoints.values()].filter(({ since }) => since > tenant.since);
  return accept({
    mode: "endpoint",
    ...view,
    previousMode: view.previousUntil === null ? null : before,
    endpoints: rotatedLater.map((row) => ({ endpoint: row.shown, ...rotationView(row, deps.now()) })),
  });
}

export function rotationView({ since, previousUntil }: StoredRotation, now: number): RotationView {
  return { since, previousUntil: previousUntil > now ? previousUntil : null };
}
