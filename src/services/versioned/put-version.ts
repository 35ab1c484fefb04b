// Writes of versioned nouns by name: equal content changes nothing, other content becomes the next version. Definitions
// and templates share this.
import { isMet } from "#policy/configuration/precondition.ts";
import type { VersionRow } from "#catalog/versioned.ts";
import type { Json } from "#schema/json.ts";
import type { Precondition } from "#schema/configuration/precondition.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import { otherName, preconditionFailed, type WriteOutcome } from "../named/put-named.ts";
import { parseVersionReference } from "./version-reference.ts";
import { invalidVersion, type VersionedNoun } from "./versioned-noun.ts";

export type PutVersion = {
  readonly ref: string;
  readonly body: Json;
  readonly precondition: Precondition;
  readonly dryRun: boolean;
};
/** The input of the use case that stores a version. */
type NewVersion<Row> = {
  readonly body: Json;
  readonly admit: (current: Row | null) => Refusal | null;
  readonly dryRun: boolean;
};

/** `rowOf` returns the version to which the name resolves after the write. */
export async function putVersion<Row extends VersionRow, Key, Stored>(
  { word, isCurrent }: Pick<VersionedNoun<Row, Key>, "word" | "isCurrent">,
  { ref, body, precondition, dryRun }: PutVersion,
  store: (input: NewVersion<Row>) => Promise<Result<Stored>>,
  rowOf: (stored: Stored) => Row,
): Promise<Result<WriteOutcome<Stored>>> {
  if (parseVersionReference(ref).version !== null || ref.includes("@")) return refuse(versionInPath(word));
  if (isObject(body) && body["name"] !== undefined && body["name"] !== ref)
    return refuse(invalidVersion(word, [otherName(ref)]));
  const before: { row: Row | null } = { row: null };
  const admit = (current: Row | null) => {
    before.row = current !== null && isCurrent(current) ? current : null;
    return isMet(precondition, before.row?.hash ?? null) ? null : preconditionFailed(word, ref, before.row);
  };
  const stored = await store({ body: isObject(body) ? { ...body, name: ref } : body, admit, dryRun });
  if (!stored.ok) return stored;
  const row = rowOf(stored.value);
  const result = before.row === null ? "created" : before.row.version === row.version ? "unchanged" : "changed";
  return accept({ result, view: stored.value, tag: row.hash });
}

function isObject(body: Json): body is { readonly [field: string]: Json } {
  return typeof body === "object" && body !== null && !Array.isArray(body);
}

function versionInPath(word: string) {
  const message = "must be a name without a version, because a stored version cannot be changed";
  return {
    code: "invalid_input",
    message: `The path names a version of a ${word}: it ${message}.`,
    errors: [{ pointer: "{ref}", code: "immutable", message }],
  } as const;
}
