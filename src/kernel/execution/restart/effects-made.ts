// Effects of an execution, read from its journal: the runs that took effect or may have taken effect. For a restart at
// a state or node, decides for each effect whether the restart repeats it.
import { STARTING_TYPE } from "#schema/engine/child.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { ListedResult, RestartPoint, Repeat, RepeatReason } from "#schema/family/restart.ts";
import type { Position } from "#schema/engine/state.ts";
import { TASK_SOURCE } from "#schema/task.ts";
import type { JsonObject } from "#schema/json.ts";
import { isPlainObject } from "../../language/json-values.ts";
import type { Program } from "../program.ts";
import { mayHaveActed } from "../possible-repeats.ts";

type RestartQuery = {
  readonly program: Program;
  /** The last position of the earlier execution. */
  readonly position: Position;
  readonly from: RestartPoint;
  readonly repeat: Repeat;
};

type RunEffect = Omit<ListedResult, "because" | "index"> & {
  readonly index: number;
  readonly lastEntry: number;
  readonly waits: boolean;
  readonly isDone: boolean;
};

/** The effects of the execution, sorted by their instants. */
export function effectsMade(asked: RestartQuery, entries: readonly JournalEntry[]): readonly ListedResult[] {
  const { from } = asked;
  const runs = new Map<string, RunEffect>();
  const counts = new Map<string, number>();
  let entered = -1;
  entries.forEach((entry, lastEntry) => {
    if (entry.kind === "moved" && "state" in from && enters(entry, from.state)) entered = lastEntry;
    if (entry.kind === "run_created") {
      const { run, action, at } = entry;
      const index = counts.get(action) ?? 0;
      counts.set(action, index + 1);
      runs.set(run, {
        run,
        action,
        at,
        index,
        result: null,
        events: [],
        isKnown: true,
        lastEntry: lastEntry,
        waits: false,
        isDone: false,
      });
    }
    const made = "run" in entry && typeof entry.run === "string" ? runs.get(entry.run) : undefined;
    if (made) runs.set(made.run, effectAfter(asked.program, made, entry, lastEntry));
    addResponse(runs, entry);
  });
  const again = asked.program.nodes?.restartedActions(asked.position, from) ?? null;
  return [...runs.values()]
    .filter(({ isDone, isKnown }) => isDone || !isKnown)
    .toSorted((a, b) => a.at - b.at)
    .map((made) => listedEffect(asked, made, again === null ? made.lastEntry < entered : !again.has(made.action)));
}

function enters({ from, to }: Extract<JournalEntry, { kind: "moved" }>, state: string): boolean {
  return isActiveIn(to, state) && !(from !== null && isActiveIn(from, state));
}

/**
 * Whether a `moved` entry names the state or a state inside it. Such an entry lists the paths of the innermost active
 * states only.
 */
function isActiveIn(named: string, state: string): boolean {
  return named.split(", ").some((leaf) => `${leaf}.`.startsWith(`${state}.`));
}

function effectAfter({ actions }: Program, made: RunEffect, entry: JournalEntry, lastEntry: number): RunEffect {
  const { kind, at } = entry;
  if (kind === "run_claimed") {
    return entry.config === null
      ? made
      : { ...made, waits: waitsForResponse(actions.get(made.action)?.type, entry.config) };
  }
  const isEnd = kind === "run_settled" || kind === "run_reused";
  if (isEnd && entry.outcome.ok) {
    const { result, events } = entry.outcome;
    const heard = kind === "run_reused" && entry.heard ? { heard: entry.heard, waits: true } : {};
    return { ...made, at, lastEntry, result, events, isKnown: true, isDone: true, ...heard };
  }
  const error = isEnd && !entry.outcome.ok ? entry.outcome.error : errorIn(entry);
  return error === null || made.isDone || !mayHaveActed(error) ? made : { ...made, at, lastEntry, isKnown: false };
}

function errorIn(entry: JournalEntry): ActionError | null {
  if (entry.kind === "run_canceled") return entry.error ?? null;
  return entry.kind === "run_retry" || entry.kind === "run_failed" ? entry.error : null;
}

/** True if the run waits for the end of a child or task. The effect is complete only when that end has arrived. */
function waitsForResponse(type: string | undefined, { wait, operation = "create" }: JsonObject): boolean {
  return type === STARTING_TYPE ? wait === true : type === "task" && operation === "create";
}

function addResponse(runs: Map<string, RunEffect>, entry: JournalEntry): void {
  if (entry.kind !== "event_received" && entry.kind !== "event_buffered") return;
  const { type, payload, source } = entry.event;
  const made = isResponse(source, type) && isPlainObject(payload) ? runs.get(String(payload["run"])) : undefined;
  if (made) runs.set(made.run, { ...made, heard: { type, payload: payload as JsonObject, source } });
}

function isResponse(source: string, type: string): boolean {
  if (source === "execution") return type.startsWith("child_");
  return source === TASK_SOURCE && (type === "task_completed" || type === "task_canceled");
}

function listedEffect(
  asked: RestartQuery,
  { lastEntry: _seen, waits, isDone: _done, index, ...made }: RunEffect,
  isBefore: boolean,
): ListedResult {
  const because = reasonFor(asked, { ...made, waits }, isBefore);
  const isRepeated = asked.program.nodes?.isRepeated(made.action) === true;
  return { ...made, ...(isRepeated ? { index } : {}), because };
}

type JudgedEffect = Pick<RunEffect, "action" | "isKnown" | "waits"> & Pick<Partial<RunEffect>, "heard">;

function reasonFor({ program, repeat }: RestartQuery, made: JudgedEffect, isBefore: boolean): RepeatReason | null {
  const { action, isKnown, waits, heard } = made;
  if (program.ticks) return program.ticks.repeats;
  if (isBefore) return "before";
  if (!isKnown) return "not_known";
  if (repeat === "all" || (repeat !== "none" && repeat.includes(action))) return "repeat_requested";
  if (program.actions.get(action)?.schedule !== undefined) return "scheduled";
  return waits && heard === undefined ? "not_answered" : null;
}
