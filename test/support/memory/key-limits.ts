// Objects of limits by key, with their rows in memory.
import { KeyLimits } from "#objects/subject/key-limits.ts";
import type { KeyRows } from "#objects/subject/key-rows.ts";
import type { KeyLimitState } from "#policy/gates/by-key/state.ts";
import type { KeyLimitsPort } from "#schema/key-limits/calls.ts";

export function memoryKeyRows(keys = new Map<string, KeyLimitState>()): KeyRows {
  return {
    get: (key) => keys.get(key) ?? null,
    put: (key, state) => void keys.set(key, state),
    drop: (key) => void keys.delete(key),
  };
}

/** The objects of a world. Each is created at its first call. */
export function memoryKeyLimits(now: () => number): (name: string) => KeyLimitsPort {
  const objects = new Map<string, KeyLimits>();
  return (name) => {
    const object = objects.get(name) ?? new KeyLimits({ rows: memoryKeyRows(), now });
    objects.set(name, object);
    return object;
  };
}
