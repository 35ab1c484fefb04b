// The API's description, read once for all that is made from it, and its operations.
import type { JsonObject } from "./contract.ts";
import { described } from "./described.ts";

export type Operation = { readonly operationId: string; readonly summary: string };

type Described = JsonObject & { readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } } };

let read: Described | null = null;

export function apiDocument(): Described {
  return (read ??= JSON.parse(described()) as Described); // printed by a script of ours
}

/** In the order of the description. */
export function operations(): readonly Operation[] {
  return Object.values(apiDocument().paths).flatMap((item) => Object.values(item));
}
