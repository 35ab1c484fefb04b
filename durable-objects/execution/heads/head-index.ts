// Which executions live in a cell, and when each must be looked at: the keys of their head rows, all in memory.
import { openKeyed } from "./dedup-keys.ts";
import type { HeadKey } from "../storage.ts";
import { openWakes } from "./wakes.ts";

export type HeadIndex = {
  readonly get: (execution: string) => HeadKey | undefined;
  readonly place: (key: HeadKey) => void;
  readonly remove: (execution: string) => void;
  /** Should `work` throw, whatever it placed and removed is as it was before. */
  readonly undoably: (work: () => void) => void;
  readonly due: (now: number, count: number) => readonly string[];
  readonly earliest: () => number | null;
  /** The latest actions with the dedup key of this one's id. */
  readonly sameKey: (execution: string) => readonly string[];
  readonly size: () => number;
};

export function openHeadIndex(keys: readonly HeadKey[]): HeadIndex {
  const index = new Map<string, HeadKey>(keys.map((key) => [key.execution, key]));
  const wakes = openWakes(index);
  const keyed = openKeyed(index.keys());
  let before: Map<string, HeadKey | undefined> | null = null;

  const note = (execution: string): void => {
    if (before !== null && !before.has(execution)) before.set(execution, index.get(execution));
  };

  const place = (key: HeadKey): void => {
    note(key.execution);
    const was = index.get(key.execution);
    index.set(key.execution, key);
    if (!was) keyed.add(key.execution);
    if (key.wakeAt !== was?.wakeAt) wakes.moved(key.execution);
  };

  const remove = (execution: string): void => {
    note(execution);
    index.delete(execution);
    keyed.remove(execution);
  };

  const undo = (noted: ReadonlyMap<string, HeadKey | undefined>): void => {
    for (const [execution, key] of noted) {
      if (key) place(key);
      else remove(execution);
    }
  };

  return {
    get: (execution) => index.get(execution),
    place,
    remove,
    undoably: (work) => {
      const noted = new Map<string, HeadKey | undefined>();
      before = noted;
      try {
        work();
      } catch (fault) {
        before = null;
        undo(noted);
        throw fault;
      } finally {
        before = null;
      }
    },
    due: (now, count) => dueOf(index.values(), now, count),
    earliest: wakes.earliest,
    sameKey: keyed.latest,
    size: () => index.size,
  };
}

function dueOf(keys: Iterable<HeadKey>, now: number, count: number): readonly string[] {
  const due: string[] = [];
  for (const { execution, wakeAt } of keys) {
    if (wakeAt === null || wakeAt > now) continue;
    due.push(execution);
    if (due.length === count) break;
  }
  return due;
}
