// Step subjects: the state on which a command is stepped. The execution as stored, nothing if the command starts it, or
// a placeholder if it cannot be read and is to be canceled.
import type { Program } from "#kernel/execution/program.ts";
import type { Command, StartCommand } from "#schema/engine/input.ts";
import type { Identity } from "#schema/engine/quarantine.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Ports } from "../ports.ts";
import { definitionKey, programOf } from "../programs.ts";
import type { CellStorage } from "../storage.ts";
import type { Heads } from "./heads.ts";
import { needsIdentity, refuseAbsent, placeholderFor } from "./unreadable.ts";

export type StepContext = {
  /** With a start: the definition as stored. */
  readonly definition?: string | null | undefined;
  /** With a cancellation: the identity, for an unreadable execution. */
  readonly known?: Identity | null | undefined;
  /** If no slot is free for its direct calls, it is not stepped, instead of using the queue. */
  readonly waits?: boolean;
  /** Its steps fail: it is canceled from its state, or, if even that fails, from a placeholder with its name. */
  readonly isGivenUp?: "whole" | "by_name";
};

export type StepSubject = { readonly before: ExecutionState | null; readonly program: Program };

type Cell = { readonly heads: Heads; readonly ports: Pick<Ports, "name" | "storage"> };

export function stepSubjectOf(
  { heads, ports }: Cell,
  before: ExecutionState | null,
  execution: string,
  command: Command,
  { definition, known, isGivenUp }: StepContext,
): Result<StepSubject> {
  const isHidden = before === null && heads.isUnreadable(execution);
  if (isHidden && !(command.kind === "cancel" && needsIdentity(heads, execution, known)))
    return refuseAbsent(heads, execution);
  if (isHidden || isGivenUp) {
    const isWhole = before !== null && isGivenUp === "whole";
    const byName = placeholderFor({ heads, name: ports.name }, execution, known);
    const standIn = isWhole && byName.standsIn ? { ...before, standsIn: byName.standsIn } : byName;
    return accept({ before: standIn, program: programOf(standIn, ports.storage) });
  }
  if (command.kind === "start" && !definition && !command.standalone && !keeps(ports.storage, command))
    return refuse(definitionWanted());
  const runs = command.kind === "start" ? command : before;
  return runs
    ? accept({ before, program: programOf(runs, ports.storage, definition) })
    : refuseAbsent(heads, execution);
}

/** An isolate may have compiled the definition for another cell; the start needs it stored in this one. */
function keeps(storage: CellStorage, { definition }: StartCommand): boolean {
  return storage.hasDefinition(definitionKey(definition));
}

/**
 * The cell deleted its storage since it reported the definition as stored. The consumer sends the start again with the
 * definition; no client sees this refusal.
 */
function definitionWanted() {
  const message = "The cell no longer stores this definition.";
  return { code: "unavailable", message, details: { definitionWanted: true } } as const;
}
