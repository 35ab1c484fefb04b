// Journal reads: an execution's history, from its sealed pages and then the tail. A cursor names a page and an index in
// it. A sealed tail keeps its page number and indexes, so a cursor stays valid.
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
  let [page, index] = parseCursor(query.after);
  const first = firstPage(head);
  if (page < first) [page, index] = [first, 0];
  const tailPage = head.pages + 1;
  const entries: JournalEntry[] = [];
  for (; page <= tailPage; page += 1, index = 0) {
    const all = page === tailPage ? head.tail : storage.readPage(query.execution, page);
    const part = all.slice(index, index + query.limit - entries.length);
    entries.push(...part);
    index += part.length;
    if (entries.length === query.limit) break;
  }
  const hasMore = page < tailPage || (page === tailPage && index < head.tail.length);
  return accept({ entries, nextCursor: hasMore ? `${page}.${index}` : null });
}

/** Searches from the end, because most requests are about recent failures. The entries of a step may span two pages. */
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

/**
 * Returns the page and the index that a cursor names; the start of the journal for null. The route has checked the form
 * of the cursor.
 */
function parseCursor(cursor: string | null): [page: number, index: number] {
  const [page = 1, index = 0] = (cursor ?? "1.0").split(".").map(Number);
  return [page, index];
}
