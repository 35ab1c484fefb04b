// Effects of an execution, read from its journal: each run that took effect or may have, and whether an execution that
// restarts at a place repeats it. Called by the restart of an execution.
import { STARTING_TYPE } from "#schema/engine/child.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { ListedResult, RestartPoint, Repeat, RepeatReason } from "#schema/family/restart.ts";
import type { Position } from "#schema/engine/state.ts";
import { TASK_SOURCE } from "#schema/task.ts";
import type { JsonObject } from "#schema/json.ts";
import { isPlainObject } from "../../language/json-values.ts";
import type { Program } from "../program.ts";
import { mayHaveActed } from "../attempts.ts";

type Asked = {
  readonly program: Program;
  /** The last position of the earlier execution. */
  readonly position: Position;
  readonly from: RestartPoint;
  readonly repeat: Repeat;
};

type Made = Omit<ListedResult, "because" | "index"> & {
  readonly index: number;
  readonly seen: number;
  readonly asks: boolean;
  readonly isDone: boolean;
};

/** The effects, in the order of execution. */
export function effectsMade(asked: Asked, entries: readonly JournalEntry[]): readonly ListedResult[] {
  const { from } = asked;
  const runs = new Map<string, Made>();
  const counts = new Map<string, number>();
  let entered = -1;
  entries.forEach((entry, seen) => {
    if (entry.kind === "moved" && "state" in from && enters(entry, from.state)) entered = seen;
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
        seen,
        asks: false,
        isDone: false,
      });
    }
    const made = "run" in entry && typeof entry.run === "string" ? runs.get(entry.run) : undefined;
    if (made) runs.set(made.run, after(asked.program, made, entry, seen));
    hear(runs, entry);
  });
  const again = asked.program.nodes?.again(asked.position, from) ?? null;
  return [...runs.values()]
    .filter(({ isDone, isKnown }) => isDone || !isKnown)
    .toSorted((a, b) => a.at - b.at)
    .map((made) => listed(asked, made, again === null ? made.seen < entered : !again.has(made.action)));
}

function enters({ from, to }: Extract<JournalEntry, { kind: "moved" }>, state: string): boolean {
  return standsIn(to, state) && !(from !== null && standsIn(from, state));
}

/**
 * Whether the names in a `moved` entry, which are paths of innermost states, include the state or a state inside it.
 */
function standsIn(named: string, state: string): boolean {
  return named.split(", ").some((leaf) => `${leaf}.`.startsWith(`${state}.`));
}

function after({ actions }: Program, made: Made, entry: JournalEntry, seen: number): Made {
  const { kind, at } = entry;
  if (kind === "run_claimed") {
    return entry.config === null ? made : { ...made, asks: asksSomebody(actions.get(made.action)?.type, entry.config) };
  }
  const isEnd = kind === "run_settled" || kind === "run_passed_over";
  if (isEnd && entry.outcome.ok) {
    const { result, events } = entry.outcome;
    const heard = kind === "run_passed_over" && entry.heard ? { heard: entry.heard, asks: true } : {};
    return { ...made, at, seen, result, events, isKnown: true, isDone: true, ...heard };
  }
  const error = isEnd && !entry.outcome.ok ? entry.outcome.error : errorIn(entry);
  return error === null || made.isDone || !mayHaveActed(error) ? made : { ...made, at, seen, isKnown: false };
}

function errorIn(entry: JournalEntry): ActionError | null {
  if (entry.kind === "run_canceled") return entry.error ?? null;
  return entry.kind === "run_retry" || entry.kind === "run_failed" ? entry.error : null;
}

/** True if the run waits for a child or a task: its start alone is only half of the effect. */
function asksSomebody(type: string | undefined, { wait, operation = "create" }: JsonObject): boolean {
  return type === STARTING_TYPE ? wait === true : type === "task" && operation === "create";
}

function hear(runs: Map<string, Made>, entry: JournalEntry): void {
  if (entry.kind !== "event_received" && entry.kind !== "event_buffered") return;
  const { type, payload, source } = entry.event;
  const made = isAnswer(source, type) && isPlainObject(payload) ? runs.get(String(payload["run"])) : undefined;
  if (made) runs.set(made.run, { ...made, heard: { type, payload: payload as JsonObject, source } });
}

function isAnswer(source: string, type: string): boolean {
  if (source === "execution") return type.startsWith("child_");
  return source === TASK_SOURCE && (type === "task_completed" || type === "task_canceled");
}

function listed(
  asked: Asked,
  { seen: _seen, asks, isDone: _done, index, ...made }: Made,
  isBefore: boolean,
): ListedResult {
  const because = reasonFor(asked, { ...made, asks }, isBefore);
  const isRepeated = asked.program.nodes?.isRepeated(made.action) === true;
  return { ...made, ...(isRepeated ? { index } : {}), because };
}

type Judged = Pick<Made, "action" | "isKnown" | "asks"> & Pick<Partial<Made>, "heard">;

function reasonFor({ program, repeat }: Asked, made: Judged, isBefore: boolean): RepeatReason | null {
  const { action, isKnown, asks, heard } = made;
  if (program.ticks) return program.ticks.repeats;
  if (isBefore) return "before";
  if (!isKnown) return "not_known";
  if (repeat === "all" || (repeat !== "none" && repeat.includes(action))) return "repeat_asked";
  if (program.actions.get(action)?.schedule !== undefined) return "scheduled";
  return asks && heard === undefined ? "not_answered" : null;
}
