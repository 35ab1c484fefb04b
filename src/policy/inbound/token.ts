// Formats and parses the token in an inbound URL, which names the trigger and a key version.
// src/services/triggers/hook-token.ts verifies the proof in the token.
import type { TriggerStanding } from "#schema/inbound/trigger.ts";
import { fromBase64Url, textOf, toBase64Url, utf8 } from "./bytes.ts";

export type TokenIds = { readonly tenant: string; readonly trigger: string; readonly generation: number };

export function tokenText(ids: TokenIds, proof: Uint8Array): string {
  return `${toBase64Url(utf8(claimText(ids)))}.${toBase64Url(proof)}`;
}

/** Returns the text that the proof in the token signs. */
export function claimText({ tenant, trigger, generation }: TokenIds): string {
  return `${tenant}/${trigger}/${generation}`;
}

/** Parses a token; null if its format is invalid. The caller must verify the proof before it uses the ids. */
export function parseToken(token: string): { readonly ids: TokenIds; readonly proof: Uint8Array } | null {
  const [, claim = "", proof = ""] = /^([A-Za-z0-9_-]{1,300})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? [];
  const [bytes, proven] = [fromBase64Url(claim), fromBase64Url(proof)];
  const [, tenant = "", trigger = "", generation = ""] =
    /^([a-z0-9-]{1,63})\/(trg_[0-9A-Za-z]{1,60})\/(\d{1,9})$/.exec((bytes && textOf(bytes)) ?? "") ?? [];
  if (proven === null || tenant === "") return null;
  return { ids: { tenant, trigger, generation: Number(generation) }, proof: proven };
}

/** Returns whether the trigger still accepts a token whose proof is valid. */
export function isTokenAccepted(generation: number, { disabled, token }: TriggerStanding, now: number): boolean {
  if (disabled !== null) return false;
  return generation === token.generation || (generation === token.generation - 1 && now < token.previousUntil);
}

export function rotatedToken({ token }: TriggerStanding, now: number, overlapMs: number): TriggerStanding["token"] {
  return { generation: token.generation + 1, previousUntil: now + overlapMs };
}
