// A connection as callers may see it: which secrets it names, never what is in them.
import type { StoredConnection } from "#catalog/connections.ts";
import type { GateView } from "#schema/gate.ts";

export type ConnectionView = Omit<StoredConnection, "tenant" | "deletedAt">;
/** `state` is null where its object does not answer. */
export type ConnectionInUse = ConnectionView & { readonly state: GateView | null };

export function viewOf({ tenant: _tenant, deletedAt: _deletedAt, ...view }: StoredConnection): ConnectionView {
  return view;
}

export function noConnection(ref: string) {
  return { code: "not_found", message: `There is no connection "${ref}".` } as const;
}

export function nameTaken(name: string) {
  return {
    code: "already_exists",
    message: `There is a connection "${name}" already.`,
    errors: [{ pointer: "/name", code: "already_exists", message: "is taken" }],
  } as const;
}
