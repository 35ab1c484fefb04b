// Adds sentences for operators to the items of an explanation. A sentence only repeats in words what the other fields
// contain.
import { iso } from "#kernel/execution/current-step.ts";
import type {
  ExecutionEnd,
  Explanation,
  NotNow,
  ObservedBy,
  Wait,
  WithSummary,
  SummarizedExplanation,
} from "#schema/engine/explanation.ts";
import { nextSentence } from "./next-entry.ts";
import { notDoneRequests, notDoneSentence } from "./not-done.ts";
import { waitRequests } from "./requests.ts";
import { collectorSentence, waitSentence } from "./waits.ts";
import { spacedCode } from "./words.ts";

export function addSentences(explanation: Explanation): SummarizedExplanation {
  const { waits, notNow, notDone, ended, next, or } = explanation;
  const waitsWithSentences = waits.map((wait) => ({
    ...wait,
    says: waitSentence(explanation, wait),
    can: waitRequests(explanation, wait),
  }));
  const nextWithSentence = { ...next, says: nextSentence(next) };
  const endWithSentence = ended && { ...ended, says: endSentence(ended) };
  return {
    ...explanation,
    ended: endWithSentence,
    next: nextWithSentence,
    or: or.map((each) => ({ ...each, says: nextSentence(each) })),
    waits: waitsWithSentences,
    notNow: notNow.map(withSentence),
    notDone: notDone.map((each) => ({ ...each, says: notDoneSentence(each), can: notDoneRequests(explanation, each) })),
    says: [
      endWithSentence?.says ?? statusSentence(explanation),
      ...failingCollectors(waits).map(collectorSentence),
      nextWithSentence.says,
    ].join(" "),
  };
}

/** The collector of a reconciler, if its last attempt failed. The predictions do not contain its next attempt. */
function failingCollectors(waits: readonly Wait[]): readonly ObservedBy[] {
  return waits.flatMap((wait) =>
    wait.for === "observation" && wait.collector !== null && wait.collector.failures > 0 ? [wait.collector] : [],
  );
}

/** Describes the execution's current status in one sentence. */
function statusSentence({ status, states, waits }: Explanation): string {
  if (status === null) return "The engine cannot read the execution, and its state is unknown.";
  const where = states.length > 0 ? ` in ${states.join(", ")}` : "";
  const quarantined = waits.some((wait) => wait.for === "engine")
    ? ". It is quarantined, because the engine cannot execute its next step"
    : "";
  return `The execution is ${status}${where}${quarantined}.`;
}

function endSentence({ status, at, reason, error }: ExecutionEnd): string {
  const why = error ? `: ${error.message}` : reason === null ? "" : `: ${spacedCode(reason)}`;
  return `The execution ${status === "canceled" ? "was canceled" : status} at ${iso(at)}${why.replace(/\.$/, "")}.`;
}

function withSentence(event: NotNow): WithSummary<NotNow> {
  const says =
    event.would === "kept"
      ? `The event ${event.event} would be stored until a later state accepts it.`
      : `The event ${event.event} would be refused: ${spacedCode(event.code ?? "no state accepts it")}.`;
  return { ...event, says };
}
