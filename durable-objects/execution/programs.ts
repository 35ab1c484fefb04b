// Compiled definitions, one per version and isolate: they are immutable, so a version is compiled once.
import type { Definition, DefinitionRef } from "#schema/definition.ts";
import { compile } from "#kernel/compile.ts";
import type { Program } from "#kernel/program.ts";
import type { CellStorage } from "./storage.ts";

const PROGRAMS_MAX = 500;
const programs = new Map<string, Program>();

export function definitionKey({ id, version }: DefinitionRef): string {
  return `${id}@${version}`;
}

/** `body` comes with a start; later the cell's own copy is read. */
export function programOf(ref: DefinitionRef, storage: CellStorage, body?: string): Program {
  const key = definitionKey(ref);
  const known = programs.get(key);
  if (known) return known;
  const text = body ?? storage.readDefinition(key);
  if (text === null) throw new Error(`definition ${key} is not in this cell, though an execution runs it`);
  const program = compile(JSON.parse(text) as Definition); // checked when it was created
  if (programs.size >= PROGRAMS_MAX) programs.delete(programs.keys().next().value ?? key);
  programs.set(key, program);
  return program;
}
