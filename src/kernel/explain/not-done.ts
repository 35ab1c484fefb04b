// Work that was not done, each with the reason: skipped, canceled and failed runs; waiting, ignored and dropped events;
// timers without effect. Read from the execution's state and the latest entries of its journal.
import type { EvaluatedRule, NotDone } from "#schema/engine/explanation.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import { isHandled, type Run } from "#schema/engine/run.ts";
import { deadLetterId } from "#schema/ids.ts";
import type { Step } from "../execution/current-step.ts";
import { explainRule, contextOfRun } from "../execution/rule-values.ts";

/** All work not done, newest first. */
export function notDoneOf(step: Step, recent: readonly JournalEntry[]): readonly NotDone[] {
  const { runs, buffer } = step.state;
  const known = new Set(runs.map(({ id }) => id));
  const kept = buffer.flatMap(({ message: { type, id }, origin }): NotDone[] =>
    origin === "run"
      ? []
      : [{ what: "event", event: type, id, outcome: "kept", reason: keptReason(recent, id), at: null }],
  );
  const told = recent.flatMap((entry) => entryNotDone(entry, known));
  const found = [...runs.flatMap((run) => runNotDone(step, run, recent)), ...told, ...skippedNodes(step, recent)];
  return [...kept, ...found.toSorted((a, b) => Number(b.at) - Number(a.at))];
}

/**
 * Why an event is kept: `early` or `paused`. The journal entry of the event contains the reason. If that entry is too
 * old to be among the latest entries, the result is `early`.
 */
function keptReason(recent: readonly JournalEntry[], id: string): string {
  const entry = recent.findLast((each) => each.kind === "event_buffered" && each.event.id === id);
  return entry?.kind === "event_buffered" ? entry.reason : "early";
}

function runNotDone(step: Step, run: Run, recent: readonly JournalEntry[]): readonly NotDone[] {
  const { id, action, status, reason, finishedAt, error, deadLetter, heard } = run;
  if ((status !== "skipped" && status !== "canceled" && status !== "failed") || finishedAt === null) return [];
  const condition = reason === "condition_false" ? step.program.actions.get(action)?.condition : undefined;
  return [
    {
      what: "run",
      run: id,
      action,
      status,
      reason: reason ?? consequenceOf(run),
      at: finishedAt,
      ...nextAtOf(skipEntry(run, recent)),
      error,
      heard: heard ? { event: heard.event, state: heard.state } : null,
      deadLetter: deadLetter ? deadLetterId(step.state.id, id) : null,
      conditions:
        condition === undefined
          ? []
          : [conditionAtEvaluation(run, recent, explainRule(step, "condition", condition, contextOfRun(step, run)))],
    },
  ];
}

/**
 * The condition with the values that it read at its evaluation. If the journal entry with these values is too old, the
 * current values are shown instead.
 */
function conditionAtEvaluation(run: Run, recent: readonly JournalEntry[], now: EvaluatedRule): EvaluatedRule {
  const values = skipEntry(run, recent)?.values;
  return values === undefined ? now : { at: now.at, rule: now.rule, result: false, values };
}

type SkipEntry = Extract<JournalEntry, { kind: "run_skipped" }>;

/** The entry of the run's skip. Undefined if the run was not skipped, or if the entry is too old. */
function skipEntry({ id }: Run, recent: readonly JournalEntry[]): SkipEntry | undefined {
  return recent.findLast((each): each is SkipEntry => each.kind === "run_skipped" && each.run === id);
}

function nextAtOf(entry: SkipEntry | undefined): Pick<SkipEntry, "nextAt"> {
  return entry?.nextAt === undefined ? {} : { nextAt: entry.nextAt };
}

/** The reason of a failed run that has stored no reason: how its failure was resolved. */
function consequenceOf(run: Run): string {
  if (isHandled(run)) return "handled";
  return run.deadLetter ? "waits_for_person" : "archived";
}

/** The skipped nodes of a journey. If the node's action has a run, the run is listed instead. */
function skippedNodes({ state }: Step, recent: readonly JournalEntry[]): readonly NotDone[] {
  const { position, runs } = state;
  if (position.kind !== "journey") return [];
  const told = new Set(runs.map(({ action }) => action));
  const at = new Map(recent.flatMap((entry) => (entry.kind === "nodes_skipped" ? instantsIn(entry) : [])));
  return Object.entries(position.nodes).flatMap(([node, { status, reason = "skipped" }]): NotDone[] =>
    status === "skipped" && !told.has(node) ? [{ what: "node", node, reason, at: at.get(node) ?? null }] : [],
  );
}

function instantsIn({ nodes, at }: Extract<JournalEntry, { kind: "nodes_skipped" }>): [string, number][] {
  return nodes.map((node) => [node, at]);
}

function entryNotDone(entry: JournalEntry, known: ReadonlySet<string>): readonly NotDone[] {
  const { at, kind } = entry;
  if (kind === "event_ignored") return ignoredEntry(entry);
  if (kind === "event_dropped") {
    return [{ what: "event", event: entry.type, id: entry.event, outcome: "dropped", reason: entry.reason, at }];
  }
  if (kind === "timer_disarmed") return [{ what: "timer", timer: entry.timer, reason: entry.reason, at }];
  if (kind !== "run_skipped" || known.has(entry.run)) return [];
  const { run, action, reason } = entry;
  const rest = { error: null, heard: null, deadLetter: null, conditions: [] };
  return [{ what: "run", run, action, status: "skipped", reason, at, ...nextAtOf(entry), ...rest }];
}

/** An event or timer that no state has accepted. Empty for the result event of a run. */
function ignoredEntry(entry: Extract<JournalEntry, { kind: "event_ignored" }>): readonly NotDone[] {
  const { type, source, event = null, reason = "no_listener", at } = entry;
  if (event !== null) return [{ what: "event", event: type, id: event, outcome: "ignored", reason, at }];
  return source === "timer" ? [{ what: "timer", timer: type, reason: "no_transition", at }] : [];
}
