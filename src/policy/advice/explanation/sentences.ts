// Adds a sentence for operators to each item of an explanation. The sentences only repeat what the other fields
// contain.
import { iso } from "#kernel/execution/current-step.ts";
import type {
  ExecutionEnd,
  Explanation,
  NotNow,
  WithSummary,
  SummarizedExplanation,
} from "#schema/engine/explanation.ts";
import { nextSentence } from "./next-entry.ts";
import { notDoneRequests, notDoneSentence } from "./not-done.ts";
import { waitRequests } from "./requests.ts";
import { waitSentence } from "./waits.ts";
import { spacedCode } from "./words.ts";

export function addSentences(explanation: Explanation): SummarizedExplanation {
  const { execution, waits, notNow, notDone, ended, next, or } = explanation;
  const said = waits.map((wait) => ({
    ...wait,
    says: waitSentence(explanation, wait),
    can: waitRequests(execution, wait),
  }));
  const nextSaid = { ...next, says: nextSentence(next) };
  const endSaid = ended && { ...ended, says: endSays(ended) };
  return {
    ...explanation,
    ended: endSaid,
    next: nextSaid,
    or: or.map((each) => ({ ...each, says: nextSentence(each) })),
    waits: said,
    notNow: notNow.map(notNowTold),
    notDone: notDone.map((each) => ({ ...each, says: notDoneSentence(each), can: notDoneRequests(execution, each) })),
    says: [endSaid?.says ?? standing(explanation), nextSaid.says].join(" "),
  };
}

/** Describes the execution's current status in one sentence. */
function standing({ status, states, waits }: Explanation): string {
  if (status === null) return "The engine cannot read the execution, and its state is unknown.";
  const where = states.length > 0 ? ` in ${states.join(", ")}` : "";
  const apart = waits.some((wait) => wait.for === "engine")
    ? ", and quarantined because the engine cannot step it"
    : "";
  return `The execution is ${status}${where}${apart}.`;
}

function endSays({ status, at, reason, error }: ExecutionEnd): string {
  const why = error ? `: ${error.message}` : reason === null ? "" : `: ${spacedCode(reason)}`;
  return `The execution ${status === "canceled" ? "was canceled" : status} at ${iso(at)}${why.replace(/\.$/, "")}.`;
}

function notNowTold(event: NotNow): WithSummary<NotNow> {
  const says =
    event.would === "kept"
      ? `${event.event} would be stored until a later state accepts it.`
      : `${event.event} would be refused: ${spacedCode(event.code ?? "")}.`;
  return { ...event, says };
}
