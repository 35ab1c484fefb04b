// Named writes: creates the row that a client names, or replaces its settings as a whole. An equal body changes nothing.
// Two concurrent writes are decided one after the other, because a row that has changed meanwhile is read again.
import type { ZodType } from "zod";
import type { NamedRow } from "#catalog/named.ts";
import { isMet } from "#policy/configuration/precondition.ts";
import { zodFindings } from "#schema/findings.ts";
import { isIdOf } from "#schema/ids.ts";
import type { JsonObject } from "#schema/json.ts";
import { PUT_TRIES_MAX } from "#schema/limits/definition-sizes.ts";
import type { Precondition, PutResult } from "#schema/configuration/precondition.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import { canonicalJson } from "../caller/fingerprint.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { sha256 } from "../hash.ts";
import { invalidNamed, notFound, viewOf, type NamedNoun, type NamedView } from "./named-noun.ts";

/** How the body of a noun is checked, compared, created and replaced. */
export type NamedBodies<Row extends NamedRow, Body extends { readonly name: string }> = {
  readonly noun: NamedNoun<Row>;
  readonly schema: ZodType<Body>;
  /** Returns the row as the body that a client would send for it. */
  readonly asWritten: (view: NamedView<Row>) => JsonObject;
  readonly create: (deps: Deps, caller: TenantCaller, input: NewBody<Body>) => Promise<Result<NamedView<Row>>>;
  readonly replace: (
    deps: Deps,
    caller: TenantCaller,
    row: Row,
    input: NewBody<Body> & { readonly reason: string | null },
  ) => Promise<Result<NamedView<Row>>>;
};
type NewBody<Body> = { readonly body: Body; readonly dryRun: boolean };

export type PutNamed = {
  readonly ref: string;
  readonly body: JsonObject;
  readonly precondition: Precondition;
  readonly reason: string | null;
  readonly dryRun: boolean;
};
/** The effect of a write. `tag` identifies the content that is stored afterwards. */
export type WriteOutcome<View> = { readonly result: PutResult; readonly view: View; readonly tag: string };

export async function putNamed<Row extends NamedRow, Body extends { readonly name: string }>(
  deps: Deps,
  caller: TenantCaller,
  bodies: NamedBodies<Row, Body>,
  input: PutNamed,
): Promise<Result<WriteOutcome<NamedView<Row>>>> {
  for (let tries = 1; ; tries += 1) {
    const row = await bodies.noun.find(deps.db, caller.tenant, input.ref);
    const put = await putOnce(deps, caller, bodies, input, row);
    if (put.ok || !isOvertaken(put.refusal, row === null) || tries === PUT_TRIES_MAX) return put;
  }
}

async function putOnce<Row extends NamedRow, Body extends { readonly name: string }>(
  deps: Deps,
  caller: TenantCaller,
  { noun, schema, asWritten, create, replace }: NamedBodies<Row, Body>,
  { ref, body: sent, precondition, reason, dryRun }: PutNamed,
  row: Row | null,
): Promise<Result<WriteOutcome<NamedView<Row>>>> {
  if (row === null && isIdOf(noun.idPrefix, ref)) return refuse(notFound(noun, ref));
  const parsed = parseNamed(noun.word, schema, row?.name ?? ref, sent);
  if (!parsed.ok) return parsed;
  const before = row === null ? null : asWritten(viewOf(row));
  if (!isMet(precondition, before && (await tagOf(before)))) return refuse(preconditionFailed(noun.word, ref, before));
  const body = parsed.value;
  const answer = async (
    result: PutResult,
    stored: Result<NamedView<Row>>,
  ): Promise<Result<WriteOutcome<NamedView<Row>>>> =>
    stored.ok ? accept({ result, view: stored.value, tag: await tagOf(asWritten(stored.value)) }) : stored;
  if (row === null) return answer("created", await create(deps, caller, { body, dryRun }));
  // A parsed body contains JSON only.
  if (before !== null && isSameBody(before, body as unknown as JsonObject))
    return answer("unchanged", accept(viewOf(row)));
  return answer("changed", await replace(deps, caller, row, { body, reason, dryRun }));
}

/** Parses the body of a resource with this name. The body may omit its name, but must not contain another one. */
export function parseNamed<Body>(word: string, schema: ZodType<Body>, name: string, sent: JsonObject): Result<Body> {
  if (sent["name"] !== undefined && sent["name"] !== name) return refuse(invalidNamed(word, [otherName(name)]));
  const parsed = schema.safeParse({ ...sent, name });
  return parsed.success ? accept(parsed.data) : refuse(invalidNamed(word, zodFindings(parsed.error, schema)));
}

/** Returns the tag of a body, by which If-Match names it. Bodies that differ only in the order of fields are equal. */
export function tagOf(body: JsonObject): Promise<string> {
  return sha256(canonicalJson(plainBody(body)));
}

function isSameBody(before: JsonObject, body: JsonObject): boolean {
  return canonicalJson(plainBody(before)) === canonicalJson(plainBody(body));
}

/** Removes absent fields, as storing the body does. */
export function plainBody(body: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(body)) as JsonObject; // The text was just made from a body, so it is its JSON.
}

export function preconditionFailed(word: string, ref: string, before: object | null): Refusal {
  return {
    code: "precondition_failed",
    message:
      before === null
        ? `There is no ${word} "${ref}".`
        : `The ${word} "${ref}" exists, but it is not as the request's condition requires.`,
    hint: "Nothing was changed. Read the resource, and send its current ETag as If-Match to change it.",
    details: { exists: before !== null },
  };
}

export function otherName(name: string) {
  const message = `must be "${name}", as in the path`;
  return { pointer: "/name", code: "immutable", message, hint: "Omit the name. To rename a resource, use PATCH." };
}

/** True if a concurrent request created or changed the row after it was read. */
function isOvertaken({ code, details }: Refusal, wasAbsent: boolean): boolean {
  return wasAbsent ? code === "already_exists" : details?.["why"] === "changed_meanwhile";
}
