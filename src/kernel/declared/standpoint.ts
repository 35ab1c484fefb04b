// What all checks of declared values share: where one stands, and how what does not fit is said.
import type { Declared, DeclaredSchema } from "#schema/definition/declared.ts";
import type { Json } from "#schema/json.ts";
import type { Finding } from "#schema/refusal.ts";
import type { Work } from "../computing/work.ts";

/** Where a check stands. `root` is what references are about, `depth` how many schemas lie around this one. */
export type At = {
  readonly root: DeclaredSchema;
  readonly pointer: string;
  readonly depth: number;
  readonly work: Work;
  /** What does not fit another schema, here or further inside. */
  readonly look: (schema: Declared, value: Json, at: At) => readonly Finding[];
};

/** That it leads somewhere was checked before it was stored. */
export function referred(root: DeclaredSchema, ref: string): Declared {
  const name = ref.slice("#/$defs/".length).replaceAll("~1", "/").replaceAll("~0", "~");
  return ref === "#" ? root : (root.$defs?.[name] ?? true);
}

export function misfit({ pointer }: Pick<At, "pointer">, code: string, message: string, hint?: string): Finding {
  return { pointer, code, message, ...(hint === undefined ? {} : { hint }) };
}
