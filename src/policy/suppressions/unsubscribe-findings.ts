// Unsubscribe findings: errors in how an action uses `{{ unsubscribe_url }}` that are known before it is rendered.
import { childPointer } from "#kernel/language/json-values.ts";
import { linkUseIn } from "#kernel/language/template.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { UNSUBSCRIBE_URL } from "#schema/outgoing/unsubscribe-link.ts";
import type { Finding } from "#schema/refusal.ts";

/** Whether the installation can make links. */
export type LinkSettings = { readonly hasPublicUrl: boolean; readonly hasSigningKey: boolean };

const PLACES = ["/html", "/text", "/variables"];

/** Returns the findings of a config, with pointers that start at the config. */
export function unsubscribeFindings(type: string, config: JsonObject, settings: LinkSettings): readonly Finding[] {
  const uses = usesIn(config, "");
  const [first] = uses;
  if (first === undefined) return [];
  const wrong = uses.flatMap((use) => useFindings(type, use));
  return [...wrong, ...(type === "email" ? [...recipientFindings(config), ...settingFindings(settings, first)] : [])];
}

type LinkPlace = { readonly pointer: string; readonly isInserted: boolean };

function usesIn(value: Json, pointer: string): readonly LinkPlace[] {
  if (typeof value === "string") {
    const use = linkUseIn(value);
    return use === "none" ? [] : [{ pointer, isInserted: use === "inserted" }];
  }
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, item]) => usesIn(item as Json, childPointer(pointer, key))); // the items of JSON are JSON
}

function useFindings(type: string, { pointer, isInserted }: LinkPlace): readonly Finding[] {
  if (type !== "email" || !PLACES.some((place) => pointer === place || pointer.startsWith(`${place}/`))) {
    const message = `${UNSUBSCRIBE_URL} is only available in html, text and variables of an action of type email`;
    const hint = type === "sms" ? "Receivers of text messages unsubscribe with STOP." : "Remove it from this field.";
    return [{ pointer, code: "unsubscribe_url_misplaced", message, hint }];
  }
  if (isInserted) return [];
  const message = `${UNSUBSCRIBE_URL} can only be inserted unchanged, as {{ ${UNSUBSCRIBE_URL} }} outside of tags`;
  const hint = "For conditions and loops, use a stored template.";
  return [{ pointer, code: "unsubscribe_url_misused", message, hint }];
}

/** Counts only recipients that are written in the config. Templates are checked when the run starts. */
function recipientFindings({ to, recipient, cc, bcc }: JsonObject): readonly Finding[] {
  const hint = "Send one e-mail to each recipient, because the link unsubscribes one address.";
  const several = (pointer: string) => ({
    pointer,
    code: "unsubscribe_needs_one_recipient",
    message: `must be absent or empty, because ${UNSUBSCRIBE_URL} requires exactly one recipient`,
    hint,
  });
  const main = to === undefined ? recipient : to;
  const message = `must be one recipient, because the e-mail contains ${UNSUBSCRIBE_URL}`;
  const ofMain = Array.isArray(main) && main.length > 1;
  return [
    ...(ofMain ? [{ ...several(to === undefined ? "/recipient" : "/to"), message }] : []),
    ...(isSet(cc) ? [several("/cc")] : []),
    ...(isSet(bcc) ? [several("/bcc")] : []),
  ];
}

/** A template may render an empty list. */
function isSet(value: Json | undefined): boolean {
  if (typeof value === "string") return !/\{\{|\{%/.test(value);
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
}

function settingFindings({ hasPublicUrl, hasSigningKey }: LinkSettings, { pointer }: LinkPlace): readonly Finding[] {
  const missing = [...(hasPublicUrl ? [] : ["PUBLIC_URL"]), ...(hasSigningKey ? [] : ["SIGNING_KEY"])];
  if (missing.length === 0) return [];
  const message = `${UNSUBSCRIBE_URL} requires ${missing.join(" and ")}, which this installation does not have`;
  const hint = "Let the operator set the variable PUBLIC_URL and the secret SIGNING_KEY of the Worker.";
  return [{ pointer, code: "unsubscribe_url_unavailable", message, hint }];
}
