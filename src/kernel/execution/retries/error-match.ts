// How closely a name in a retry policy fits an error. Where several fit, the closest decides, wherever it stands.
import { errorAliases } from "#schema/definition/error-names.ts";
import type { ActionError } from "#schema/engine/outcome.ts";

type Told = Pick<ActionError, "type" | "code" | "details">;

/** From the vaguest to the closest; 0 where the name means something else. */
const CLOSENESS = { none: 0, alias: 1, statusClass: 2, type: 3, status: 4, code: 5 } as const;

/** How closely the closest of the names fits. */
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

/** A runner that knows a better code than http_409 keeps the status beside it. */
function statusOf({ code = "", details }: Told): number | null {
  const status = details?.["status"];
  if (typeof status === "number") return status;
  const written = /^http_(\d{3})$/.exec(code)?.[1];
  return written === undefined ? null : Number(written);
}
