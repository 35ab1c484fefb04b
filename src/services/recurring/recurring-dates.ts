// Dates of recurring actions: adds the dates of the calendars that a recurring action names, and sends it new dates. Its
// object reads no catalog.
import { findRecurring, type StoredRecurring } from "#catalog/recurring.ts";
import { followedNames } from "#policy/calendar/follow.ts";
import type { RecurringTerms } from "#schema/recurring/calls.ts";
import type { FollowedCalendars, RecurringSpec } from "#schema/recurring/spec.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { readCalendars } from "../calendars/pin-calendars.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { controlRecurring } from "./control-recurring.ts";
import { recurringInvalid } from "./invalid-recurring.ts";
import { noRecurring, recurringObject } from "./recurring-view.ts";

/** Returns the specification with the latest dates. One that names no calendar needs no catalog read. */
export async function addDates(
  deps: Pick<Deps, "db">,
  tenant: string,
  { calendars: _earlier, ...spec }: RecurringSpec,
): Promise<Result<RecurringSpec>> {
  const uses = followedNames(spec);
  if (uses.length === 0) return accept(spec);
  const { calendars, findings } = await readCalendars(deps, tenant, uses);
  if (calendars === null || findings.length > 0) return refuse(recurringInvalid(findings));
  return accept({ ...spec, calendars });
}

/** Returns the terms of a row, for an object that has lost its data. The row has no dates, so they are read. */
export async function termsOfRow(
  deps: Pick<Deps, "db">,
  { tenant, id, fingerprint, ...row }: StoredRecurring,
): Promise<RecurringTerms> {
  const { createdAt, status, seq, count, failed, recent, lastAt: lastExecutedAt } = row;
  const known = { seq, count, failed, lastExecutedAt, recent: recent ?? [] };
  const dated = await addDates(deps, tenant, row.spec);
  const spec = dated.ok ? dated.value : row.spec;
  return { tenant, id, fingerprint, spec, createdAt, enabled: status === "active", known };
}

/** Sends the newer dates to a recurring action. Returns false if it must be sent again. */
export async function sendDates(
  deps: Deps,
  caller: TenantCaller,
  id: string,
  calendars: FollowedCalendars,
): Promise<boolean> {
  const verb = { verb: "follow", calendars } as const;
  const request = { id, namespace: null, language: "en", verb, key: null, reason: null, dryRun: false };
  const sent = await controlRecurring(deps, caller, request);
  if (sent.ok || sent.refusal.code !== noRecurring.code) return sent.ok;
  // The object has lost its data, so it begins again with the latest dates.
  const row = await findRecurring(deps.db, caller.tenant, id);
  if (row !== null && row.deletedAt === null)
    await recurringObject(deps, caller.tenant, id).poke(await termsOfRow(deps, row));
  return false;
}
