// Recurring references: the recurring action that a path names by its id or by its name.
import type { Result } from "#schema/refusal.ts";
import { findRecurringRef } from "#services/recurring/recurring-view.ts";
import type { AppContext } from "../http/context.ts";

export function recurringIdOf(c: AppContext): Promise<Result<string>> {
  return findRecurringRef(c.var.deps, c.var.caller, c.req.param("id") ?? "");
}
