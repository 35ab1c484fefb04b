// Message templates: API shapes. The use case checks the body of a template, because zod cannot express all of its
// rules.
import { z } from "zod";
import { messageParts, templateDraft } from "#schema/template.ts";
import { putAnswer } from "../configuration/shape.ts";
import { finding } from "../problem.ts";
import type { Json } from "#schema/json.ts";
import { anyJson, anyObject, instant, reason } from "#schema/values.ts";

/** The body of a template. /openapi.json inserts the schema of templates here (routes/reference/). */
export const templateBody = z
  .custom<Json>((value) => value !== undefined && value !== null, { message: "must be a template" })
  .meta({ id: "Template", type: "object" });
export const templateBodySchema = templateDraft.meta({
  examples: [
    {
      name: "welcome",
      subject: "Welcome, {{ name }}",
      html: "<p>Good to have you, {{ name }}.</p>",
      text: "Good to have you, {{ name }}.",
      variables: [{ name: "name", description: "how to address the reader" }],
    },
  ],
});
export type TemplateBody = z.input<typeof templateDraft>;

export const templateRefText = z
  .string()
  .min(1)
  .max(120)
  .meta({ description: "A template's name (newest version), or name@version.", examples: ["welcome"] });

export const templateSummary = z
  .object({
    name: z.string(),
    version: z.number().int(),
    hash: z.string(),
    createdAt: instant,
    archivedAt: instant.nullable(),
  })
  .meta({ id: "TemplateSummary" });
export type ApiTemplateSummary = z.infer<typeof templateSummary>;

const part = z.string().nullable();
const parts = { subject: part, html: part, text: part };

export const storedTemplate = templateSummary
  .extend({
    description: z.string().nullable(),
    ...parts,
    variables: z.array(
      z.object({ name: z.string(), required: z.boolean(), default: anyJson, description: z.string().nullable() }),
    ),
  })
  .meta({ id: "StoredTemplate" });
export type ApiTemplate = z.infer<typeof storedTemplate>;

export const createdTemplate = z
  .object({
    template: templateSummary,
    created: z.boolean().meta({ description: "false: the newest version already has this content." }),
    hints: z.array(finding).meta({ description: "Warnings about the template." }),
    dryRun: z.boolean(),
  })
  .meta({ id: "CreatedTemplate" });
export type ApiCreatedTemplate = z.infer<typeof createdTemplate>;

export const putTemplateAnswer = putAnswer(createdTemplate, "PutTemplateAnswer");
export type ApiPutTemplate = z.infer<typeof putTemplateAnswer>;

export const previewBody = z
  .strictObject({ variables: anyObject.optional() })
  .meta({ id: "PreviewTemplate", examples: [{ variables: { name: "Ada" } }] });
export type PreviewBody = z.input<typeof previewBody>;

export const preview = z
  .object({
    name: z.string(),
    version: z.number().int(),
    ...parts,
    valid: z.boolean().meta({ description: "true: a message can be sent with these variables." }),
    findings: z.array(finding),
    hints: z.array(finding),
  })
  .meta({
    id: "TemplatePreview",
    description: `The rendered parts (${messageParts.join(", ")}). A part is null if it cannot be rendered.`,
  });
export type ApiPreview = z.infer<typeof preview>;

export const archiveTemplateBody = z
  .strictObject({ reason: reason.optional() })
  .meta({ id: "ArchiveTemplate", examples: [{ reason: "replaced by welcome@3" }] });
