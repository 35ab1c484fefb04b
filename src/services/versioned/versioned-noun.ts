// Versioned nouns: kinds of rows that are stored as versions: definitions and message templates. The type lists the
// properties of a kind that the shared use cases need.
import type { SummaryOf, Versioned, VersionRow } from "#catalog/versioned.ts";
import type { Finding } from "#schema/refusal.ts";

export type VersionedNoun<Row extends VersionRow, Key> = {
  /** The noun's word in sentences, in refusal codes, and in the verbs of audit entries. */
  readonly word: Word;
  readonly versions: Versioned<Row, Key>;
  /** Parses a reference. Returns null if it is invalid, or if `version` differs from the version in the reference. */
  readonly keyOf: (reference: string, version: number | null) => Key | null;
  /** True if the version is the one that its name resolves to. False for a draft, for example. */
  readonly isCurrent: (row: Row) => boolean;
  /** Caches a version that this isolate has just created. */
  readonly cache: (row: Row, at: number) => void;
  /** Evicts a name from this isolate's cache after its versions were archived. */
  readonly evict: (tenant: string, name: string) => void;
};
export type Word = "definition" | "template";
export type Version = VersionRow;
export type VersionSummary<Row extends Version> = SummaryOf<Row>;

export function noVersion(word: Word, reference: string) {
  return { code: "not_found", message: `There is no ${word} "${reference}".` } as const;
}

export function invalidVersion(word: Word, errors: readonly Finding[]) {
  const [first] = errors;
  const where = first === undefined || first.pointer === "" ? "" : ` at ${first.pointer}`;
  const count = errors.length === 1 ? "one problem" : `${errors.length} problems`;
  const message = `The ${word} has ${count}. The first problem${where}: ${first?.message ?? ""}.`;
  return { code: `${word}_invalid`, message, errors } as const;
}
