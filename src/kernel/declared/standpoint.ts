// The position of a check: shared by all checks of values, with the constructor of violations.
import type { Declared, DeclaredSchema } from "#schema/definition/declared.ts";
import type { Json } from "#schema/json.ts";
import type { Finding } from "#schema/refusal.ts";
import type { Work } from "../computing/work.ts";

/** `root`: the schema that references are relative to. `depth`: nesting of the current schema. */
export type At = {
  readonly root: DeclaredSchema;
  readonly pointer: string;
  readonly depth: number;
  readonly work: Work;
  /** Checks a value against another schema, at this position or deeper. */
  readonly look: (schema: Declared, value: Json, at: At) => readonly Finding[];
};

/** The reference was verified before the definition was stored. */
export function referred(root: DeclaredSchema, ref: string): Declared {
  const name = ref.slice("#/$defs/".length).replaceAll("~1", "/").replaceAll("~0", "~");
  return ref === "#" ? root : (root.$defs?.[name] ?? true);
}

export function misfit({ pointer }: Pick<At, "pointer">, code: string, message: string, hint?: string): Finding {
  return { pointer, code, message, ...(hint === undefined ? {} : { hint }) };
}
