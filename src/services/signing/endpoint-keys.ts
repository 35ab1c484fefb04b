// Endpoint signing keys: finds the keys that currently sign messages to one receiver.
import { keyVersionsOf } from "#policy/gates/signing.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import { TENANT_WIDE, type SignFor, type SigningKey } from "#schema/outgoing/signing.ts";
import { catalogOutage } from "../catalog-outage.ts";
import type { Deps } from "../deps.ts";
import { cachedRotations, receiverOf, type Rotations } from "./find-rotations.ts";

export type SigningDeps = Pick<Deps, "db" | "now" | "log" | "signingSecrets">;
export type RunSigning = (
  by: SignFor,
) => Promise<
  | { readonly ok: true; readonly secrets: readonly string[] }
  | { readonly ok: false; readonly failure: { readonly error: ActionError } }
>;

/**
 * Returns the receiver's keys, the newest key version first. Within each version, the key that is derived from the
 * installation's current key comes first.
 */
export async function endpointKeys(
  deps: Pick<Deps, "now" | "signingSecrets">,
  tenant: string,
  endpoint: string,
  rotations: Rotations,
): Promise<readonly SigningKey[]> {
  // Most tenants have rotated the key of no single receiver. So the endpoint is hashed only if the tenant has such a
  // rotation.
  const ownRotation =
    rotations.endpoints.size === 0 ? null : (rotations.endpoints.get(await receiverOf(endpoint)) ?? null);
  const generations = keyVersionsOf({ tenant: rotations.tenant, endpoint: ownRotation }, deps.now());
  const keys: SigningKey[] = [];
  // The secrets are derived one after the other. Isolates cache them, so that this takes hardly any time.
  for (const { generation, until } of generations) {
    const isWide = generation === TENANT_WIDE;
    const secrets = await deps.signingSecrets(tenant, isWide ? null : { endpoint, generation });
    const scope = isWide
      ? ({ kind: "tenant", since: null } as const)
      : ({ kind: "endpoint", since: generation } as const);
    for (const secret of secrets) keys.push({ secret, ...scope, until });
  }
  return keys;
}

/**
 * Opens the signing of one attempt. The keys that it uses are added to `secrets`, so that they are redacted everywhere.
 */
export function signingFor(deps: SigningDeps, tenant: string, secrets: string[]): RunSigning {
  const signWith = (keys: readonly string[]) => {
    secrets.push(...keys);
    return { ok: true, secrets: keys } as const;
  };
  return async (by) => {
    if ("own" in by) return signWith(by.own.split(/\s+/).filter(Boolean));
    // An installation without signing keys signs nothing, so it needs no lookup of rotations.
    if ((await deps.signingSecrets(tenant, null)).length === 0) return signWith([]);
    try {
      const keys = await endpointKeys(deps, tenant, by.endpoint, await cachedRotations(deps, tenant));
      return signWith(keys.map(({ secret }) => secret));
    } catch (cause) {
      deps.log({ level: "error", event: "signing_keys_not_read", tenant, message: String(cause) });
      return {
        ok: false,
        failure: { error: catalogOutage(cause, "the catalog does not answer, so signing keys cannot be looked up") },
      };
    }
  };
}
