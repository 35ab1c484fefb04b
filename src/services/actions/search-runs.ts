// Run searches: lists the runs of all executions by their filters.
import type { ActionFilters } from "#catalog/actions.ts";
import type { SearchPage } from "#catalog/page.ts";
import { recipientOf } from "#policy/suppressions/message-recipients.ts";
import { refuse, type Result } from "#schema/refusal.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { listDeliveredActions, type DeliveredAction } from "./standalone-actions.ts";

export type SearchRuns = { readonly filters: ActionFilters; readonly cursor: string | null; readonly limit: number };

export async function searchRuns(
  deps: Deps,
  caller: TenantCaller,
  { filters, cursor, limit }: SearchRuns,
): Promise<Result<SearchPage<DeliveredAction>>> {
  const { recipient } = filters;
  if (recipient === undefined) return listDeliveredActions(deps, caller, { filters, whose: "all", cursor, limit });
  if (!caller.scopes.includes("payloads")) return refuse(payloadsNeeded);
  const normal = recipientOf(recipient);
  if (normal === null) return refuse(noRecipient);
  const normalised = { ...filters, recipient: normal };
  return listDeliveredActions(deps, caller, { filters: normalised, whose: "all", cursor, limit });
}

const payloadsNeeded = {
  code: "scope_missing",
  message: "A search by recipient needs the scope payloads, because it reveals who received a message.",
  hint: "Use a key with the scope payloads, or filter by other fields.",
} as const;

const noRecipient = {
  code: "invalid_input",
  message: "?recipient: must be an e-mail address, or a phone number with its country code",
  errors: [
    {
      pointer: "?recipient",
      code: "invalid",
      message: "must be an e-mail address, or a phone number with its country code",
    },
  ],
} as const;
