// A secret that may go to certain hosts only, and whether a host is one of them.
import { z } from "zod";
import { limits } from "../limits.ts";

const WHAT =
  "a host such as api.example.com, or *.example.com for all below it: small letters, beyond ASCII in Punycode, no scheme, port or path";

export const secretHosts = z
  .array(z.string().max(255).refine(isHost, { message: WHAT }))
  .min(1)
  .max(limits.secretHostsMax)
  .refine((hosts) => new Set(hosts).size === hosts.length, { message: "names a host twice" });

export type BoundSecret = {
  /** Its name: a value is nowhere in here. */
  readonly secret: string;
  readonly hosts: readonly string[];
};

/** Of these, one that may not go to this host; null: all may. `host` is as a URL's `hostname` has it. */
export function boundElsewhere(host: string, bounds: readonly BoundSecret[]): BoundSecret | null {
  const plain = host.replace(/\.+$/, "");
  return bounds.find(({ hosts }) => !hosts.some((each) => covers(each, plain))) ?? null;
}

function covers(pattern: string, host: string): boolean {
  return pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) && host.length >= pattern.length : host === pattern;
}

/** As a URL spells it, so that the two can be compared letter by letter. */
function isHost(text: string): boolean {
  const isAll = text.startsWith("*.");
  const host = isAll ? text.slice(2) : text;
  if (!URL.canParse(`https://${host}/`) || new URL(`https://${host}/`).hostname !== host) return false;
  return !host.includes("*") && !host.endsWith(".") && (!isAll || /\.[a-z-][a-z0-9-]*$/.test(host));
}
