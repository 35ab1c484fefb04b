// Writes the sentence about an execution's predicted next journal entry.
import { iso } from "#kernel/execution/current-step.ts";
import type { PredictedEntry } from "#schema/engine/explanation.ts";
import { spacedCode } from "./words.ts";

const SENDERS = {
  parent: "the parent execution",
  child: "a child execution",
  directory: "the directory of events",
  subject: "the subject's object",
  lists: "the catalog",
} as const;

/** Returns the sentence about the predicted entry: its cause and its instant. */
export function nextSentence(predicted: PredictedEntry): string {
  const { kind, about, by, assumes, events = [] } = predicted;
  if (kind === null) return noEntrySentence(predicted);
  const names = ["run", "action", "timer", "node", "way", "type"].flatMap((name) =>
    name in about ? [String(about[name])] : [],
  );
  const entry = `${spacedCode(kind)}${names.length > 0 ? ` (${names.join(", ")})` : ""}`;
  switch (by) {
    case "time":
    case "retention":
      return `Next, automatically: ${entry}${timePhrase(predicted)}.`;
    case "runner":
      return `Next, from the attempt in progress: ${entry}${assumes === null ? "" : `, if it ends ${assumes}`}${timePhrase(predicted)}.`;
    case "parent":
    case "child":
    case "directory":
    case "subject":
    case "lists":
      return `Next, after a message from ${SENDERS[by]}: ${entry}${timePhrase(predicted)}.`;
    case "event":
      return `An event can cause ${entry}: ${events.join(", ")}.`;
    case "person":
      return `An operator can cause ${entry}.`;
    case "tenant":
      return `After the tenant is resumed: ${entry}${timePhrase(predicted)}.`;
    case "nobody":
      return `Nothing causes ${entry}.`;
  }
}

function noEntrySentence({ by, at, earliest }: PredictedEntry): string {
  if (by === "retention")
    return `Nothing further happens; the journal is deleted at ${at === null ? "its end" : iso(at)}.`;
  if (earliest !== null) return `Nothing happens before the engine's next check at ${iso(earliest)}.`;
  return "No next entry can be predicted.";
}

function timePhrase({ at, earliest, latest }: PredictedEntry): string {
  if (at !== null) return ` at ${iso(at)}`;
  const from = earliest === null ? "" : `, not before ${iso(earliest)}`;
  return `${from}${latest === null ? "" : `, by ${iso(latest)} if not before`}`;
}
