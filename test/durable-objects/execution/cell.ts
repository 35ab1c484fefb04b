// A cell with its storage in memory, a clock that the test sets, and a runner that never answers.
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

/** The platform's message limit of 128,000 bytes, less about a hundred bytes of its own. */
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
  // The tests of a file share the cache of compiled definitions, which is keyed by id.
  const ref = { id: `def_${crypto.randomUUID()}`, name: definition.name, version: 1 };
  const { command, ...item } = start(execution, "begin", lone(null));
  const { standalone: _none, ...plain } = command as StartCommand; // `start` has created a start command
  return { ...item, command: { ...plain, definition: ref }, definition: JSON.stringify(definition) };
}

/** Ports that replace the defaults. */
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
  let alarmFails = false;
  /** The store refuses every row of these executions. */
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
      // An execution's own cell has few slots for direct calls.
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
      rearm: async (at) => {
        if (alarmFails) throw new Error("the alarm cannot be set");
        disk.setAlarm(at);
      },
      reset: async () => disk.reset(),
    });
  };
  open();
  return {
    projections,
    /** The lines that the cell has logged. */
    lines,
    /** Returns how often the cell has called the queue of projections. */
    sends: () => sends,
    /** While true, the queue of projections refuses every message. */
    queueDown: (yes: boolean) => void (down = yes),
    /** Sets which messages the queue of projections refuses, without a reason. */
    queueRefuses: (which: (message: ProjectionMessage) => boolean) => void (refused = which),
    at: (ms: number) => void (now = T0 + ms),
    /** Opens a new instance of the cell over the same storage. Unsent effects are lost. */
    restart: open,
    /** Deletes the storage, and opens a new instance. */
    empty: () => {
      disk.reset();
      open();
    },
    /** Until the restart, projections are lost. */
    mute: () => void (silent = true),
    breaks: (yes: boolean) => void (failing = yes),
    /** Sets since when the tenant is suspended, as far as the cell knows; null if it is not. */
    suspended: (since: number | null) => void (suspendedAt = since === null ? null : T0 + since),
    /** Makes the head of this execution unreadable; true makes all heads unreadable. */
    cannotRead: (which: boolean | string) => void (unreadable = which),
    cannotWrite: (execution: string, yes = true) =>
      void (yes ? unwritable.add(execution) : unwritable.delete(execution)),
    /** Changes a stored head, as another version of the code might. Then opens a new instance. */
    rewrite: (execution: string, change: (text: string) => string) => {
      disk.rewrite(execution, change);
      open();
    },
    /** Makes the store refuse every row of this execution, except a failed state. */
    onlyFinal: (execution: string) => {
      unwritable.delete(execution);
      unfinished.add(execution);
    },
    quarantined: (execution: string) => disk.storage.heads().find((key) => key.execution === execution)?.quarantined,
    /** Applies all items in one turn. */
    take: (...items: readonly InputItem[]): Promise<readonly Result<AppliedInput>[]> => cell.applyInputs(items),
    /** While true, no alarm can be set outside of a commit. */
    alarmFails: (yes: boolean) => void (alarmFails = yes),
    wake: () => cell.wake(),
    calls: () => calls,
    armedAt: () => disk.alarm(),
    /** Deletes the alarm, as if the platform had lost it. */
    loseAlarm: () => disk.setAlarm(null),
    /** While true, the storage counts as full. */
    full: (yes: boolean) => void (full = yes),
    rollBreaks: (yes: boolean) => void (rollFails = yes),
    /** The number of executions in each written resident row. */
    listed,
    /** Returns the resident and the paged-out executions of a large cell. */
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

/** Returns for each answer the execution and whether it was a repeat, or the refusal's code. */
export function answers(taken: readonly Result<AppliedInput>[]): readonly (readonly [string, boolean] | string)[] {
  return taken.map((each) => (each.ok ? [each.value.state.id, each.value.repeated] : each.refusal.code));
}
