// The keys that a stored secret holds, made up to a number that does not tell how many there are, or whether there are any.
import { HOOK_KEYS_COMPARED } from "#schema/limits/inbound.ts";
import type { Deps } from "../deps.ts";

/** `value`: keys with spaces between, or null where there is no such secret. What is made up by chance fits nothing. */
export function keysIn(
  value: string | null,
  { randomBytes }: Pick<Deps, "randomBytes">,
  isWhole = false,
): readonly string[] {
  const kept = value === null ? [] : isWhole ? [value] : value.split(/\s+/).filter(Boolean);
  const places = Math.max(1, Math.ceil(kept.length / HOOK_KEYS_COMPARED)) * HOOK_KEYS_COMPARED;
  const madeUp = Array.from({ length: places - kept.length }, () => hex(randomBytes(32)));
  return [...kept, ...madeUp];
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
