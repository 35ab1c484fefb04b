// Token encryption: encrypts access tokens and token requests for one connection. The connection's object stores the
// encrypted tokens and forwards the encrypted requests, but cannot read them.
import type { BoundSecret } from "#schema/outgoing/bound-secret.ts";
import type { TokenRequest } from "#schema/provider/oauth.ts";
import type { Deps } from "../deps.ts";
import { IV_BYTES, openKeyring, seal, unseal, type Sealed } from "../secrets/sealing.ts";

type TokenScope = { readonly tenant: string; readonly connection: string };
type SealDeps = Pick<Deps, "secretsKeys" | "randomBytes">;

/** Encrypts a token; null if the installation has no encryption keys. */
export function sealToken(deps: SealDeps, about: TokenScope, text: string): Promise<string | null> {
  return sealText(deps, tokenScope(about), text);
}

/** Decrypts a token. Returns null if its key was removed, or if it was encrypted for another connection. */
export function openToken(deps: Pick<Deps, "secretsKeys">, about: TokenScope, sealed: string): Promise<string | null> {
  return openText(deps, tokenScope(about), sealed);
}

/** A token request, and the host restrictions of its secrets. */
export type SealedGrant = { readonly request: TokenRequest; readonly bounds: readonly BoundSecret[] };

/** Encrypts a token request; null if the installation has no encryption keys. */
export function sealGrant(deps: SealDeps, about: TokenScope, grant: SealedGrant): Promise<string | null> {
  return sealText(deps, grantScope(about), JSON.stringify(grant));
}

export async function openGrant(
  deps: Pick<Deps, "secretsKeys">,
  about: TokenScope,
  sealed: string,
): Promise<SealedGrant | null> {
  const text = await openText(deps, grantScope(about), sealed);
  return text === null ? null : (JSON.parse(text) as SealedGrant); // sealGrant wrote a SealedGrant as JSON.
}

async function sealText(deps: SealDeps, about: readonly string[], text: string): Promise<string | null> {
  const ring = await openKeyring(deps.secretsKeys);
  return ring.ok ? JSON.stringify(await seal(ring.value, about, text, deps.randomBytes(IV_BYTES))) : null;
}

async function openText(
  deps: Pick<Deps, "secretsKeys">,
  about: readonly string[],
  sealed: string,
): Promise<string | null> {
  const ring = await openKeyring(deps.secretsKeys);
  if (!ring.ok) return null;
  const opened = await unseal(ring.value, about, JSON.parse(sealed) as Sealed); // sealText wrote a Sealed as JSON.
  return opened.ok ? opened.text : null;
}

function tokenScope({ tenant, connection }: TokenScope): readonly string[] {
  return ["connection-token", tenant, connection];
}

function grantScope({ tenant, connection }: TokenScope): readonly string[] {
  return ["token-request", tenant, connection];
}
