// Named nouns: kinds of rows that have a name and are changed in place, such as connections and alert channels. The
// type lists the properties of a kind that the shared use cases need.
import type { Db } from "#catalog/db.ts";
import { findById, findNamed, listNamed, type Named, type NamedRow } from "#catalog/named.ts";
import type { Page } from "#catalog/page.ts";
import { isIdOf, type IdPrefix } from "#schema/ids.ts";
import { accept, type Finding, type Result } from "#schema/refusal.ts";
import type { Deps, TenantCaller } from "../deps.ts";

export type NamedNoun<Row extends NamedRow> = {
  /** The noun in sentences, such as "connection". `one` is the noun with its article, such as "a connection". */
  readonly word: string;
  readonly one: string;
  /** The noun in the verbs of audit entries, such as the first part of "connection.create". */
  readonly verb: string;
  /** The prefix of the noun's ids. */
  readonly idPrefix: IdPrefix;
  readonly rows: Named<Row>;
  readonly find: (db: Db, tenant: string, ref: string) => Promise<Row | null>;
  readonly quota: "connections" | "alertChannels" | "calendars" | "policies" | "triggers";
  /** Evicts the tenant's rows from this isolate's cache after one was changed. */
  readonly evict: (tenant: string) => void;
};

/** The client's view of a row. It contains the names of secrets, never their values. */
export type NamedView<Row extends NamedRow> = Omit<Row, "tenant" | "deletedAt">;

export function viewOf<Row extends NamedRow>(row: Row): NamedView<Row> {
  const { tenant: _tenant, deletedAt: _deletedAt, ...view } = row;
  return view;
}

export function viewsOf<Row extends NamedRow>(page: Result<Page<Row>>): Result<Page<NamedView<Row>>> {
  return page.ok ? accept({ ...page.value, data: page.value.data.map((row) => viewOf(row)) }) : page;
}

/** Returns how rows are found whose names never look like their ids: by name or by id. */
export function findByRef<Row extends NamedRow>(rows: Named<Row>, prefix: IdPrefix): NamedNoun<Row>["find"] {
  return (db, tenant, ref) =>
    isIdOf(prefix, ref) ? findById(db, rows, tenant, ref) : findNamed(db, rows, tenant, ref);
}

export type ListNamed = { readonly cursor: string | null; readonly limit: number };

/** Returns the use case that lists the rows of a noun. */
export function listOf<Row extends NamedRow>(rows: Named<Row>) {
  return async (
    { db }: Pick<Deps, "db">,
    { tenant }: TenantCaller,
    { cursor, limit }: ListNamed,
  ): Promise<Result<Page<NamedView<Row>>>> => viewsOf(await listNamed(db, rows, tenant, cursor, limit));
}

export function notFound({ word }: { readonly word: string }, ref: string) {
  return { code: "not_found", message: `There is no ${word} "${ref}".` } as const;
}

export function nameTaken({ one }: { readonly one: string }, name: string) {
  return {
    code: "already_exists",
    message: `${one} named "${name}" already exists.`,
    errors: [{ pointer: "/name", code: "already_exists", message: "is already in use" }],
  } as const;
}

/** Returns the refusal of invalid settings. Its message contains the first finding. */
export function invalidNamed(word: string, errors: readonly Finding[]) {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const message =
    first === undefined ? `The ${word} is not valid.` : `${first.pointer || `The ${word}`}: ${first.message}${more}`;
  return { code: "invalid_input", message, errors } as const;
}
