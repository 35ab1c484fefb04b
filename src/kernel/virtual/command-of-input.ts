// The inputs that a client gives for a virtual run, and their conversion into commands.
import type { Command, Actor } from "#schema/engine/input.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { AssumedInput } from "#schema/virtual/assumptions.ts";
import type { Assumption } from "#schema/virtual/expected-actions.ts";
import type { JsonObject } from "#schema/json.ts";
import { itemOf, referencesOf } from "./run-references.ts";

type GivenCommand = {
  readonly command: Command;
  /** The assumption that the client makes by giving this input. */
  readonly assumes: Assumption;
};

export function commandOfInput(
  given: AssumedInput,
  n: number,
  state: ExecutionState,
  actor: Actor,
): Result<GivenCommand> {
  const inputId = `given/${n}`;
  const control = { inputId, fingerprint: "", actor, reason: null };
  const { event: type, patch: variables, payload = null } = given;
  if (type !== undefined) {
    const event = { id: inputId, type, payload, source: "given", correlationId: state.correlationId };
    const command = { kind: "event", event, inputId, fingerprint: "", actor } as const;
    return accept({ command, assumes: { kind: "event", of: type } });
  }
  if (variables !== undefined) {
    return accept({
      command: { kind: "patch", variables, ...control },
      assumes: { kind: "patched", of: namesOf(variables) },
    });
  }
  const { observed, desired } = given;
  if (observed !== undefined) {
    const command = { kind: "observe", observed, observedAt: null, ifRevision: null, ...control } as const;
    return accept({ command, assumes: { kind: "observed", of: "" } });
  }
  if (desired !== undefined) {
    const command = { kind: "desire", desired, mode: "merge", ifRevision: null, ...control } as const;
    return accept({ command, assumes: { kind: "desired", of: namesOf(desired) } });
  }
  if (given.pause) return accept({ command: { kind: "pause", ...control }, assumes: { kind: "paused", of: "" } });
  if (given.resume) return accept({ command: { kind: "resume", ...control }, assumes: { kind: "resumed", of: "" } });
  if (given.retry !== undefined) return onDeadLetter(state, given.retry, "retried", (run) => retryOf(run, control));
  if (given.archive !== undefined) {
    return onDeadLetter(state, given.archive, "archived", (run) => ({ kind: "archive", run, ...control }));
  }
  return accept({ command: { kind: "cancel", ...control }, assumes: { kind: "canceled", of: "" } });
}

function namesOf(fields: JsonObject): string {
  return Object.keys(fields).join(", ");
}

type Control = Omit<Extract<Command, { kind: "pause" }>, "kind">;

function retryOf(run: string, control: Control): Command {
  return { kind: "retry", run, config: null, variables: null, ...control };
}

/** A command for the newest dead letter of the action. If the action has none, the input is refused. */
function onDeadLetter(
  { runs }: ExecutionState,
  action: string,
  kind: "retried" | "archived",
  command: (run: string) => Command,
): Result<GivenCommand> {
  const run = runs.findLast((each) => each.deadLetter && referencesOf(each.action, itemOf(each)).includes(action));
  if (run !== undefined) return accept({ command: command(run.id), assumes: { kind, of: action } });
  return refuse({ code: "not_found", message: `there is no dead letter of ${action} at that time` });
}
