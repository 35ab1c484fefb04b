// Short-lived tokens: format and parse the tokens that a key gives to an embedded page. A token names its key, its
// scopes and when it expires. src/services/caller/short-lived-tokens.ts verifies the proof in the token.
import { fromBase64Url, textOf, toBase64Url, utf8 } from "../inbound/bytes.ts";

export const TOKEN_PREFIX = "est_";

export type TokenClaim = {
  readonly tenant: string;
  /** The id of the API key that issued the token. */
  readonly key: string;
  readonly scopes: readonly string[];
  /** When the token expires, in epoch ms. */
  readonly until: number;
  /** The only execution that the token may read; null: the token has no such restriction. */
  readonly execution: string | null;
};

/** Returns the text that the proof in the token signs. Its beginning distinguishes it from all other signed tokens. */
export function claimText({ tenant, key, scopes, until, execution }: TokenClaim): string {
  return `access/${tenant}/${key}/${scopes.join(",")}/${until}/${execution ?? ""}`;
}

export function tokenText(claim: TokenClaim, proof: Uint8Array): string {
  return `${TOKEN_PREFIX}${toBase64Url(utf8(claimText(claim)))}.${toBase64Url(proof)}`;
}

/** Parses a token; null if its format is invalid. The caller must verify the proof before it uses the claim. */
export function parseToken(token: string): { readonly claim: TokenClaim; readonly proof: Uint8Array } | null {
  const [, text = "", proof = ""] = TOKEN.exec(token) ?? [];
  const [bytes, proven] = [fromBase64Url(text), fromBase64Url(proof)];
  const [, tenant, key, scopes = "", until, execution = ""] = CLAIM.exec((bytes && textOf(bytes)) ?? "") ?? [];
  if (proven === null || tenant === undefined || key === undefined) return null;
  const claim = { tenant, key, scopes: scopes.split(","), until: Number(until) };
  return { claim: { ...claim, execution: execution === "" ? null : execution }, proof: proven };
}

const TOKEN = /^est_([A-Za-z0-9_-]{1,400})\.([A-Za-z0-9_-]{43})$/;
const CLAIM =
  /^access\/([a-z0-9-]{1,63})\/(key_[A-Za-z0-9]{1,40})\/([a-z,]{1,60})\/(\d{1,16})\/(|exe_[A-Za-z0-9_-]{1,96})$/;
