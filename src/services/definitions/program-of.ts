// Stored definitions as programs. Isolates remember them by their text: whoever looks at an execution time and again has
// its definition compiled once.
import { compile } from "#kernel/programs/compile.ts";
import type { Program } from "#kernel/programs/program.ts";
import type { Definition } from "#schema/definition/definition.ts";
import { remembered } from "#schema/limits/isolates.ts";

const programs = new Map<string, Program>();

/** `body` was checked before it was stored. */
export function programOf(body: string): Program {
  const known = programs.get(body);
  if (known) return known;
  const program = compile(JSON.parse(body) as Definition);
  for (const oldest of programs.keys()) {
    if (programs.size < remembered.programs.sizeMax) break;
    programs.delete(oldest);
  }
  programs.set(body, program);
  return program;
}
