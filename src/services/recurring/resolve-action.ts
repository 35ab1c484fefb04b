// Resolution of a recurring action's work: determines the action type, the connection and, for e-mails, the template.
// All of them are stored with the recurring action, so a connection that is created later does not affect it.
import { requestedConnection } from "#policy/forecast/requested-connection.ts";
import { typeAliases } from "#schema/definition/action-type.ts";
import type { WrittenAction } from "#schema/definition/standalone.ts";
import type { JsonObject } from "#schema/json.ts";
import { typeOfProvider } from "#schema/provider/providers.ts";
import type { Finding } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import { connectionNoun } from "../connections/connections.ts";
import { findConnection } from "../connections/find-connection.ts";
import type { Deps } from "../deps.ts";
import { namesOf } from "../named/find-named.ts";
import { findTemplate } from "../templates/templates.ts";

export type RequestedAction = { readonly provider: string; readonly actionType: string; readonly payload: JsonObject };
export type ResolvedAction =
  | { readonly ok: true; readonly action: WrittenAction }
  | { readonly ok: false; readonly finding: Finding };
type Account = { readonly name: string; readonly provider: string; readonly settings: JsonObject };
type FoundAccount =
  | { readonly ok: true; readonly account: Account | null }
  | { readonly ok: false; readonly finding: Finding };

/** findConnection accepts a connection of any provider for "http". */
const ANY = "http";

export async function resolveAction(deps: Deps, tenant: string, asked: RequestedAction): Promise<ResolvedAction> {
  const { provider, actionType: actionId, payload } = asked;
  const named = Object.hasOwn(typeAliases, provider) ? (typeAliases[provider] ?? provider) : provider;
  // An action type comes first, so that no connection can hide the type of the same name.
  const isType = Object.hasOwn(deps.actionTypes, named);
  const connection = isType ? null : await findConnection(deps, tenant, provider, ANY);
  if (connection?.ok === false) return { ok: false, finding: await unknownProvider(deps, tenant, provider) };
  const row = connection?.row ?? null;
  const type = row === null ? named : typeOfProvider(row.provider);
  const written = row === null ? payload : { ...accountFields(type, row), ...payload };
  const found = await accountFor(deps, tenant, type, written);
  if (!found.ok) return found;
  const { account } = found;
  const config = account === null ? written : { ...accountFields(type, account), ...written };
  if (type !== "email" || hasText(payload)) return { ok: true, action: { actionId, type, config } };
  const template = await templateFor(deps, tenant, actionId, account);
  if (template === null) return { ok: false, finding: noText(actionId) };
  return { ok: true, action: { actionId, type, config: { ...config, template } } };
}

/** Returns the connection that the action would use. Null if it uses none, or if a template determines it. */
async function accountFor(deps: Deps, tenant: string, type: string, config: JsonObject): Promise<FoundAccount> {
  const requested = requestedConnection(type, config);
  if (requested === null || isTemplate(requested.name ?? "") || isTemplate(requested.provider))
    return { ok: true, account: null };
  const found = await findConnection(deps, tenant, requested.name, requested.provider);
  if (found.ok) return { ok: true, account: accountOf(found.row) };
  const { code = "connection_missing", message } = found.error;
  const field = requested.name === null ? "provider" : fieldOf(type);
  const pointer = Object.hasOwn(config, field) ? `/payload/${field}` : "/provider";
  const similar = requested.name && didYouMean(requested.name, await namesOf(deps, tenant, connectionNoun));
  return { ok: false, finding: { pointer, code, message, ...(similar ? { hint: `did you mean "${similar}"?` } : {}) } };
}

/** Returns the fields of the config that name the connection. */
function accountFields(type: string, { name, provider }: Pick<Account, "name" | "provider">): JsonObject {
  const names = { [fieldOf(type)]: name };
  return type === "email" || type === "push" ? { provider, ...names } : names;
}

function fieldOf(type: string): "service" | "connection" {
  return type === "api_call" ? "service" : "connection";
}

function isTemplate(text: string): boolean {
  return text.includes("{{") || text.includes("{%");
}

function hasText(payload: JsonObject): boolean {
  return ["text", "html", "template", "templateId"].some((field) => payload[field] !== undefined);
}

/** Returns the template that has the action's name. If there is none, returns the connection's default template. */
async function templateFor(deps: Deps, tenant: string, actionType: string, account: Account | null) {
  const stored = await findTemplate(deps, tenant, actionType);
  return stored === null ? (account?.settings["template"] ?? null) : actionType;
}

type Row = {
  readonly name: string;
  readonly provider: string;
  readonly settings: { readonly settings?: JsonObject | undefined };
};

function accountOf({ name, provider, settings }: Row): Account {
  return { name, provider, settings: settings.settings ?? {} };
}

async function unknownProvider(deps: Deps, tenant: string, provider: string): Promise<Finding> {
  const known = Object.keys(deps.actionTypes);
  const similar = didYouMean(provider, [...known, ...(await namesOf(deps, tenant, connectionNoun))]);
  const hint = similar === null ? `action types: ${known.join(", ")}` : `did you mean "${similar}"?`;
  const message = `"${provider}" is neither an action type nor a connection`;
  return { pointer: "/provider", code: "unknown_provider", message, hint };
}

function noText(actionType: string): Finding {
  return {
    pointer: "/payload/text",
    code: "required",
    message: `an e-mail needs a text: set payload.text or payload.html, or store a template named "${actionType}"`,
    hint: `POST /v1/templates {"name":"${actionType}","text":"…"}`,
  };
}
