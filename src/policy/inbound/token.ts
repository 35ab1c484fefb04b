// The token in an address: which trigger it opens, and of which generation it is. That it is genuine its proof says
// (`src/services/triggers/hook-token.ts`); what is here needs no look at anything.
import type { TriggerStanding } from "#schema/inbound/trigger.ts";
import { fromBase64Url, textOf, utf8 } from "./bytes.ts";

export type TokenIds = { readonly tenant: string; readonly trigger: string; readonly generation: number };

export function tokenText(ids: TokenIds, proof: Uint8Array): string {
  return `${toBase64Url(utf8(claimText(ids)))}.${toBase64Url(proof)}`;
}

/** What its proof is a proof of. */
export function claimText({ tenant, trigger, generation }: TokenIds): string {
  return `${tenant}/${trigger}/${generation}`;
}

/** null: it cannot be one. What is read here is believed only with its proof. */
export function parseToken(token: string): { readonly ids: TokenIds; readonly proof: Uint8Array } | null {
  const [, claim = "", proof = ""] = /^([A-Za-z0-9_-]{1,300})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? [];
  const [bytes, proven] = [fromBase64Url(claim), fromBase64Url(proof)];
  const [, tenant = "", trigger = "", generation = ""] =
    /^([a-z0-9-]{1,63})\/(trg_[0-9A-Za-z]{1,60})\/(\d{1,9})$/.exec((bytes && textOf(bytes)) ?? "") ?? [];
  if (proven === null || tenant === "") return null;
  return { ids: { tenant, trigger, generation: Number(generation) }, proof: proven };
}

/** Whether a genuine token still opens its trigger. */
export function opens(generation: number, { disabled, token }: TriggerStanding, now: number): boolean {
  if (disabled !== null) return false;
  return generation === token.generation || (generation === token.generation - 1 && now < token.previousUntil);
}

export function rotatedToken({ token }: TriggerStanding, now: number, overlapMs: number): TriggerStanding["token"] {
  return { generation: token.generation + 1, previousUntil: now + overlapMs };
}

function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
