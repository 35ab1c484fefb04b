// Writes by name: the shapes of their bodies and answers, which all nouns of the configuration share.
import { z } from "zod";
import { putResults } from "#schema/configuration/precondition.ts";
import type { JsonObject } from "#schema/json.ts";
import { anyObject } from "#schema/values.ts";

export const writeResult = z
  .enum(putResults)
  .meta({ description: "unchanged: the stored resource already equals the body, and nothing was written." });

/** Returns the shape of the answer: the resource with the effect of the write. */
export function putAnswer<Shape extends z.ZodRawShape>(view: z.ZodObject<Shape>, id: string) {
  return view.extend({ result: writeResult }).meta({ id });
}

/**
 * Returns the shape of a body that the use case checks like the body of the create endpoint, after it has filled in the
 * name.
 */
export function putBody(id: string, createId: string, example: JsonObject) {
  return anyObject.meta({
    id,
    description: `The whole resource, with the fields of ${createId}. An omitted field gets its default. \`name\` may be omitted.`,
    examples: [example],
  });
}
