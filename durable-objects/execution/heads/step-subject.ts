// Step subject: the state and program with which a command is stepped. The state is the stored one, null for a start,
// or a placeholder for the cancellation of an execution that cannot be read or stepped.
import type { Program } from "#kernel/execution/program.ts";
import type { Command, StartCommand } from "#schema/engine/input.ts";
import type { Identity } from "#schema/engine/quarantine.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Ports } from "../ports.ts";
import { definitionKey, programOf } from "../programs.ts";
import type { CellStorage } from "../storage.ts";
import type { Heads } from "./heads.ts";
import { canBeIdentified, refuseAbsent, placeholderFor } from "./unreadable.ts";

export type StepContext = {
  /** Set for a start: the definition's JSON. */
  readonly definition?: string | null | undefined;
  /** Set for a cancellation: the catalog's identity of the execution, in case its row is unreadable. */
  readonly known?: Identity | null | undefined;
  /** If true and no direct slot is free, a step that needs one is discarded, instead of using the queue. */
  readonly waitsForSlot?: boolean;
  /**
   * Set for a cancellation after a failed step. "state": cancel from the stored state. "placeholder": cancel from a
   * placeholder with the execution's identity.
   */
  readonly cancelFrom?: "state" | "placeholder";
};

export type StepSubject = { readonly before: ExecutionState | null; readonly program: Program };

type Cell = { readonly heads: Heads; readonly ports: Pick<Ports, "name" | "storage"> };

/**
 * Returns the state and program for a command. `before`: the state in this turn; null if the execution is absent or
 * unreadable.
 */
export function stepSubjectOf(
  { heads, ports }: Cell,
  before: ExecutionState | null,
  execution: string,
  command: Command,
  { definition, known, cancelFrom }: StepContext,
): Result<StepSubject> {
  const isUnreadable = before === null && heads.isUnreadable(execution);
  const canBeCanceled = command.kind === "cancel" && canBeIdentified(heads, execution, known);
  if (isUnreadable && !canBeCanceled) return refuseAbsent(heads, execution);
  if (isUnreadable || cancelFrom) {
    const byName = placeholderFor({ heads, name: ports.name }, execution, known);
    const isWhole = before !== null && cancelFrom === "state";
    const placeholder = isWhole && byName.standsIn ? { ...before, standsIn: byName.standsIn } : byName;
    return accept({ before: placeholder, program: programOf(placeholder, ports.storage) });
  }
  if (command.kind === "start" && !definition && !command.standalone && !storesDefinition(ports.storage, command))
    return refuse(definitionWanted());
  const runs = command.kind === "start" ? command : before;
  return runs
    ? accept({ before, program: programOf(runs, ports.storage, definition) })
    : refuseAbsent(heads, execution);
}

/** Checks the storage, not the cache of programs: another cell of the isolate may have compiled the definition. */
function storesDefinition(storage: CellStorage, { definition }: StartCommand): boolean {
  return storage.hasDefinition(definitionKey(definition));
}

/**
 * Refuses a start without a definition after the cell has deleted its storage. The consumer sends the start again with
 * the definition, so no client receives this refusal.
 */
function definitionWanted() {
  const message = "The cell no longer stores this definition.";
  return { code: "unavailable", message, details: { definitionWanted: true } } as const;
}
