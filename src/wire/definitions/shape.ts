// Definitions on the wire. The body itself is checked by the use case, which knows more than its form.
import { z } from "zod";
import { limits } from "#schema/limits.ts";
import { finding, warning } from "../problem.ts";
import type { Json } from "#schema/json.ts";
import { anyObject, instant, reason } from "#schema/values.ts";

const example = {
  kind: "machine",
  name: "reminder",
  initial: "asked",
  states: {
    asked: { on: { paid: "done" }, after: { P3D: "reminded" } },
    reminded: { on: { paid: "done" } },
    done: { type: "final" },
  },
  actions: [
    { actionId: "remind", type: "webhook", triggerState: "reminded", config: { url: "{{ secrets.reminders }}" } },
  ],
};

/** /openapi.json puts the definition's own schema here; see routes/reference/. */
export const definitionBody = z
  .custom<Json>((value) => value !== undefined && value !== null, { message: "a definition is expected" })
  .meta({ id: "Definition", type: "object", examples: [example] });

export const definitionRefText = z
  .string()
  .min(1)
  .max(limits.referenceCharsMax)
  .meta({
    description: "A definition's name (newest version), name@version, or id.",
    examples: ["order"],
  });

export const definitionSummary = z
  .object({
    id: z.string(),
    name: z.string(),
    version: z.number().int(),
    kind: z.string(),
    hash: z.string(),
    createdAt: instant,
    archivedAt: instant.nullable(),
  })
  .meta({ id: "DefinitionSummary" });
export type ApiDefinitionSummary = z.infer<typeof definitionSummary>;

export const storedDefinition = definitionSummary
  .extend({ body: anyObject.meta({ description: "The definition as it was stored." }) })
  .meta({ id: "StoredDefinition" });
export type ApiDefinition = z.infer<typeof storedDefinition>;

export const createdDefinition = z
  .object({
    definition: definitionSummary,
    created: z.boolean().meta({ description: "false: the newest version says the same already." }),
    dryRun: z.boolean(),
  })
  .meta({ id: "CreatedDefinition" });
export type ApiCreatedDefinition = z.infer<typeof createdDefinition>;

export const validation = z
  .object({
    valid: z.boolean(),
    findings: z.array(finding),
    warnings: z.array(warning).meta({ description: "What is allowed and most likely not meant. It stops nothing." }),
  })
  .meta({ id: "Validation" });
export type ApiValidation = z.infer<typeof validation>;

export const archiveBody = z.strictObject({ reason: reason.optional() }).meta({
  id: "ArchiveDefinition",
  examples: [{ reason: "replaced by order@3" }],
});

export const archived = z
  .object({
    name: z.string(),
    archived: z.number().int().meta({ description: "How many versions were archived by this request." }),
    dryRun: z.boolean(),
  })
  .meta({ id: "ArchivedDefinition" });
export type ApiArchived = z.infer<typeof archived>;
