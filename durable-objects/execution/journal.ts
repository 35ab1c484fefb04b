// Journal reads: an execution's history, sealed pages first, then the tail. A cursor names a page and a position in it;
// a tail becomes the page after the last with its positions unchanged, so a cursor never goes stale.
import type { JournalPage, JournalQuery } from "#schema/engine/cell.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Heads } from "./heads/heads.ts";
import { firstPage } from "./heads/retained-pages.ts";
import { refuseAbsent, type Absent } from "./heads/unreadable.ts";
import type { CellStorage, Head } from "./storage.ts";

type Pages = Pick<CellStorage, "readPage">;

export function readJournal(
  heads: Absent & Pick<Heads, "read">,
  storage: Pages,
  query: JournalQuery,
): Result<JournalPage> {
  const head = heads.read(query.execution);
  if (!head) return refuseAbsent(heads, query.execution);
  if (query.seq !== undefined) {
    return accept({ entries: entriesOfStep(head, storage, query, query.seq).slice(0, query.limit), nextCursor: null });
  }
  let [page, place] = parse(query.after);
  const first = firstPage(head);
  if (page < first) [page, place] = [first, 0];
  const entries: JournalEntry[] = [];
  for (; page <= head.pages + 1; page += 1, place = 0) {
    const all = page > head.pages ? head.tail : storage.readPage(query.execution, page);
    const part = all.slice(place, place + query.limit - entries.length);
    entries.push(...part);
    place += part.length;
    if (entries.length === query.limit) break;
  }
  const more = page < head.pages + 1 || (page === head.pages + 1 && place < head.tail.length);
  return accept({ entries, nextCursor: more ? `${page}.${place}` : null });
}

/**
 * From the end, because most requests concern recent failures. A step may begin on the page before the one it ends on.
 */
function entriesOfStep(head: Head, storage: Pages, { execution }: JournalQuery, seq: number): readonly JournalEntry[] {
  const found: JournalEntry[] = [];
  for (let page = head.pages + 1; page >= firstPage(head); page -= 1) {
    const all = page > head.pages ? head.tail : storage.readPage(execution, page);
    found.unshift(...all.filter((entry) => entry.seq === seq));
    const [first] = all;
    if (first !== undefined && first.seq < seq) break;
  }
  return found;
}

/** An invalid cursor reads from the start; the route has checked its form. */
function parse(cursor: string | null): [page: number, place: number] {
  const [page = 1, place = 0] = (cursor ?? "1.0").split(".").map(Number);
  return [page, place];
}
