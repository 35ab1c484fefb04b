// Dispatch of due occurrences: builds the action of a recurring action and the start of each occurrence, and sends the
// starts. The recurring action's object calls this.
import { assert } from "#kernel/assert.ts";
import { isFixedLength } from "#kernel/language/instant.ts";
import { durationMs } from "#kernel/language/timing.ts";
import { defaults } from "#schema/defaults.ts";
import { type WrittenAction, ACTION_REF } from "#schema/definition/standalone.ts";
import type { StartItem } from "#schema/engine/cell.ts";
import type { JsonObject, Json } from "#schema/json.ts";
import type { DispatchItem, DispatchSource, DispatchOutcome } from "#schema/recurring/calls.ts";
import { type Finding, type Result, isUndecided, type Refusal } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import { planAction, type PlanActionDeps } from "../actions/dispatch-actions.ts";
import { answerEach } from "../cells/call-cell.ts";
import { findConnection } from "../connections/find-connection.ts";
import { openDefinitions, type FindDefinition } from "../definitions/find-definition.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { planStart } from "../executions/plan-start.ts";
import { startPlanned } from "../executions/start-executions.ts";
import { openTemplateLookup, type TemplateLookup } from "../templates/pin-templates.ts";
import { findTemplate } from "../templates/templates.ts";

export type RequestedAction = { readonly provider: string; readonly actionType: string; readonly payload: JsonObject };
export type ResolvedAction =
  | { readonly ok: true; readonly action: WrittenAction }
  | { readonly ok: false; readonly finding: Finding };
type Account = { readonly name: string; readonly provider: string; readonly settings: JsonObject };

/** findConnection accepts a connection of any provider for "http". */
const ANY = "http";
const MAILERS = ["sendgrid", "resend"] as const;
const typeOfProvider: { readonly [provider: string]: string } = {
  sendgrid: "email",
  resend: "email",
  twilio: "sms",
  slack: "slack",
  fcm: "push",
  webpush: "push",
  docusign: "docusign_envelope",
  evm: "contract_call",
};

export async function resolveAction(deps: Deps, tenant: string, asked: RequestedAction): Promise<ResolvedAction> {
  const connection = await findConnection(deps, tenant, asked.provider, ANY);
  const account = connection.ok ? accountOf(connection.row) : null;
  const isType = Object.hasOwn(deps.actionTypes, asked.provider);
  if (account === null && !isType) return { ok: false, finding: unknownProvider(deps, asked.provider) };
  const type = account === null ? asked.provider : (typeOfProvider[account.provider] ?? "api_call");
  const actionId = asked.actionType;
  if (type === "email") return resolveEmail(deps, tenant, asked, account);
  const config = account === null ? asked.payload : { connection: account.name, ...asked.payload };
  return { ok: true, action: { actionId, type, config } };
}

async function resolveEmail(
  deps: Deps,
  tenant: string,
  { actionType: actionId, payload }: RequestedAction,
  connection: Account | null,
): Promise<ResolvedAction> {
  const account = connection ?? (payload["provider"] === undefined ? await onlyMailer(deps, tenant) : null);
  if (account === null && payload["provider"] === undefined) return { ok: false, finding: noMailer };
  const from = account === null ? {} : { provider: account.provider, connection: account.name };
  const text = hasText(payload) ? {} : await templateFor(deps, tenant, actionId, account);
  if (text === null) return { ok: false, finding: noText(actionId) };
  return { ok: true, action: { actionId, type: "email", config: { ...from, ...text, ...payload } } };
}

async function onlyMailer(deps: Deps, tenant: string): Promise<Account | null> {
  const found = await Promise.all(MAILERS.map((provider) => findConnection(deps, tenant, null, provider)));
  const rows = found.flatMap((each) => (each.ok ? [accountOf(each.row)] : []));
  return rows.length === 1 ? (rows[0] ?? null) : null;
}

function hasText(payload: JsonObject): boolean {
  return ["text", "html", "template", "templateId"].some((field) => payload[field] !== undefined);
}

async function templateFor(
  deps: Deps,
  tenant: string,
  actionType: string,
  account: Account | null,
): Promise<JsonObject | null> {
  const stored = await findTemplate(deps, tenant, actionType);
  const template = stored === null ? account?.settings["template"] : actionType;
  return template === undefined ? null : { template };
}

type Row = {
  readonly name: string;
  readonly provider: string;
  readonly settings: { readonly settings?: JsonObject | undefined };
};

function accountOf({ name, provider, settings }: Row): Account {
  return { name, provider, settings: settings.settings ?? {} };
}

function unknownProvider(deps: Deps, provider: string): Finding {
  const known = Object.keys(deps.actionTypes);
  const similar = didYouMean(provider, known);
  const hint = similar === null ? `action types: ${known.join(", ")}` : `did you mean "${similar}"?`;
  const message = `"${provider}" is neither an action type nor a connection`;
  return { pointer: "/provider", code: "unknown_provider", message, hint };
}

const noMailer: Finding = {
  pointer: "/payload/provider",
  code: "required",
  message: "no e-mail provider is configured: set payload.provider, or create one connection for sendgrid or resend",
  hint: 'POST /v1/connections {"name":"email","provider":"sendgrid","credentials":{"apiKey":"<the secret\'s name>"}}',
};

function noText(actionType: string): Finding {
  return {
    pointer: "/payload/text",
    code: "required",
    message: `an e-mail needs a text: set payload.text or payload.html, or store a template named "${actionType}"`,
    hint: `POST /v1/templates {"name":"${actionType}","text":"…"}`,
  };
}

/** Lookups that are shared by all occurrences of one call. */
type Lookups = { readonly templates?: TemplateLookup; readonly find?: FindDefinition };

export function planOccurrence(
  deps: PlanActionDeps,
  terms: DispatchSource,
  item: DispatchItem,
  { templates, find }: Lookups = {},
): Promise<Result<StartItem>> {
  const { tenant, id, namespace, work, timezone } = terms;
  const caller: TenantCaller = { actor: { kind: "engine", id }, tenant, scopes: [] };
  const common = { namespace, correlationId: id, key: `recurring/${id}/${item.id}` };
  switch (work.kind) {
    case "action": {
      const dedup =
        work.dedupKey === null ? null : { key: fillPlaceholders(work.dedupKey, id, item), windowMs: dedupWindowMs() };
      const variables = { ...work.metadata, ...occurrenceVariables(id, item) };
      // Only actions with settings have dates of their own, such as `validUntil`.
      const action = work.settings === undefined ? work.action : { ...work.action, timezone };
      return planAction(deps, caller, { ...common, variables, action, dedup }, ACTION_REF, templates);
    }
    case "definition": {
      const variables = fillAll(work.variables, id, item) as JsonObject; // Filling changes only texts within the object.
      return planStart(deps, caller, { ...common, variables, definition: work.definition, id: null }, find);
    }
  }
}

/**
 * Returns the variables that templates read as `execution.variables`. If a client's variable has the same name as one
 * of them, it is replaced.
 */
function occurrenceVariables(id: string, item: DispatchItem): JsonObject {
  return { _recurring_dispatch: "true", _recurring_id: id, execution_time: executionTime(item) };
}

/**
 * Fills the placeholders in the texts of a definition's variables. The values of the occurrence are not added as
 * variables, because the definition's input schema could refuse unknown variables.
 */
function fillAll(value: Json, id: string, item: DispatchItem): Json {
  if (typeof value === "string") return fillPlaceholders(value, id, item);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((each: Json) => fillAll(each, id, item));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fillAll(each, id, item)]));
}

function fillPlaceholders(template: string, id: string, item: DispatchItem): string {
  return template.replaceAll("{{recurring_id}}", id).replaceAll("{{execution_time}}", executionTime(item));
}

/**
 * Returns the scheduled instant in UTC, with seconds. For a manually triggered occurrence, returns the instant at which
 * it was triggered.
 */
function executionTime({ nominal, at }: DispatchItem): string {
  return `${new Date(nominal ?? at).toISOString().slice(0, 19)}Z`;
}

function dedupWindowMs(): number {
  assert(isFixedLength(defaults.dedupWindow), "the default window must be set");
  return durationMs(defaults.dedupWindow);
}

/** Starts the due occurrences; returns one outcome for each, in the order of the items. */
export async function dispatchOccurrences(
  deps: Deps,
  terms: DispatchSource,
  items: readonly DispatchItem[],
): Promise<readonly DispatchOutcome[]> {
  const lookups = { templates: openTemplateLookup(deps, terms.tenant), find: openDefinitions(deps, terms.tenant) };
  const plans = await answerEach(deps, items, (item) => planOccurrence(deps, terms, item, lookups));
  const replies = await startPlanned(deps, terms.tenant, plans, false);
  return items.map(({ id }, n) => {
    const [plan, reply] = [plans[n], replies[n]];
    if (reply === undefined || plan === undefined)
      return { id, kind: "unreached", message: UNANSWERED, retryAfterMs: null };
    if (reply.ok) return { id, kind: "taken", execution: reply.value.state.id };
    const { code, message, retryAfterS, details } = reply.refusal;
    // An earlier attempt has started this occurrence, and the recurring action was changed since. So the occurrence
    // counts as started.
    if (code === "idempotency_conflict" && plan.ok) {
      const startedId = details?.execution;
      const execution = typeof startedId === "string" ? startedId : plan.value.command.execution;
      return { id, kind: "taken", execution };
    }
    if (!mayBeStartedLater(reply.refusal)) return { id, kind: "refused", code, message };
    return { id, kind: "unreached", message, retryAfterMs: retryAfterS === undefined ? null : retryAfterS * 1_000 };
  });
}

const UNANSWERED = "no answer";

function mayBeStartedLater(refusal: Refusal): boolean {
  return isUndecided(refusal) || refusal.code === "quota_exceeded" || refusal.code === "receipts_full";
}
