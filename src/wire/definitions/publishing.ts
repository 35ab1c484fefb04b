// Publishing, rolling back, and the history of publications: API shapes.
import { z } from "zod";
import { instant, reason } from "#schema/values.ts";
import { warning } from "../problem.ts";
import { definitionSummary, testedDefinition } from "./shape.ts";

const version = z.number().int().min(1).max(999_999_999);
const everywhereWithinMs = z
  .number()
  .int()
  .meta({ description: "How long, in milliseconds, other isolates may still use the previous version." });

export const publishBody = z
  .strictObject({ reason: reason.optional() })
  .meta({ id: "PublishDefinition", examples: [{ reason: "asks for the deposit a week earlier" }] });
export type PublishBody = z.input<typeof publishBody>;

export const rollBackBody = z
  .strictObject({
    reason: reason.optional(),
    to: version.optional().meta({ description: "The version to restore. Default: the version published before." }),
  })
  .meta({ id: "RollBackDefinition", examples: [{ reason: "sends each e-mail twice" }] });
export type RollBackBody = z.input<typeof rollBackBody>;

const liveVersions = z
  .object({
    versions: z.array(z.object({ version, executions: z.number().int() })),
    isWhole: z
      .boolean()
      .meta({
        description: "false: the counts are incomplete, because the tenant has too many live executions to count.",
      }),
  })
  .meta({ id: "LiveVersions", description: "Versions of live executions, from the catalog." });

const publicationNumber = z
  .number()
  .int()
  .meta({ description: "The number of the last publication of this name, for the header If-Match." });

export const publishedDefinition = z
  .object({
    definition: definitionSummary,
    changed: z.boolean().meta({ description: "false: the version was already published." }),
    was: version.nullable().meta({ description: "The version that was published before." }),
    publication: publicationNumber,
    everywhereWithinMs,
    live: liveVersions,
    tests: z.array(testedDefinition),
    warnings: z
      .array(warning)
      .meta({
        description: "Warnings: about names that do not exist, and about failing tests that are not `blocking`.",
      }),
    dryRun: z.boolean(),
  })
  .meta({ id: "PublishedDefinition" });
export type ApiPublishedDefinition = z.infer<typeof publishedDefinition>;

export const rolledBackDefinition = z
  .object({
    definition: definitionSummary.meta({ description: "The version that is published now." }),
    was: version.meta({ description: "The version that was published before." }),
    takenBack: z.array(version).meta({ description: "The versions that were withdrawn, the newest first." }),
    publication: publicationNumber,
    everywhereWithinMs,
    staying: z
      .array(
        z.object({
          version,
          executions: z.number().int(),
          list: z
            .string()
            .meta({
              description: "The request that lists the live executions of the withdrawn versions.",
              examples: ["/v1/executions?definition=order&version=3"],
            }),
        }),
      )
      .meta({
        description:
          "The live executions of the withdrawn versions, as the lists have them. Lists lag by seconds; `live.isWhole` false means that more may exist.",
      }),
    advice: z
      .string()
      .meta({ description: "What an operator can do about the live executions of the withdrawn versions." }),
    live: liveVersions,
    dryRun: z.boolean(),
  })
  .meta({ id: "RolledBackDefinition" });
export type ApiRolledBackDefinition = z.infer<typeof rolledBackDefinition>;

export const publication = z
  .object({
    number: z.number().int().meta({ description: "The number of the publication within the name." }),
    at: instant,
    verb: z.enum(["published", "rolled_back", "archived"]),
    version: version
      .nullable()
      .meta({ description: "The version that the name refers to after this publication; null if none." }),
    was: version
      .nullable()
      .meta({ description: "The version that the name referred to before this publication; null if none." }),
    actor: z.string(),
    reason: z.string().nullable(),
  })
  .meta({ id: "Publication" });
export type ApiPublication = z.infer<typeof publication>;
