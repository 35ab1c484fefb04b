// Compiled definitions: compiles a stored definition for reads, previews and dry runs. Cells compile definitions
// themselves.
import { compile } from "#kernel/programs/compile.ts";
import type { Program } from "#kernel/execution/program.ts";
import type { Definition } from "#schema/definition/definition.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";

const programs = new Map<string, Program>();

/** Compiles a stored body, which was checked before it was stored. The isolate caches the newest programs. */
export function programOf(body: string): Program {
  const cached = programs.get(body);
  if (cached) return cached;
  const program = compile(JSON.parse(body) as Definition);
  for (const oldest of programs.keys()) {
    if (programs.size < isolateCaches.programs.sizeMax) break;
    programs.delete(oldest);
  }
  programs.set(body, program);
  return program;
}
