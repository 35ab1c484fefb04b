// Short-lived tokens: a key gives a page a token with fewer rights, for minutes. Tokens are signed and not stored, so
// that a page view costs no row. A token ends with its key.
import { isEqual, utf8 } from "#policy/inbound/bytes.ts";
import { claimText, parseToken, type TokenClaim, tokenText } from "#policy/access/short-lived-token.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Deps, Scope, TenantCaller } from "../deps.ts";

export type IssueToken = {
  readonly scopes: readonly Scope[];
  /** The lifetime in ms. */
  readonly lifetime: number;
  readonly execution: string | null;
};
export type IssuedToken = {
  readonly token: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number;
  readonly execution: string | null;
};

export async function issueToken(deps: Deps, caller: TenantCaller, input: IssueToken): Promise<Result<IssuedToken>> {
  if (caller.actor.kind !== "key" || caller.via !== undefined) return refuse(keyNeeded);
  const missing = input.scopes.filter((scope) => !caller.scopes.includes(scope));
  if (missing.length > 0) return refuse(scopesMissing(missing));
  const [secret] = await deps.hookTokenSecrets();
  if (secret === undefined) return refuse(secretMissing);
  const { scopes, execution } = input;
  const expiresAt = deps.now() + input.lifetime;
  const claim = { tenant: caller.tenant, key: caller.actor.id, scopes, until: expiresAt, execution };
  return accept({ token: tokenText(claim, await proofOf(secret, claim)), scopes, expiresAt, execution });
}

/** Returns the claim of a token that this installation issued and that has not expired; otherwise null. */
export async function readShortLivedToken(deps: Deps, token: string): Promise<TokenClaim | null> {
  const parsed = parseToken(token);
  if (parsed === null || parsed.claim.until <= deps.now()) return null;
  const secrets = await deps.hookTokenSecrets();
  const proofs = await Promise.all(secrets.map((secret) => proofOf(secret, parsed.claim)));
  return proofs.filter((proof) => isEqual(proof, parsed.proof)).length > 0 ? parsed.claim : null;
}

async function proofOf(secret: string, claim: TokenClaim): Promise<Uint8Array> {
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", utf8(secret), hmac, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8(claimText(claim))));
}

const keyNeeded = {
  code: "scope_missing",
  message: "Only an API key of a tenant may issue tokens: the root key, sessions and tokens may not.",
  hint: "Call this endpoint from your server, with an API key that has the scopes of the token.",
} as const;

function scopesMissing(missing: readonly Scope[]) {
  const message = `The key does not have ${missing.join(", ")} itself.`;
  return {
    code: "scope_missing",
    message,
    hint: "A token has at most the scopes of its key.",
    errors: [{ pointer: "/scopes", code: "scope_missing", message }],
    details: { scope: missing[0] ?? "" },
  } as const;
}

const secretMissing = {
  code: "not_configured",
  message: "This installation has no key that signs tokens.",
  hint: "Set the Worker secret SIGNING_KEY (wrangler secret put SIGNING_KEY).",
} as const;
