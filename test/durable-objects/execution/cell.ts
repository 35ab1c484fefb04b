// A cell on a disk in memory, with a clock that is set by hand and a provider that never answers by itself.
import { openCalls, type Calls } from "#objects/execution/calls.ts";
import type { Ports } from "#objects/execution/ports.ts";
import { openCell, type CellEngine } from "#objects/execution/cell.ts";
import type { InputItem, AppliedInput } from "#objects/execution/apply-input.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { StartCommand } from "#schema/engine/input.ts";
import type { ProjectionMessage } from "#schema/engine/projection.ts";
import type { Result } from "#schema/refusal.ts";
import { ACTION_REF, type Standalone } from "#schema/definition/standalone.ts";
import { HEADS_IN_MEMORY } from "#schema/limits/large-cells.ts";
import { action, T0 } from "#test/support/drive.ts";
import { openDisk } from "#test/sim/disk.ts";

/** As the platform does: 128,000 bytes, about a hundred of them its own. */
const QUEUE_TAKES_BYTES = 127_900;

export const actor = { kind: "key", id: "key_1" } as const;

export function lone(dedup: Standalone["dedup"]): Standalone {
  return { action: action("call", { lane: "queue", retryPolicy: { maxAttempts: 1 } }), dedup };
}

export function start(execution: string, inputId: string, standalone: Standalone): InputItem {
  const command: StartCommand = {
    kind: "start",
    inputId,
    execution,
    tenant: "acme",
    namespace: "default",
    definition: ACTION_REF,
    placement: "pooled",
    variables: {},
    correlationId: null,
    fingerprint: "f",
    actor,
    standalone,
  };
  return { execution, command, definition: null, direct: false };
}

export function begin(execution: string, definition: Definition): InputItem {
  // Compiled definitions are known by their ids, and files share what has been compiled.
  const ref = { id: `def_${crypto.randomUUID()}`, name: definition.name, version: 1 };
  const { command, ...item } = start(execution, "begin", lone(null));
  const { standalone: _none, ...plain } = command as StartCommand; // a start is made above
  return { ...item, command: { ...plain, definition: ref }, definition: JSON.stringify(definition) };
}

/** `more`: ports that a test wants otherwise. */
export function openTestCell(more: Partial<Ports> = {}) {
  let failing = false;
  let rollFails = false;
  let full = false;
  let silent = false;
  let down = false;
  let refused: (message: ProjectionMessage) => boolean = () => false;
  let unreadable: boolean | string = false;
  let suspendedAt: number | null = null;
  let now = T0;
  let cell: CellEngine;
  let calls: Calls;
  const projections: ProjectionMessage[] = [];
  const lines: Record<string, unknown>[] = [];
  let sends = 0;
  /** Rows of these executions are refused, whatever is in them. */
  const unwritable = new Set<string>();
  const unfinished = new Set<string>();
  const disk = openDisk({
    beforeCommit: () => {
      if (failing) throw new Error("the store could not write");
    },
    committed: () => {},
    alarmChanged: () => {},
  });
  const headBody = (execution: string) => {
    if (unreadable === true || unreadable === execution) throw new Error("the store could not read");
    return disk.storage.headBody(execution);
  };
  const writeHead: typeof disk.storage.writeHead = (head, key) => {
    const characters = disk.storage.writeHead(head, key);
    const isHalf = unfinished.has(key.execution) && head.state.error === null;
    if (unwritable.has(key.execution) || isHalf) throw new Error("the store refuses this row");
    return characters;
  };
  const listed: number[] = [];
  const unlessRollBreaks = (write: (executions: readonly string[]) => void) => (executions: readonly string[]) => {
    if (rollFails) throw new Error("the store refuses the roll");
    write(executions);
  };
  const addResidents = unlessRollBreaks((executions) => {
    listed.push(executions.length);
    disk.storage.residentRows.addResidents(executions);
  });
  const replaceResidents = unlessRollBreaks(disk.storage.residentRows.replaceResidents);
  const open = (): void => {
    silent = false;
    const ports: Ports = {
      // Of its own: it has few places for flights.
      name: "acme/exe_1",
      storage: {
        ...disk.storage,
        isFull: () => full,
        headBody,
        writeHead,
        residentRows: { ...disk.storage.residentRows, addResidents, replaceResidents },
      },
      headsInMemory: HEADS_IN_MEMORY,
      now: () => now,
      suspendedAt: () => suspendedAt,
      refreshSuspension: async () => {},
      inspect: () => {},
      setAlarm: disk.setAlarm,
      runAfter: (_ms, work) => work(),
      runWhenDue: () => {},
      sendActions: async () => {},
      sendSlowActions: async () => {},
      sendOutboxes: async () => {},
      sendProjection: (message) => {
        if (silent) return new Promise(() => {});
        sends += 1;
        const bytes = new TextEncoder().encode(JSON.stringify(message)).byteLength;
        if (down || refused(message)) return Promise.reject(new Error("Queue send failed: internal error"));
        if (bytes > QUEUE_TAKES_BYTES) return Promise.reject(new Error("Queue send failed: Payload Too Large"));
        projections.push(message);
        return Promise.resolve();
      },
      callRunner: () => new Promise(() => {}),
      publish: () => {},
      log: (line) => void lines.push(line),
      ...more,
    };
    cell = openCell(ports);
    calls = openCalls(cell, {
      ...ports,
      getAlarm: async () => disk.alarm(),
      rearm: async (at) => disk.setAlarm(at),
      reset: async () => disk.reset(),
    });
  };
  open();
  return {
    projections,
    /** What it logged. */
    lines,
    /** How often it went to the queue of projections. */
    sends: () => sends,
    /** That queue takes nothing. */
    queueDown: (yes: boolean) => void (down = yes),
    /** That queue refuses such messages, and does not say why. */
    queueRefuses: (which: (message: ProjectionMessage) => boolean) => void (refused = which),
    at: (ms: number) => void (now = T0 + ms),
    /** Its memory goes, and with it what it had still to send. */
    restart: open,
    /** All that it held is over, and so is its memory. */
    empty: () => {
      disk.reset();
      open();
    },
    /** Until the restart, nothing it sends the catalog arrives. */
    mute: () => void (silent = true),
    breaks: (yes: boolean) => void (failing = yes),
    /** Since that moment its tenant is suspended, as far as it knows; null: it goes on. */
    suspended: (since: number | null) => void (suspendedAt = since === null ? null : T0 + since),
    /** The head of this execution, or of all. */
    cannotRead: (which: boolean | string) => void (unreadable = which),
    cannotWrite: (execution: string, yes = true) =>
      void (yes ? unwritable.add(execution) : unwritable.delete(execution)),
    /** Behind the cell's back, as another version of the code would leave it. Its memory goes with that. */
    rewrite: (execution: string, change: (text: string) => string) => {
      disk.rewrite(execution, change);
      open();
    },
    /** Of this one, nothing but its end can be stored. */
    onlyFinal: (execution: string) => {
      unwritable.delete(execution);
      unfinished.add(execution);
    },
    quarantined: (execution: string) => disk.storage.heads().find((key) => key.execution === execution)?.quarantined,
    /** All in one turn. */
    take: (...items: readonly InputItem[]): Promise<readonly Result<AppliedInput>[]> => cell.applyInputs(items),
    wake: () => cell.wake(),
    calls: () => calls,
    armedAt: () => disk.alarm(),
    /** The platform lost it. */
    loseAlarm: () => disk.setAlarm(null),
    /** It holds as much as an object may. */
    full: (yes: boolean) => void (full = yes),
    rollBreaks: (yes: boolean) => void (rollFails = yes),
    /** How many each row was written for that came to those in memory. */
    listed,
    /** Whom a crowded cell has in memory, and whom it takes in by itself. */
    roll: () => {
      const { residents: near, firstPagedOut, removePagedOut } = disk.storage.residentRows;
      const rows = [];
      for (let row = firstPagedOut(); row !== null; row = firstPagedOut()) {
        rows.push(row);
        removePagedOut(row);
      }
      for (const { slot, executions } of rows) disk.storage.residentRows.addPagedOut(slot, executions);
      return { near: near(), far: rows.flatMap(({ executions }) => executions) };
    },
    isStored: (execution: string) => disk.executions().includes(execution),
    read: (execution: string) => cell.read(execution),
  };
}

/** What it was answered with: an action, and whether that was there already. */
export function answers(taken: readonly Result<AppliedInput>[]): readonly (readonly [string, boolean] | string)[] {
  return taken.map((each) => (each.ok ? [each.value.state.id, each.value.repeated] : each.refusal.code));
}
