// Builds the pages of a list: rows in key order, and an opaque cursor that encodes the last row's position. New rows
// never shift a page.
import type { z } from "zod";
import { accept, refuse, type Result } from "#schema/refusal.ts";

export type Page<T> = { readonly data: readonly T[]; readonly nextCursor: string | null };

/** `stoppedEarly`: the search read its most rows before the page was full, although later rows may match. */
export type SearchPage<T> = Page<T> & { readonly stoppedEarly: boolean };

/** Cuts the rows of a list query to a page. The query reads one row more than `limit`, to detect a next page. */
export function pageOf<T>(
  rows: readonly T[],
  limit: number,
  position: (last: T) => readonly (string | number)[],
): Page<T> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return { data, nextCursor: last !== undefined && rows.length > limit ? encodeCursor(position(last)) : null };
}

export function encodeCursor(position: readonly (string | number)[]): string {
  const bytes = new TextEncoder().encode(JSON.stringify(position));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Decodes a client's cursor. A cursor contains a position only; the tenant always comes from the API key. */
export function decodeCursor<T>(cursor: string | null, position: z.ZodType<T>): Result<T | null> {
  if (cursor === null) return accept(null);
  const parsed = position.safeParse(parseCursor(cursor));
  if (parsed.success) return accept(parsed.data);
  const message = "This cursor does not belong to this list.";
  return refuse({ code: "invalid_input", message, errors: [{ pointer: "/cursor", code: "invalid_cursor", message }] });
}

function parseCursor(cursor: string): unknown {
  try {
    const binary = atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0))));
  } catch {
    return null;
  }
}
