// Writes the sentence about an execution's predicted next journal entry.
import { iso } from "#kernel/execution/current-step.ts";
import type { PredictedEntry } from "#schema/engine/explanation.ts";
import { spacedCode } from "./words.ts";

const SENDERS = {
  parent: "the parent execution",
  child: "a child execution",
  directory: "the directory of correlation keys",
  subject: "the subject's object",
  limit: "a limit on starts",
  lists: "the catalog",
} as const;

/** Returns the sentence about the predicted entry: its cause and its instant. */
export function nextSentence(predicted: PredictedEntry): string {
  const { kind, about, by, assumes, events = [] } = predicted;
  if (kind === null) return noEntrySentence(predicted);
  const names = ["run", "action", "timer", "node", "way", "type"].flatMap((name) =>
    name in about ? [String(about[name])] : [],
  );
  const entry = `"${spacedCode(kind)}"${names.length > 0 ? ` (${names.join(", ")})` : ""}`;
  switch (by) {
    case "time":
    case "retention":
      return `The engine writes the next journal entry automatically: ${entry}${timePhrase(predicted)}.`;
    case "runner":
      return `The attempt in progress causes the next journal entry: ${entry}${assumes === null ? "" : `, if the attempt ends ${assumes}`}${timePhrase(predicted)}.`;
    case "parent":
    case "child":
    case "directory":
    case "subject":
    case "limit":
    case "lists":
      return `A message from ${SENDERS[by]} causes the next journal entry: ${entry}${events.length === 0 ? "" : ` (${events.join(", ")})`}${timePhrase(predicted)}.`;
    case "event":
      return `An event can cause the journal entry ${entry}${events.length === 0 ? "" : `; accepted events: ${events.join(", ")}`}.`;
    case "person":
      if (events.length > 0) return `The end of a task can cause the journal entry ${entry}: ${events.join(", ")}.`;
      return `An operator can cause the journal entry ${entry}.`;
    case "tenant":
      return `The engine writes the next journal entry after the tenant is resumed: ${entry}${timePhrase(predicted)}.`;
    case "none":
      return `Nothing causes the journal entry ${entry}.`;
  }
}

function noEntrySentence({ by, at, earliest }: PredictedEntry): string {
  if (by === "retention")
    return `Nothing further happens. The engine deletes the journal at ${at === null ? "the end of its retention" : iso(at)}.`;
  if (earliest !== null) return `Nothing happens before the engine's next check at ${iso(earliest)}.`;
  return "The engine cannot predict the next journal entry.";
}

function timePhrase({ at, earliest, latest }: PredictedEntry): string {
  if (at !== null) return ` at ${iso(at)}`;
  const from = earliest === null ? "" : `, not before ${iso(earliest)}`;
  return `${from}${latest === null ? "" : `, at the latest at ${iso(latest)}`}`;
}
