// What a command is stepped on: the execution as it stands, nothing where it begins, or what stands in for one that cannot
// be gone on with and is to be given up.
import type { Program } from "#kernel/programs/program.ts";
import type { Command, StartCommand } from "#schema/engine/input.ts";
import type { Identity } from "#schema/engine/quarantine.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Ports } from "../ports.ts";
import { definitionKey, programOf } from "../programs.ts";
import type { CellStorage } from "../storage.ts";
import type { Heads } from "./heads.ts";
import { isToBeKnown, refuseAbsent, standInFor } from "./unreadable.ts";

export type About = {
  /** With a start: the definition as stored. */
  readonly definition?: string | null | undefined;
  /** With a cancellation: who that is, should the execution itself be unreadable. */
  readonly known?: Identity | null | undefined;
  /** Rather than to go by queue for want of a place in flight it stays as it is. */
  readonly waits?: boolean;
  /** Its steps break: it is canceled with what it has come to; or, where not even that can be, as one of its name. */
  readonly isGivenUp?: "whole" | "by_name";
};

export type Subject = { readonly before: ExecutionState | null; readonly program: Program };

type Cell = { readonly heads: Heads; readonly ports: Pick<Ports, "name" | "storage"> };

export function subjectOf(
  { heads, ports }: Cell,
  before: ExecutionState | null,
  execution: string,
  command: Command,
  { definition, known, isGivenUp }: About,
): Result<Subject> {
  const isHidden = before === null && heads.isUnreadable(execution);
  if (isHidden && !(command.kind === "cancel" && isToBeKnown(heads, execution, known)))
    return refuseAbsent(heads, execution);
  if (isHidden || isGivenUp) {
    const isWhole = before !== null && isGivenUp === "whole";
    const byName = standInFor({ heads, name: ports.name }, execution, known);
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

/** An isolate may have compiled it for another cell: what counts is what is kept here. */
function keeps(storage: CellStorage, { definition }: StartCommand): boolean {
  return storage.hasDefinition(definitionKey(definition));
}

/** It has given its storage back since it said so. It is sent once more with it: no caller of the API ever sees this. */
function definitionWanted() {
  const message = "the cell does not keep this definition any more";
  return { code: "unavailable", message, details: { definitionWanted: true } } as const;
}
