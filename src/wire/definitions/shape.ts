// Definitions: API shapes. The use case checks the body of a definition, because zod cannot express all of its rules.
import { z } from "zod";
import { REFERENCE_CHARS_MAX } from "#schema/limits/api-requests.ts";
import { putAnswer } from "../configuration/shape.ts";
import { finding, warning } from "../problem.ts";
import type { Json } from "#schema/json.ts";
import { definitionTests } from "#schema/definition/tests.ts";
import { anyJson, anyObject, instant, reason } from "#schema/values.ts";

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

/** The body of a definition. /openapi.json inserts the schema of definitions here (routes/reference/). */
export const definitionBody = z
  .custom<Json>((value) => value !== undefined && value !== null, { message: "must be a definition" })
  .meta({ id: "Definition", type: "object", examples: [example] });

export const definitionRefText = z
  .string()
  .min(1)
  .max(REFERENCE_CHARS_MAX)
  .meta({
    description: "A definition's name (its published version), name@version, name@draft (its newest draft), or id.",
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
    publishedAt: instant.nullable().meta({ description: "When the version was last published; null if never." }),
    standing: z
      .enum(["published", "superseded", "draft", "rolled_back"])
      .meta({
        description:
          "published: the name refers to this version. superseded: another version was published after this one. draft: never published. rolled_back: withdrawn.",
      }),
  })
  .meta({ id: "DefinitionSummary" });
export type ApiDefinitionSummary = z.infer<typeof definitionSummary>;

export const storedDefinition = definitionSummary
  .extend({ body: anyObject.meta({ description: "The definition as stored." }) })
  .meta({ id: "StoredDefinition" });
export type ApiDefinition = z.infer<typeof storedDefinition>;

const testFailure = z.object({
  pointer: z.string().meta({ description: "A JSON pointer to the failed expectation in the test." }),
  message: z.string(),
  expected: anyJson,
  got: anyJson,
});
export const testedDefinition = z
  .object({
    name: z.string(),
    passed: z.boolean(),
    blocking: z.boolean(),
    failures: z.array(testFailure).meta({ description: "The first 20 failed expectations." }),
    more: z.number().int(),
  })
  .meta({ id: "TestedDefinition" });
export type ApiTestedDefinition = z.infer<typeof testedDefinition>;

export const testDefinitionBody = z
  .strictObject({
    tests: definitionTests.optional().meta({ description: "Tests to run instead of those in the definition." }),
  })
  .meta({ id: "TestDefinition" });
export type TestDefinitionBody = z.input<typeof testDefinitionBody>;

export const testInlineBody = z
  .strictObject({ definition: definitionBody, tests: definitionTests.optional() })
  .meta({ id: "TestInlineDefinition" });
export type TestInlineBody = z.input<typeof testInlineBody>;

export const testResults = z
  .object({ passed: z.boolean(), tests: z.array(testedDefinition) })
  .meta({ id: "DefinitionTestResults" });
export type ApiTestResults = z.infer<typeof testResults>;

export const createdDefinition = z
  .object({
    definition: definitionSummary,
    created: z.boolean().meta({ description: "false: a version with this content exists." }),
    dryRun: z.boolean(),
    tests: z.array(testedDefinition).meta({ description: "The results of the definition's tests." }),
    warnings: z
      .array(warning)
      .meta({
        description:
          "Warnings about parts that are allowed, but probably unintended. For a draft, also warnings about failing tests.",
      }),
  })
  .meta({ id: "CreatedDefinition" });
export type ApiCreatedDefinition = z.infer<typeof createdDefinition>;

export const putDefinitionAnswer = putAnswer(createdDefinition, "PutDefinitionAnswer");
export type ApiPutDefinition = z.infer<typeof putDefinitionAnswer>;

export const validation = z
  .object({
    valid: z.boolean(),
    findings: z.array(finding),
    warnings: z
      .array(warning)
      .meta({
        description: "Warnings about parts that are allowed, but probably unintended. The definition can be stored.",
      }),
  })
  .meta({ id: "Validation" });
export type ApiValidation = z.infer<typeof validation>;

export const archiveBody = z
  .strictObject({ reason: reason.optional() })
  .meta({ id: "ArchiveDefinition", examples: [{ reason: "replaced by order@3" }] });

export const archivedDefinition = z
  .object({
    name: z.string(),
    archived: z.number().int().meta({ description: "The number of versions that this request archived." }),
    dryRun: z.boolean(),
  })
  .meta({ id: "ArchivedDefinition" });
export type ApiArchived = z.infer<typeof archivedDefinition>;
