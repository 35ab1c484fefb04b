// What can be done about a dead letter now, and what speaks for it or against it.
import { isHandled } from "#schema/engine/run.ts";
import { deadLetterId } from "#schema/ids.ts";
import type { DeadLetterView } from "./get-dead-letter.ts";

export type NextStep = {
  readonly verb: "retry" | "retry_changed" | "retry_forced" | "archive" | "resume" | "read";
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly why: string;
};

export function nextSteps(view: Omit<DeadLetterView, "next">): readonly NextStep[] {
  const { state, run, summary, repeatSafe, ifRetried } = view;
  const execution = `/v1/executions/${state.id}`;
  const read = { verb: "read", method: "GET", path: execution, why: "Nothing is left to decide about it." } as const;
  if (!run.deadLetter) return [read];
  const at = `/v1/dead-letters/${deadLetterId(state.id, run.id)}`;
  const { recoverable } = summary.fix;
  const post = (verb: NextStep["verb"], path: string, why: string): NextStep => ({ verb, method: "POST", path, why });
  if (isHandled(run)) {
    const { by, state: went = "another state" } = run.heard ?? {};
    const who = by === undefined ? "Its machine" : `Its parent ${by}`;
    const handled = `${who} has gone on without it, to ${went}: nobody is waited for.`;
    const forced = `${handled} With "force": true it is sent all the same.`;
    return [
      { ...read, why: handled },
      post("retry_forced", `${at}/retry`, forced),
      post("archive", `${at}/archive`, "Takes it out of the list."),
    ];
  }
  return [
    ...(state.status === "paused"
      ? [post("resume", `${execution}/resume`, "It is paused: a retry goes out once it is resumed.")]
      : []),
    post("retry", `${at}/retry`, retryWhy(ifRetried, repeatSafe)),
    post(
      "retry_changed",
      `${at}/retry`,
      "With config or variables put right: it is rendered anew, under the same key.",
    ),
    post("archive", `${at}/archive`, recoverable ? "Lets it lie." : "Lets it lie: sending it again leads nowhere."),
  ];
}

function retryWhy(tried: DeadLetterView["ifRetried"], { safe, why }: DeadLetterView["repeatSafe"]): string {
  if (tried?.outcome === "refused") return `It would be refused: ${tried.reason}.`;
  if (tried?.outcome === "skipped") return `It would be skipped at once: ${tried.reason}.`;
  if (tried?.outcome === "failed") return `It would fail at once: ${tried.reason}.`;
  return safe ? `Sends the same again under the same key. ${why}` : `Not blindly. ${why}`;
}
