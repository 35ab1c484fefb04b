// Next steps of a dead letter: the API requests that an operator can make now, each with the reason.
import { isHandled, type Run } from "#schema/engine/run.ts";
import { deadLetterId } from "#schema/ids.ts";
import type { DeadLetterView } from "./dead-letters.ts";

export type NextStep = {
  readonly verb: "retry" | "retry_changed" | "retry_forced" | "archive" | "resume" | "read";
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly why: string;
};

type View = Omit<DeadLetterView, "next">;

export function nextSteps(view: View): readonly NextStep[] {
  const { state, run } = view;
  if (!run.deadLetter) return [read(state.id, "The dead letter needs no decision.")];
  return isHandled(run) ? stepsIfHandled(view) : stepsIfWaiting(view);
}

/** The steps if the definition or the parent has handled the failure. A retry must then be forced. */
function stepsIfHandled({ state, run }: View): readonly NextStep[] {
  const at = pathOf(state.id, run);
  const handled = reactionWhy(run);
  return [
    read(state.id, handled),
    post("retry_forced", `${at}/retry`, `${handled} With "force": true, the run is sent anyway.`),
    post("archive", `${at}/archive`, "Removes the dead letter from the list."),
  ];
}

/** The steps if the dead letter waits for an operator. */
function stepsIfWaiting({ state, run, summary, repeatSafe, ifRetried }: View): readonly NextStep[] {
  const at = pathOf(state.id, run);
  const resumeWhy = "The execution is paused. A retry is sent after the execution is resumed.";
  const changedWhy =
    "Retries the run with a corrected config or corrected variables. The config is rendered again, and the key stays the same.";
  const archiveWhy = summary.fix.recoverable
    ? "Archives the dead letter."
    : "Archives the dead letter, because a retry would fail again.";
  return [
    ...(state.status === "paused" ? [post("resume", `/v1/executions/${state.id}/resume`, resumeWhy)] : []),
    post("retry", `${at}/retry`, retryWhy(ifRetried, repeatSafe)),
    post("retry_changed", `${at}/retry`, changedWhy),
    post("archive", `${at}/archive`, archiveWhy),
  ];
}

function reactionWhy({ heard }: Run): string {
  const { by, state = "another state" } = heard ?? {};
  const actor = by === undefined ? "Its machine" : `Its parent ${by}`;
  return `${actor} has already moved to ${state} after this failure, so there is nothing to decide.`;
}

function retryWhy(tried: View["ifRetried"], { safe, why }: View["repeatSafe"]): string {
  if (tried?.outcome === "refused") return `A retry would be refused: ${tried.reason}.`;
  if (tried?.outcome === "skipped") return `The run would be skipped immediately: ${tried.reason}.`;
  if (tried?.outcome === "failed") return `The run would fail immediately: ${tried.reason}.`;
  return safe ? `Sends the same request again under the same key. ${why}` : `Check at the receiver first. ${why}`;
}

function read(execution: string, why: string): NextStep {
  return { verb: "read", method: "GET", path: `/v1/executions/${execution}`, why };
}

function post(verb: NextStep["verb"], path: string, why: string): NextStep {
  return { verb, method: "POST", path, why };
}

function pathOf(execution: string, run: Run): string {
  return `/v1/dead-letters/${deadLetterId(execution, run.id)}`;
}
