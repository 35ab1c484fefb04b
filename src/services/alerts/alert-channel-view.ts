// An alert channel as callers may see it: which secrets it names, never what is in them.
import type { StoredAlertChannel } from "#catalog/alert-channels.ts";

export type AlertChannelView = Omit<StoredAlertChannel, "tenant" | "deletedAt">;

export function viewOf({ tenant: _tenant, deletedAt: _deletedAt, ...view }: StoredAlertChannel): AlertChannelView {
  return view;
}

export function noAlertChannel(id: string) {
  return { code: "not_found", message: `There is no alert channel "${id}".` } as const;
}

export function nameTaken(name: string) {
  return {
    code: "already_exists",
    message: `There is an alert channel "${name}" already.`,
    errors: [{ pointer: "/name", code: "already_exists", message: "is taken" }],
  } as const;
}
