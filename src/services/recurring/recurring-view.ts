// Recurring views: presents a recurring action from its object. For a list, it is presented from the catalog's row.
import {
  RECURRING_ERROR_CHARS_MAX,
  RECURRING_NEXT_SHOWN,
  RECURRING_STALE_MS,
} from "#schema/limits/recurring-actions.ts";
import { inWords } from "#policy/calendar/in-words.ts";
import { comingOccurrences, type ComingOccurrence } from "#policy/calendar/preview.ts";
import { findRecurringId, type StoredRecurring } from "#catalog/recurring.ts";
import type { RecurringHealth, RecurringView } from "#schema/recurring/calls.ts";
import { recurringIdText } from "#schema/ids.ts";
import { recurringName, type RecurringSpec } from "#schema/recurring/spec.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { callWithRetry } from "../cells/call-cell.ts";

export type RecurringDetails = {
  readonly view: RecurringView;
  /** The next occurrences; empty unless the recurring action is active. */
  readonly coming: readonly ComingOccurrence[];
  /** The cron expression in words, with its time zone. Null if words cannot express it exactly. */
  readonly words: string | null;
};
export type ListedRecurring = Omit<StoredRecurring, "tenant" | "deletedAt" | "fingerprint" | "seq"> & {
  readonly health: RecurringHealth;
  readonly words: string | null;
};
/** Names the requested recurring action. If `namespace` is set, recurring actions of other namespaces are not found. */
export type RecurringName = { readonly id: string; readonly namespace: string | null };
/** `language` is the `Accept-Language` header, for the description of the cron expression. */
export type ReadRecurring = RecurringName & { readonly language: string };

export function recurringView(view: RecurringView, now: number, language: string): RecurringDetails {
  const coming = view.status === "active" ? comingOccurrences(view, now, RECURRING_NEXT_SHOWN) : [];
  return { view, coming, words: describeCron(view.spec, language) };
}

function describeCron({ rule }: RecurringSpec, language: string): string | null {
  return inWords(rule.cron, rule.timezone, language)?.text ?? null;
}

export function recurringListItem(stored: StoredRecurring, now: number, language: string): ListedRecurring {
  const { tenant: _tenant, deletedAt: _deletedAt, fingerprint: _fingerprint, seq: _seq, ...row } = stored;
  return { ...row, health: healthOfRow(row, now), words: describeCron(row.spec, language) };
}

function healthOfRow(
  {
    status,
    statusReason,
    wakeAt,
    lastError,
  }: Pick<StoredRecurring, "status" | "statusReason" | "wakeAt" | "lastError">,
  now: number,
): RecurringHealth {
  if (status === "error") return { status: "failing", reason: statusReason };
  if (status === "active" && wakeAt !== null && now > wakeAt + RECURRING_STALE_MS)
    return { status: "stale", reason: "the occurrence is overdue and was not started" };
  if (lastError === null) return { status: "healthy", reason: null };
  return { status: "failing", reason: lastError.slice(0, RECURRING_ERROR_CHARS_MAX) };
}

export function recurringObject(deps: Pick<Deps, "recurring">, tenant: string, id: string) {
  return deps.recurring(`${tenant}/${id}`);
}

/** Finds the id of the recurring action that a client names by its id or by its name. */
export async function findRecurringRef(deps: Deps, { tenant }: TenantCaller, ref: string): Promise<Result<string>> {
  if (recurringIdText.safeParse(ref).success) return accept(ref);
  const id = recurringName.safeParse(ref).success ? await findRecurringId(deps.db, tenant, ref) : null;
  return id === null ? refuse(noRecurring) : accept(id);
}

/** Reads the current state from the recurring action's object. */
export async function readRecurring(
  deps: Deps,
  { tenant }: TenantCaller,
  { id, namespace }: RecurringName,
): Promise<Result<RecurringView>> {
  const read = await callWithRetry(() => recurringObject(deps, tenant, id).read(), "recurring action");
  if (!read.ok) return read;
  return read.value === null || !isInNamespace(read.value.spec, namespace)
    ? refuse(noRecurring)
    : { ok: true, value: read.value };
}

export function isInNamespace({ namespace }: Pick<RecurringSpec, "namespace">, named: string | null): boolean {
  return named === null || named === namespace;
}

export const noRecurring = { code: "not_found", message: "recurring action not found" } as const;

export const recurringDisabled = {
  code: "not_configured",
  message: "Recurring actions are disabled in this installation: ENABLE_RECURRING_ACTIONS is false.",
  hint: 'Set ENABLE_RECURRING_ACTIONS to "true" in wrangler.toml and deploy.',
} as const;
