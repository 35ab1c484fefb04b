// What is given to a virtual run, as the command that it is.
import type { Command, Actor } from "#schema/engine/input.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Given } from "#schema/virtual/assumptions.ts";

type Made = {
  readonly command: Command;
  /** What is assumed with it. */
  readonly says: string;
};

export function commandOf(given: Given, n: number, state: ExecutionState, actor: Actor): Result<Made> {
  const inputId = `given/${n}`;
  const control = { inputId, fingerprint: "", actor, reason: null };
  const { event: type, patch: variables, payload = null } = given;
  if (type !== undefined) {
    const event = { id: inputId, type, payload, source: "given", correlationId: state.correlationId };
    return accept({ command: { kind: "event", event, inputId, fingerprint: "", actor }, says: `${type} comes` });
  }
  if (variables !== undefined) {
    const says = `${Object.keys(variables).join(", ")} is changed`;
    return accept({ command: { kind: "patch", variables, ...control }, says });
  }
  const { observed, desired } = given;
  if (observed !== undefined) {
    const command = { kind: "observe", observed, observedAt: null, ifRevision: null, ...control } as const;
    return accept({ command, says: "something else is observed" });
  }
  if (desired !== undefined) {
    const command = { kind: "desire", desired, mode: "merge", ifRevision: null, ...control } as const;
    return accept({ command, says: `${Object.keys(desired).join(", ")} is desired otherwise` });
  }
  if (given.pause) return accept({ command: { kind: "pause", ...control }, says: "it is paused" });
  if (given.resume) return accept({ command: { kind: "resume", ...control }, says: "it is resumed" });
  if (given.retry !== undefined) return onDeadLetter(state, given.retry, "sent again", (run) => retryOf(run, control));
  if (given.archive !== undefined) {
    return onDeadLetter(state, given.archive, "let lie", (run) => ({ kind: "archive", run, ...control }));
  }
  return accept({ command: { kind: "cancel", ...control }, says: "it is canceled" });
}

type Control = Omit<Extract<Command, { kind: "pause" }>, "kind">;

function retryOf(run: string, control: Control): Command {
  return { kind: "retry", run, config: null, variables: null, ...control };
}

/** The newest one of that action. */
function onDeadLetter(
  { runs }: ExecutionState,
  action: string,
  what: string,
  command: (run: string) => Command,
): Result<Made> {
  const run = runs.findLast((each) => each.action === action && each.deadLetter);
  if (run !== undefined) return accept({ command: command(run.id), says: `${action} is ${what}` });
  return refuse({ code: "not_found", message: `there is no dead letter of ${action} by then` });
}
