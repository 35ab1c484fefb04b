// Matching of error names in a retry policy: computes how exactly a name matches an error. The most exact match
// decides, independent of the order.
import { errorAliases } from "#schema/definition/error-names.ts";
import type { ActionError } from "#schema/engine/outcome.ts";

type Told = Pick<ActionError, "type" | "code" | "details">;

/** From the least to the most exact; 0 if the name does not match. */
const CLOSENESS = { none: 0, alias: 1, statusClass: 2, type: 3, status: 4, code: 5 } as const;

/** The most exact match of several names. */
export function closeness(names: readonly string[], error: Told): number {
  return names.reduce<number>((closest, name) => Math.max(closest, fit(name, error)), CLOSENESS.none);
}

function fit(name: string, error: Told): number {
  const { type, code } = error;
  if (name === code) return CLOSENESS.code;
  const status = statusOf(error);
  if (status !== null && name === `http_${status}`) return CLOSENESS.status;
  if (name === type) return CLOSENESS.type;
  if (status !== null && name === `http_${Math.floor(status / 100)}xx`) return CLOSENESS.statusClass;
  return Object.hasOwn(errorAliases, name) && errorAliases[name]?.includes(type) ? CLOSENESS.alias : CLOSENESS.none;
}

/** A runner with a better code than http_409 stores the status beside it. */
function statusOf({ code = "", details }: Told): number | null {
  const status = details?.["status"];
  if (typeof status === "number") return status;
  const written = /^http_(\d{3})$/.exec(code)?.[1];
  return written === undefined ? null : Number(written);
}
