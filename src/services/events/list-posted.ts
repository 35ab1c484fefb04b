// Lists events that were posted, the newest first: those of one key from the directory that knows it, or those of all.
import type { PostedQuery, PostedRow, PostedStatus } from "#schema/directory/calls.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { reach } from "../cells/reach.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { directoriesOf, directoryOf } from "./directories.ts";

export type ListPosted = {
  readonly correlationKey: string | null;
  readonly status: PostedStatus | null;
  readonly cursor: string | null;
  readonly limit: number;
};
export type PostedPage = { readonly data: readonly PostedRow[]; readonly nextCursor: string | null };

export async function listPosted(
  deps: Pick<Deps, "directory">,
  { tenant }: TenantCaller,
  { correlationKey: key, status, cursor, limit }: ListPosted,
): Promise<Result<PostedPage>> {
  const before = cursor === null ? null : positionOf(cursor);
  if (cursor !== null && before === null) return refuse(unknownCursor);
  const names = key === null ? directoriesOf(tenant) : [await directoryOf(tenant, key)];
  const query: PostedQuery = { key, status, before, limit: limit + 1 };
  const pages = await Promise.all(names.map((name) => reach(() => deps.directory(name).list(query), "directory")));
  const failed = pages.find((page) => !page.ok);
  if (failed !== undefined && !failed.ok) return failed;
  const rows = pages.flatMap((page) => (page.ok ? page.value : [])).toSorted(newestFirst);
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return accept({ data, nextCursor: last !== undefined && rows.length > limit ? `${last.at}.${last.event.id}` : null });
}

function newestFirst(a: PostedRow, b: PostedRow): number {
  return b.at - a.at || (a.event.id < b.event.id ? 1 : -1);
}

function positionOf(cursor: string): PostedQuery["before"] {
  const [, at, id] = /^(\d{1,15})\.(.+)$/s.exec(cursor) ?? [];
  return at === undefined || id === undefined ? null : { at: Number(at), id };
}

const unknownCursor = {
  code: "invalid_input",
  message: "The cursor is not one of this list.",
  errors: [{ pointer: "?cursor", code: "invalid", message: "is not a cursor of this list" }],
} as const;
