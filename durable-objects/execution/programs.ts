// Programs: a cache of compiled definitions for all cells of an isolate. A version never changes, so each is compiled
// once.
import { PROGRAM_WEIGHT_MIN, PROGRAMS_CACHED_CHARS } from "#schema/limits/isolates/compiled-caches.ts";
import type { Definition, DefinitionRef } from "#schema/definition/definition.ts";
import { compile } from "#kernel/programs/compile.ts";
import { programAt } from "#kernel/execution/limits/before-first-move.ts";
import type { Program } from "#kernel/execution/program.ts";
import { oneActionProgram } from "#kernel/programs/one-action.ts";
import type { Standalone } from "#schema/definition/standalone.ts";
import { isEnding } from "#kernel/waiting/ending-execution.ts";
import { placeholderProgram } from "#kernel/programs/placeholder.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import type { CellStorage } from "./storage.ts";
import { openWeightedCache } from "./weighted-cache.ts";

const programs = openWeightedCache<Program>(PROGRAMS_CACHED_CHARS);

export function definitionKey({ id, version }: DefinitionRef): string {
  return `${id}@${version}`;
}

/** The definition that an execution or a start runs. */
export type Runs = { readonly definition: DefinitionRef; readonly standalone?: Standalone } & Pick<
  ExecutionState,
  "standsIn"
>;

/**
 * Returns the event types that the execution accepts, for answers to clients; absent after its end. A standalone action
 * accepts none.
 */
export function acceptsOf(state: ExecutionState, storage: CellStorage): { readonly accepts?: readonly string[] } {
  if (isFinalStatus(state.status)) return {};
  return {
    accepts:
      state.standalone || isEnding(state) ? [] : programAt(programOf(state, storage), state).waitsFor(state.position),
  };
}

/**
 * Returns the compiled program. `body`: the definition's JSON, set for a start; otherwise the cell's stored copy is
 * read.
 */
export function programOf(runs: Runs, storage: CellStorage, body?: string | null): Program {
  const { definition: ref, standalone } = runs;
  if (runs.standsIn) return placeholderProgram();
  if (standalone) return oneActionProgram(standalone);
  const key = definitionKey(ref);
  const cached = programs.get(key);
  if (cached) return cached;
  const text = body ?? storage.readDefinition(key);
  if (text === null) throw new Error(`an execution uses the definition ${key}, but this cell does not store it`);
  const program = compile(JSON.parse(text) as Definition); // the definition was checked when it was created
  programs.set(key, program, Math.max(text.length, PROGRAM_WEIGHT_MIN));
  return program;
}
