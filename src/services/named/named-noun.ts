// What has a name and is changed in place (connections, alert channels), as the use cases that both share know it.
import type { Db } from "#catalog/db.ts";
import type { Named, NamedRow } from "#catalog/named.ts";
import type { IdPrefix } from "#schema/ids.ts";

export type NamedNoun<Row extends NamedRow> = {
  /** In sentences: "connection", and "a connection". */
  readonly word: string;
  readonly one: string;
  /** In the verbs of the audit: "connection.create". */
  readonly verb: string;
  /** What its ids begin with. */
  readonly idPrefix: IdPrefix;
  readonly rows: Named<Row>;
  readonly find: (db: Db, tenant: string, ref: string) => Promise<Row | null>;
  readonly quota: "connections" | "alertChannels" | "triggers";
  /** For the isolate in which one of them was changed. */
  readonly forget: (tenant: string) => void;
};

/** As callers may see it: which secrets it names, never what is in them. */
export type NamedView<Row extends NamedRow> = Omit<Row, "tenant" | "deletedAt">;

export function viewOf<Row extends NamedRow>(row: Row): NamedView<Row> {
  const { tenant: _tenant, deletedAt: _deletedAt, ...view } = row;
  return view;
}

export function notFound({ word }: { readonly word: string }, ref: string) {
  return { code: "not_found", message: `There is no ${word} "${ref}".` } as const;
}

export function nameTaken({ one }: { readonly one: string }, name: string) {
  return {
    code: "already_exists",
    message: `There is ${one} "${name}" already.`,
    errors: [{ pointer: "/name", code: "already_exists", message: "is taken" }],
  } as const;
}
