// Hook keys: splits a stored secret into its keys. It pads their number with random keys, so that the response time
// does not reveal how many keys there are.
import { HOOK_KEYS_COMPARED } from "#schema/limits/inbound/trigger-requests.ts";
import type { Deps } from "../deps.ts";

/** The separator of DocuSign's keys in one secret. DocuSign's keys contain no spaces. */
export const bySpace = /\s+/;
/**
 * The separator of all other keys in one secret. Such a key may be a sentence. Splitting it at spaces would make each
 * word a key that is easy to guess.
 */
export const byLine = /\s*\n\s*/;

/** Returns the keys, padded with random keys that match no signature. `value` is null if the secret is not set. */
export function keysIn(
  value: string | null,
  separator: RegExp,
  { randomBytes }: Pick<Deps, "randomBytes">,
): readonly string[] {
  const storedKeys = (value ?? "").split(separator).filter(Boolean);
  const keyCount = Math.max(1, Math.ceil(storedKeys.length / HOOK_KEYS_COMPARED)) * HOOK_KEYS_COMPARED;
  const padding = Array.from({ length: keyCount - storedKeys.length }, () => hex(randomBytes(32)));
  return [...storedKeys, ...padding];
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
