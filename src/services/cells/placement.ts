// Where an execution lives. The id alone tells: pooled ids end in `_p<cell>`, so routing looks nothing up and the
// pool can grow at any time. Own executions are a cell to themselves.
import type { Placement } from "#schema/definition/definition.ts";

/**
 * New pooled executions spread over this many cells of a tenant. Few, because executions that share a cell share its
 * commits; an object takes some hundred of them a second. May be raised at any time.
 */
const POOL_CELLS = 4;
/** Keyed ones hash over a number that never changes, or a repeated key would look in another cell. */
const KEYED_POOL_CELLS = 16;

/** Crockford's base 32: sorts like the bytes it came from, and has no letters that read alike. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const POOLED = /_p(\d{1,4})$/;

/** An id that sorts by time: 48 bits of milliseconds, 80 bits of chance. */
export function timeOrderedId(prefix: string, now: number, chance: Uint8Array): string {
  return `${prefix}_${timePart(now)}${base32(chance.subarray(0, 10))}`;
}

function timePart(now: number): string {
  let time = "";
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = ALPHABET.charAt(rest % 32) + time;
  return time;
}

export function newExecutionId(placement: Placement, now: number, chance: Uint8Array): string {
  const id = timeOrderedId("exe", now, chance);
  return placement === "own" ? id : `${id}_p${(chance[10] ?? 0) % POOL_CELLS}`;
}

/** The same key always gives the same id, so the object itself remembers what it answered. */
export async function keyedExecutionId(placement: Placement, tenant: string, key: string): Promise<string> {
  const digest = await keyDigest(`${tenant}\n${key}`);
  const id = `exe_k${base32(digest.subarray(0, 16))}`;
  return placement === "own" ? id : `${id}_p${(digest[31] ?? 0) % KEYED_POOL_CELLS}`;
}

/** The digest tells the cell which others have this key, the time which of them came last. */
export async function dedupedExecutionId(tenant: string, key: string, now: number): Promise<string> {
  const digest = await keyDigest(`${tenant}\ndedup\n${key}`);
  return `exe_d${base32(digest.subarray(0, 16))}${timePart(now)}_p${(digest[31] ?? 0) % KEYED_POOL_CELLS}`;
}

/** As with executions: the same key is the same operation, and its object remembers it. */
export async function keyedOperationId(tenant: string, key: string): Promise<string> {
  return `op_k${base32((await keyDigest(`${tenant}\noperation\n${key}`)).subarray(0, 16))}`;
}

async function keyDigest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

export function cellName(tenant: string, execution: string): string {
  const pooled = POOLED.exec(execution);
  return pooled ? `${tenant}/pool/${pooled[1]}` : `${tenant}/${execution}`;
}

function base32(bytes: Uint8Array): string {
  let out = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      out += ALPHABET.charAt((held >> bits) & 31);
    }
    held &= (1 << bits) - 1;
  }
  return bits > 0 ? out + ALPHABET.charAt((held << (5 - bits)) & 31) : out;
}
