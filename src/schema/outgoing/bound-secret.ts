// Host-restricted secrets: secrets that may be sent only to certain hosts, and the check of a host.
import { z } from "zod";
import { SECRET_HOSTS_MAX } from "../limits/outgoing/secret-sizes.ts";

const WHAT =
  "a host such as api.example.com, or *.example.com for all below it: lower case, beyond ASCII in Punycode, no scheme, port or path";

export const secretHosts = z
  .array(z.string().max(255).refine(isHost, { message: WHAT }))
  .min(1)
  .max(SECRET_HOSTS_MAX)
  .refine((hosts) => new Set(hosts).size === hosts.length, { message: "names a host twice" });

export type BoundSecret = {
  /** The name of the secret. Its value is not needed for the check. */
  readonly secret: string;
  readonly hosts: readonly string[];
};

/**
 * Returns the first secret that may not be sent to this host. Returns null if all of them may be sent. `host` is the
 * `hostname` of a parsed URL.
 */
export function boundElsewhere(host: string, bounds: readonly BoundSecret[]): BoundSecret | null {
  const plain = host.replace(/\.+$/, "");
  return bounds.find(({ hosts }) => !hosts.some((each) => covers(each, plain))) ?? null;
}

function covers(pattern: string, host: string): boolean {
  return pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) && host.length >= pattern.length : host === pattern;
}

/**
 * Returns true if the text is a host name as the URL parser writes it. Only then can it be compared with a parsed URL.
 */
function isHost(text: string): boolean {
  const isAll = text.startsWith("*.");
  const host = isAll ? text.slice(2) : text;
  if (!URL.canParse(`https://${host}/`) || new URL(`https://${host}/`).hostname !== host) return false;
  return !host.includes("*") && !host.endsWith(".") && (!isAll || /\.[a-z-][a-z0-9-]*$/.test(host));
}
