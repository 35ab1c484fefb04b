// Address keys: the form of an address in the catalog. A push token is stored as its SHA-256, because the token itself
// authorizes sending.
import { normalAddress } from "#policy/suppressions/normal-address.ts";
import type { SuppressionChannel } from "#schema/outgoing/suppression.ts";
import { sha256 } from "../hash.ts";

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Returns the key of an address; null if the text is no address of the channel. A key is its own key. */
export async function addressKey(channel: SuppressionChannel, address: string): Promise<string | null> {
  const normal = normalAddress(channel, address);
  if (channel !== "push" || normal === null || DIGEST.test(normal)) return normal;
  return `sha256:${await sha256(normal)}`;
}
