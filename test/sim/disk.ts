// The storage of a simulated object: rows and one alarm. Rows are stored as text, so that no object is shared with the
// code under test.
import type { Life } from "./kit/evictable.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { QuarantineEntry } from "#schema/engine/quarantine.ts";
import { rowChunks, type PagedOutRow } from "#objects/execution/heads/resident-rows.ts";
import type { HeadKey } from "#objects/execution/heads/key-rows.ts";
import type { CellStorage } from "#objects/execution/storage.ts";
import { dedupDigest, keyOf } from "#schema/ids.ts";
import { DEDUP_LATEST_MAX } from "#schema/limits/executions.ts";

type Row = Omit<HeadKey, "execution"> & { readonly body: string };
type Place = { readonly execution: string; readonly page: number };

export type Disk = {
  readonly storage: CellStorage;
  readonly setAlarm: (at: number | null) => void;
  readonly alarm: () => number | null;
  /** Changes the text of a stored head directly, as another version would leave it. */
  readonly rewrite: (execution: string, change: (text: string) => string) => void;
  /** Counts how often the alarm was set. */
  readonly alarmsSet: () => number;
  readonly executions: () => readonly string[];
  /** Deletes everything, including the alarm. */
  readonly reset: () => void;
};

export type Hooks = {
  /** Called when a head is written; throwing rolls back all writes of the same transaction. */
  readonly writing?: (execution: string, hasFailed: boolean, touched: ReadonlySet<string>) => void;
  /** Called inside the transaction after all writes; throwing rolls it back. */
  readonly beforeCommit: () => void;
  readonly committed: (executions: readonly string[], removed: readonly string[]) => void;
  readonly alarmChanged: () => void;
};

const HEAD = 0;
const QUARANTINE = -1;
const DEFINITION = "definition:";
const POOL = "pool:";
const plain = { wakeAt: null, turn: 0, sent: 0 };

export function openDisk(hooks: Hooks): Disk {
  const rows = new Map<string, Map<number, Row>>();
  let alarm: number | null = null;
  let alarmsSet = 0;
  /** Setting the alarm to its current time counts too, because the alarm that is firing has ended by then. */
  let alarmSet = false;
  let undo: (() => void)[] | null = null;
  let touched = new Set<string>();
  let removed = new Set<string>();

  const put = ({ execution, page }: Place, row: Row | null): void => {
    const pages = rows.get(execution) ?? new Map<number, Row>();
    const before = pages.get(page) ?? null;
    undo?.push(() => (before ? pages.set(page, before) : pages.delete(page)));
    rows.set(execution, pages);
    if (row) pages.set(page, row);
    else pages.delete(page);
  };
  const body = (execution: string, page: number): string | null => rows.get(execution)?.get(page)?.body ?? null;
  /** null: the cell has no resident index. */
  let residentRows: readonly PagedOutRow[] | null = null;
  const rolled = (after: readonly PagedOutRow[]): void => {
    const before = residentRows;
    undo?.push(() => (residentRows = before));
    residentRows = after;
  };
  const add = (slot: number, executions: readonly string[], before = residentRows ?? []): void =>
    rolled([...before, { slot, id: Math.max(0, ...before.map(({ id }) => id)) + 1, executions }]);

  /** Runs work that is stored together: if it throws, none of it is stored. */
  const orUndone = (work: () => void): void => {
    const [mark, before, alarmBefore] = [undo?.length ?? 0, { touched, removed }, alarm];
    touched = new Set();
    removed = new Set();
    try {
      work();
      hooks.beforeCommit();
      before.touched = new Set([...before.touched, ...touched]);
      before.removed = new Set([...before.removed, ...removed]);
    } catch (fault) {
      for (const back of (undo ?? []).splice(mark).toReversed()) back();
      alarm = alarmBefore;
      throw fault;
    } finally {
      ({ touched, removed } = before);
    }
  };

  const storage: CellStorage = {
    residentRows: {
      isLargeCell: () => residentRows !== null,
      residents: () => (residentRows ?? []).flatMap(({ slot, executions }) => (slot === 0 ? executions : [])),
      addResidents: (executions) => add(0, executions),
      replaceResidents: (executions) => {
        const far = (residentRows ?? []).filter(({ slot }) => slot > 0);
        add(0, executions, far);
      },
      addPagedOut: (slot, executions) => {
        for (const part of rowChunks(executions)) add(slot, part);
      },
      firstPagedOut: () =>
        (residentRows ?? []).filter(({ slot }) => slot > 0).toSorted((a, b) => a.slot - b.slot || a.id - b.id)[0] ??
        null,
      pagedOutOf: (wanted, rowsMax) =>
        (residentRows ?? [])
          .filter(({ slot }) => slot === wanted)
          .toSorted((a, b) => a.id - b.id)
          .slice(0, rowsMax),
      removePagedOut: (row) =>
        rolled((residentRows ?? []).filter(({ slot, id }) => slot !== row.slot || id !== row.id)),
    },
    keys: (executions) => storage.heads().filter(({ execution }) => executions.includes(execution)),
    hasHeads: () => storage.heads().length > 0,
    sameDedupKey: (execution) => {
      const same = storage.heads().filter((key) => dedupDigest(key.execution) === dedupDigest(execution));
      return same
        .map((key) => key.execution)
        .toSorted()
        .toReversed()
        .slice(0, DEDUP_LATEST_MAX);
    },
    idsInRange: ({ from, to }, after, count) =>
      storage
        .heads()
        .map(({ execution }) => execution)
        .filter((execution) => {
          const key = keyOf(execution);
          return key !== null && key >= from && (to === null || key < to) && execution > (after ?? "");
        })
        .toSorted()
        .slice(0, count),
    heads: () =>
      [...rows].flatMap(([execution, pages]) => {
        const row = pages.get(HEAD);
        const apart = pages.get(QUARANTINE);
        const quarantined = apart ? { quarantined: JSON.parse(apart.body) as QuarantineEntry } : {};
        return row && row.turn > 0
          ? [{ execution, wakeAt: row.wakeAt, turn: row.turn, sent: row.sent, ...quarantined }]
          : [];
      }),
    headBody: (execution) => body(execution, HEAD),
    countPages: (execution) => Math.max(0, ...(rows.get(execution)?.keys() ?? [])),
    writeHead: (head, { execution, ...key }) => {
      hooks.writing?.(execution, head.state.status === "failed", touched);
      touched.add(execution);
      const text = JSON.stringify(head);
      put({ execution, page: HEAD }, { ...key, body: text });
      return text.length;
    },
    readPage: (execution, page) => parsed<JournalEntry[]>(body(execution, page)) ?? [],
    writePage: (execution, page, entries) => put({ execution, page }, { ...plain, body: JSON.stringify(entries) }),
    dropPage: (execution, page) => put({ execution, page }, null),
    hasDefinition: (key) => body(DEFINITION + key, HEAD) !== null,
    readDefinition: (key) => body(DEFINITION + key, HEAD),
    readPool: () => body(POOL, HEAD),
    writePool: (text) => put({ execution: POOL, page: HEAD }, { ...plain, body: text }),
    writeDefinition: (key, text) => put({ execution: DEFINITION + key, page: HEAD }, { ...plain, body: text }),
    writeQuarantine: (execution, quarantined) =>
      put({ execution, page: QUARANTINE }, quarantined && { ...plain, body: JSON.stringify(quarantined) }),
    isFull: () => false,
    remove: (execution) => {
      removed.add(execution);
      for (const page of [...(rows.get(execution)?.keys() ?? [])]) put({ execution, page }, null);
    },
    atomically: (work) => {
      if (undo !== null) return orUndone(work);
      storage.together(() => orUndone(work));
    },
    together: (work) => {
      undo = [];
      touched = new Set();
      removed = new Set();
      alarmSet = false;
      const alarmBefore = alarm;
      let made;
      try {
        made = work();
      } catch (fault) {
        for (const back of undo.toReversed()) back();
        alarm = alarmBefore;
        throw fault;
      } finally {
        undo = null;
      }
      if (alarmSet) hooks.alarmChanged();
      hooks.committed([...touched], [...removed]);
      return made;
    },
  };
  return {
    storage,
    setAlarm: (at) => {
      alarm = at;
      alarmsSet += 1;
      alarmSet = true;
      if (undo === null) hooks.alarmChanged();
    },
    alarm: () => alarm,
    alarmsSet: () => alarmsSet,
    rewrite: (execution, change) => {
      const row = rows.get(execution)?.get(HEAD);
      if (row) rows.get(execution)?.set(HEAD, { ...row, body: change(row.body) });
    },
    reset: () => {
      rows.clear();
      residentRows = null;
      alarm = null;
      hooks.alarmChanged();
    },
    executions: () => storage.heads().map(({ execution }) => execution),
  };
}

function parsed<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T); // written by this file from a T
}

/** Storage for an object that may be evicted: its code may still run, but nothing that it writes is stored. */
export function fenced(storage: CellStorage, life: Life): CellStorage {
  const living =
    <A extends unknown[], R>(work: (...args: A) => R) =>
    (...args: A): R => {
      if (!life.alive) throw new Error("the object was reset");
      return work(...args);
    };
  const { residentRows } = storage;
  return {
    residentRows: {
      isLargeCell: living(residentRows.isLargeCell),
      residents: living(residentRows.residents),
      addResidents: living(residentRows.addResidents),
      replaceResidents: living(residentRows.replaceResidents),
      addPagedOut: living(residentRows.addPagedOut),
      firstPagedOut: living(residentRows.firstPagedOut),
      pagedOutOf: living(residentRows.pagedOutOf),
      removePagedOut: living(residentRows.removePagedOut),
    },
    keys: living(storage.keys),
    hasHeads: living(storage.hasHeads),
    sameDedupKey: living(storage.sameDedupKey),
    idsInRange: living(storage.idsInRange),
    readPool: living(storage.readPool),
    writePool: living(storage.writePool),
    heads: living(storage.heads),
    writeHead: living(storage.writeHead),
    headBody: living(storage.headBody),
    countPages: living(storage.countPages),
    writeQuarantine: living(storage.writeQuarantine),
    readPage: living(storage.readPage),
    writePage: living(storage.writePage),
    dropPage: living(storage.dropPage),
    hasDefinition: living(storage.hasDefinition),
    readDefinition: living(storage.readDefinition),
    writeDefinition: living(storage.writeDefinition),
    isFull: living(storage.isFull),
    remove: living(storage.remove),
    atomically: living(storage.atomically),
    together: living((work) =>
      storage.together(() => {
        const made = work();
        if (!life.alive) throw new Error("the object was reset");
        return made;
      }),
    ),
  };
}
