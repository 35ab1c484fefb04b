// Configuration references: which other resources, and which secrets, the body of a resource names.
import { secretsIn } from "#kernel/language/template.ts";
import type { ConfigurationItem, ConfigurationKind } from "#schema/configuration/document.ts";
import { jsonPointer } from "#schema/findings.ts";
import type { Json, JsonObject } from "#schema/json.ts";

/** `from`: the resource that contains the reference, such as "definitions/order". */
export type Reference = {
  readonly kind: ConfigurationKind;
  readonly name: string;
  readonly from: string;
  /** The pointer to the reference in the document. */
  readonly pointer: string;
};

/** The fields whose text names another resource, at any depth of a body. */
const NAMING: ReadonlyMap<string, ConfigurationKind> = new Map([
  ["template", "templates"],
  ["connection", "connections"],
  ["service", "connections"],
  ["provider", "connections"],
  ["definition", "definitions"],
]);

export function referencesOf({
  kind,
  name,
  body,
  pointer,
}: ConfigurationItem & { readonly pointer: string }): readonly Reference[] {
  const found: Reference[] = [];
  eachText(body, [], (text, path) => {
    const named = isCalendar(path) ? "calendars" : NAMING.get(String(path.at(-1)));
    // A connection's own `provider` names an account type, not another resource.
    if (named === undefined || (kind === "connections" && path.length === 1)) return;
    found.push({
      kind: named,
      name: text.replace(/@.*$/s, ""),
      from: `${kind}/${name}`,
      pointer: pointer + jsonPointer(path),
    });
  });
  return found;
}

/** Calendars are named by `holidays.calendar`, and by a text or a list in `except`. */
function isCalendar(path: readonly string[]): boolean {
  const [parent, field] = path.slice(-2);
  return field === "except" || parent === "except" || (parent === "holidays" && field === "calendar");
}

/** Returns the names of the secrets that the resource uses: those in its templates, and its credentials. */
export function secretsOf({ kind, body }: Pick<ConfigurationItem, "kind" | "body">): readonly string[] {
  const found = new Set<string>();
  eachText(body, [], (text, path) => {
    for (const name of secretsIn(text)) found.add(name);
    if (kind === "connections" && path[0] === "credentials") found.add(text);
    if (kind === "triggers" && path[0] === "verify" && path[1] === "secret") found.add(text);
  });
  return [...found];
}

/** Prefixes of ids that other tenants do not have. */
const ID = /^(?:def|con|trg|alc|rec)_[0-9A-Za-z]{20,}$/;

/** Returns the pointers of texts that are ids. A document with an id works only in its own tenant. */
export function idsIn(body: JsonObject): readonly string[] {
  const found: string[] = [];
  eachText(body, [], (text, path) => {
    if (ID.test(text)) found.push(jsonPointer(path));
  });
  return found;
}

function eachText(value: Json, path: readonly string[], see: (text: string, path: readonly string[]) => void): void {
  if (typeof value === "string") return see(value, path);
  if (value === null || typeof value !== "object") return;
  for (const [field, inner] of Object.entries(value)) eachText(inner, [...path, field], see);
}
