// Checks of an execution's journal, read from the front: numbers grow, nothing is dispatched while it is paused, and a
// final status stays.
import type { JournalEntry } from "#schema/engine/journal.ts";

type Standing = "live" | "paused" | "final";

export function followSteps(
  known: readonly JournalEntry[],
  fresh: readonly JournalEntry[],
  seq: number,
): readonly string[] {
  const problems: string[] = [];
  let before = known.at(-1);
  let standing = standingAfter(known);
  const redriven = new Set(known.flatMap(redrivenIn));
  const held = new Set(known.reduce(heldAfter, [] as readonly string[]));
  const handled = new Set(known.reduce(handledAfter, [] as readonly string[]));
  for (const entry of fresh) {
    if (before && !(entry.seq > before.seq || (entry.seq === before.seq && entry.n > before.n))) {
      problems.push(`journal entry ${entry.seq}.${entry.n} comes after ${before.seq}.${before.n}`);
    }
    if (entry.seq > seq) problems.push(`journal entry ${entry.seq}.${entry.n} is ahead of the state's seq ${seq}`);
    for (const run of redrivenIn(entry)) redriven.add(run);
    if (entry.kind === "run_redriven" && handled.delete(entry.run) && !entry.forced)
      problems.push(`run ${entry.run} was sent again unforced, though its machine had taken care of it`);
    if (entry.kind === "run_handled") handled.add(entry.run);
    if (startsWork(entry) && "run" in entry && handled.has(entry.run ?? ""))
      problems.push(`${entry.kind} ${entry.seq}.${entry.n} of a run that its machine had taken care of`);
    // A redriven run is dispatched although its execution has ended.
    const isWanted = standing === "final" && "run" in entry && redriven.has(entry.run ?? "");
    if (standing !== "live" && !isWanted && startsWork(entry))
      problems.push(`${entry.kind} ${entry.seq}.${entry.n} while it is ${standing}`);
    if (startsWork(entry) && "run" in entry && held.has(entry.run ?? ""))
      problems.push(`${entry.kind} ${entry.seq}.${entry.n} of a run that a person holds`);
    if (entry.kind === "held_by_operator") held.add(entry.run);
    if (letsGo(entry)) held.delete(entry.run ?? "");
    standing = next(standing, entry);
    before = entry;
  }
  return problems;
}

function startsWork({ kind }: JournalEntry): boolean {
  return kind === "run_claimed" || kind === "run_dispatched" || kind === "run_created" || kind === "moved";
}

function handledAfter(handled: readonly string[], entry: JournalEntry): readonly string[] {
  if (entry.kind === "run_handled") return [...handled, entry.run];
  return entry.kind === "run_redriven" ? handled.filter((run) => run !== entry.run) : handled;
}

function heldAfter(held: readonly string[], entry: JournalEntry): readonly string[] {
  if (entry.kind === "held_by_operator") return [...held, entry.run];
  return letsGo(entry) ? held.filter((run) => run !== entry.run) : held;
}

type LetGo = Extract<JournalEntry, { kind: "released" | "run_brought_forward" }>;
function letsGo(entry: JournalEntry): entry is LetGo {
  return entry.kind === "released" || entry.kind === "run_brought_forward";
}

function redrivenIn(entry: JournalEntry): readonly string[] {
  return entry.kind === "run_redriven" ? [entry.run] : [];
}

function standingAfter(entries: readonly JournalEntry[]): Standing {
  return entries.reduce(next, "live" as Standing);
}

function next(standing: Standing, { kind }: JournalEntry): Standing {
  switch (kind) {
    case "paused":
      return standing === "final" ? standing : "paused";
    case "resumed":
      return standing === "final" ? standing : "live";
    case "canceled":
    case "completed":
    case "failed":
      return "final";
    default:
      return standing;
  }
}
