// What an execution's journal must look like, read from the front: numbers grow, nothing goes out while it is held,
// and what is over stays over.
import type { JournalEntry } from "#schema/engine/journal.ts";

type Hold = "live" | "paused" | "final";

export function followSteps(
  known: readonly JournalEntry[],
  fresh: readonly JournalEntry[],
  seq: number,
): readonly string[] {
  const problems: string[] = [];
  let before = known.at(-1);
  let hold = holdAfter(known);
  const redriven = new Set(known.flatMap(redrivenIn));
  for (const entry of fresh) {
    if (before && !(entry.seq > before.seq || (entry.seq === before.seq && entry.n > before.n))) {
      problems.push(`journal entry ${entry.seq}.${entry.n} comes after ${before.seq}.${before.n}`);
    }
    if (entry.seq > seq) problems.push(`journal entry ${entry.seq}.${entry.n} is ahead of the state's seq ${seq}`);
    for (const run of redrivenIn(entry)) redriven.add(run);
    // What a person sent again goes out though its execution has ended.
    const isWanted = hold === "final" && "run" in entry && redriven.has(entry.run ?? "");
    if (hold !== "live" && !isWanted && startsWork(entry))
      problems.push(`${entry.kind} ${entry.seq}.${entry.n} while it is ${hold}`);
    hold = next(hold, entry);
    before = entry;
  }
  return problems;
}

function startsWork({ kind }: JournalEntry): boolean {
  return kind === "run_claimed" || kind === "run_dispatched" || kind === "run_created" || kind === "moved";
}

function redrivenIn(entry: JournalEntry): readonly string[] {
  return entry.kind === "run_redriven" ? [entry.run] : [];
}

function holdAfter(entries: readonly JournalEntry[]): Hold {
  return entries.reduce(next, "live" as Hold);
}

function next(hold: Hold, { kind }: JournalEntry): Hold {
  switch (kind) {
    case "paused":
      return hold === "final" ? hold : "paused";
    case "resumed":
      return hold === "final" ? hold : "live";
    case "canceled":
    case "completed":
    case "failed":
      return "final";
    default:
      return hold;
  }
}
