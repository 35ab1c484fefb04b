// Hook keys: the keys in a stored secret, padded to a number that does not reveal how many there are, or whether there
// are any.
import { HOOK_KEYS_COMPARED } from "#schema/limits/inbound.ts";
import type { Deps } from "../deps.ts";

/** Keys of DocuSign have no spaces. */
export const bySpace = /\s+/;
/** Other keys may be sentences: each of their words would be far easier to guess. */
export const byLine = /\s*\n\s*/;

/** Random padding matches nothing. `value`: null if there is no such secret. */
export function keysIn(
  value: string | null,
  parting: RegExp,
  { randomBytes }: Pick<Deps, "randomBytes">,
): readonly string[] {
  const kept = (value ?? "").split(parting).filter(Boolean);
  const places = Math.max(1, Math.ceil(kept.length / HOOK_KEYS_COMPARED)) * HOOK_KEYS_COMPARED;
  const madeUp = Array.from({ length: places - kept.length }, () => hex(randomBytes(32)));
  return [...kept, ...madeUp];
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
