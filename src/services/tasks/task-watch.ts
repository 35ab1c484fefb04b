// Task reminders and escalations: computes when the next reminder and the escalation of an open task are due. They
// depend on the task's config, its creation and its due date. Times in the past are dropped.
import { resolveDelay } from "#kernel/language/timing.ts";
import { defaults } from "#schema/defaults.ts";
import { lengthMs } from "#schema/definition/duration-text.ts";
import type { Reminding, TaskWatch } from "#schema/engine/own-task.ts";
import type { EscalateTo, Reminder } from "#schema/task.ts";

export type WatchedTask = {
  readonly reminder?: Reminder | undefined;
  readonly escalateTo?: EscalateTo | undefined;
  readonly timezone?: string | undefined;
  readonly createdAt: number;
  readonly dueAt: number | null;
  readonly isEscalated: boolean;
};

export function taskWatch(watched: WatchedTask, now: number): TaskWatch {
  const { escalateTo, isEscalated } = watched;
  const escalateAt = !escalateTo || isEscalated ? null : escalationAt(escalateTo.after, watched);
  return { remind: nextReminder(watched, now), escalateAt };
}

/** Returns the time of the escalation. Without `after`, it is the due date. */
function escalationAt(after: string | undefined, watched: WatchedTask): number | null {
  return after === undefined ? watched.dueAt : addLength(watched.createdAt, after, watched);
}

function nextReminder(watched: WatchedTask, now: number): Reminding | null {
  const first = firstReminderAt(watched);
  if (first === null || !watched.reminder) return null;
  const { every, times = every === undefined ? 1 : defaults.reminderTimes } = watched.reminder;
  const everyMs = every === undefined ? null : lengthMs(every);
  const passed = first > now ? 0 : everyMs === null ? 1 : Math.floor((now - first) / everyMs) + 1;
  if (passed >= times) return null;
  return { at: first + passed * (everyMs ?? 0), everyMs, given: passed, left: times - passed };
}

function firstReminderAt(watched: WatchedTask): number | null {
  const { reminder, createdAt, dueAt } = watched;
  if (!reminder) return null;
  const { after = reminder.every, before } = reminder;
  if (before !== undefined) return dueAt === null ? null : addLength(dueAt, `-${before.replace(/^\+/, "")}`, watched);
  return after === undefined ? null : addLength(createdAt, after, watched);
}

/**
 * Adds a duration to a time. Months and days follow the calendar of the task's time zone. Returns null if the result is
 * outside of the calendar's range.
 */
function addLength(from: number, length: string, { timezone = "UTC" }: WatchedTask): number | null {
  // resolveDelay moves or skips an instant before `now`. With `now` 0, it returns past instants unchanged.
  const anchor = { anchor: from, offset: length };
  const resolved = resolveDelay(anchor, { now: 0, timezone, delays: {}, scope: {} });
  return resolved.ok ? resolved.at : null;
}
