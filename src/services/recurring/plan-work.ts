// From `provider`, `action_type` and `payload` to an action. A provider is an action type or a connection by its name; what
// the payload leaves out is taken from the tenant's connection, and an e-mail's words from the template that is named as
// the action type is.
import type { WrittenAction } from "#schema/definition/standalone.ts";
import type { JsonObject } from "#schema/json.ts";
import type { Finding } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import { findConnection } from "../connections/find-connection.ts";
import type { Deps } from "../deps.ts";
import { findTemplate } from "../templates/find-template.ts";

export type AskedWork = { readonly provider: string; readonly actionType: string; readonly payload: JsonObject };
export type PlannedWork =
  | { readonly ok: true; readonly action: WrittenAction }
  | { readonly ok: false; readonly finding: Finding };
type Account = { readonly name: string; readonly provider: string; readonly settings: JsonObject };

/** Any connection will do: what it is for says what is done with it. */
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

export async function planWork(deps: Deps, tenant: string, asked: AskedWork): Promise<PlannedWork> {
  const named = await findConnection(deps, tenant, asked.provider, ANY);
  const account = named.ok ? accountOf(named.row) : null;
  const isType = Object.hasOwn(deps.actionTypes, asked.provider);
  if (account === null && !isType) return { ok: false, finding: unknownProvider(deps, asked.provider) };
  const type = account === null ? asked.provider : (typeOfProvider[account.provider] ?? "api_call");
  const actionId = asked.actionType;
  if (type === "email") return planEmail(deps, tenant, asked, account);
  const config = account === null ? asked.payload : { connection: account.name, ...asked.payload };
  return { ok: true, action: { actionId, type, config } };
}

async function planEmail(
  deps: Deps,
  tenant: string,
  { actionType: actionId, payload }: AskedWork,
  named: Account | null,
): Promise<PlannedWork> {
  const account = named ?? (payload["provider"] === undefined ? await onlyMailer(deps, tenant) : null);
  if (account === null && payload["provider"] === undefined) return { ok: false, finding: noMailer };
  const from = account === null ? {} : { provider: account.provider, connection: account.name };
  const words = hasWords(payload) ? {} : await wordsFor(deps, tenant, actionId, account);
  if (words === null) return { ok: false, finding: noWords(actionId) };
  return { ok: true, action: { actionId, type: "email", config: { ...from, ...words, ...payload } } };
}

async function onlyMailer(deps: Deps, tenant: string): Promise<Account | null> {
  const found = await Promise.all(MAILERS.map((provider) => findConnection(deps, tenant, null, provider)));
  const rows = found.flatMap((each) => (each.ok ? [accountOf(each.row)] : []));
  return rows.length === 1 ? (rows[0] ?? null) : null;
}

function hasWords(payload: JsonObject): boolean {
  return ["text", "html", "template", "templateId"].some((field) => payload[field] !== undefined);
}

async function wordsFor(
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
  const near = didYouMean(provider, known);
  const hint = near === null ? `action types are ${known.join(", ")}` : `did you mean "${near}"?`;
  const message = `there is neither an action type nor a connection "${provider}"`;
  return { pointer: "/provider", code: "unknown_provider", message, hint };
}

const noMailer: Finding = {
  pointer: "/payload/provider",
  code: "required",
  message: "nobody is there to send an e-mail: add payload.provider, or create one connection for sendgrid or resend",
  hint: 'POST /v1/connections {"name":"email","provider":"sendgrid","credentials":{"apiKey":"<the secret\'s name>"}}',
};

function noWords(actionType: string): Finding {
  return {
    pointer: "/payload/text",
    code: "required",
    message: `an e-mail needs words: add payload.text or payload.html, or store a template named "${actionType}"`,
    hint: `POST /v1/templates {"name":"${actionType}","text":"…"}`,
  };
}
