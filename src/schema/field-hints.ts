// Field hints: the advice for a field that a schema refuses, because another field or another place has that meaning.
import { z } from "zod";

export type FieldHints = { readonly [field: string]: string };

/** The hints of a schema. `findings.ts` adds the hint to the finding about the unknown field. */
export const fieldHints = z.registry<FieldHints>();
