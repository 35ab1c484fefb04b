// Message templates: subject, HTML and text in Liquid, and the variables that they use. They are stored as versions.
import { z } from "zod";
import { json, type Json } from "./json.ts";
import { DESCRIPTION_CHARS_MAX, ID_CHARS_MAX } from "./limits/api-requests.ts";
import { TEMPLATE_VARIABLES_MAX } from "./limits/definition-sizes.ts";

export const templateName = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[a-z][a-z0-9_-]*$/, {
    message: "must begin with a lower-case letter and contain only lower-case letters, digits, _ and -",
  });

/** Names that mean something else in Liquid or in the engine. Variables cannot have these names. */
const RESERVED = new Set("and blank contains empty false forloop nil not null or secrets true".split(" "));

export const variableName = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
    message: "must begin with a letter or _ and contain only letters, digits and _",
  })
  .refine((name) => !RESERVED.has(name), { message: "is a reserved name in templates: choose another name" });

export const templateVariable = z
  .strictObject({
    name: variableName,
    /** Whether a message must set the variable. Default: true, unless the variable has a default. */
    required: z.boolean().optional(),
    /**
     * The value of the variable in a message that does not set it. It is inserted as it is; templates in it are not
     * rendered.
     */
    default: json.optional(),
    description: z.string().max(500).optional(),
  })
  .refine((variable) => variable.required !== true || variable.default === undefined, {
    path: ["default"],
    message: "a required variable must not have a default",
  });

const part = z.string().min(1);

export const templateDraft = z
  .strictObject({
    name: templateName,
    description: z.string().max(DESCRIPTION_CHARS_MAX).optional(),
    subject: part.optional(),
    html: part.optional(),
    text: part.optional(),
    variables: z.array(templateVariable).max(TEMPLATE_VARIABLES_MAX).optional(),
  })
  .refine((draft) => draft.html !== undefined || draft.text !== undefined, {
    message: "the template must have html or text, or both",
  });
export type TemplateDraft = z.infer<typeof templateDraft>;

export const messageParts = ["subject", "html", "text"] as const;
export type MessagePart = (typeof messageParts)[number];

export type TemplateVariable = {
  readonly name: string;
  readonly required: boolean;
  /** The default of the variable. Null if it has none. */
  readonly default: Json;
  readonly description: string | null;
};

/** A stored template. Every field is set, so that equal templates are equal as JSON. */
export type MessageTemplate = {
  readonly description: string | null;
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  readonly variables: readonly TemplateVariable[];
};

export function completeTemplate({ description, subject, html, text, variables = [] }: TemplateDraft): MessageTemplate {
  return {
    description: description ?? null,
    subject: subject ?? null,
    html: html ?? null,
    text: text ?? null,
    variables: variables.map((variable) => ({
      name: variable.name,
      required: variable.required ?? variable.default === undefined,
      default: variable.default ?? null,
      description: variable.description ?? null,
    })),
  };
}

/** A stored template that was rendered for one message. */
export type RenderedTemplate = {
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
};
