// What only the root key may do.
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Caller } from "../deps.ts";

export function rootOnly(caller: Caller): Result<null> {
  if (caller.actor.kind === "root") return accept(null);
  return refuse({ code: "scope_missing", message: "Only the root key may do this." });
}
