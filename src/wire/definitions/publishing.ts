// Publish, roll back, and their history: API shapes.
import { z } from "zod";
import { instant, reason } from "#schema/values.ts";
import { warning } from "../problem.ts";
import { definitionSummary, testedDefinition } from "./shape.ts";

const version = z.number().int().min(1).max(999_999_999);
const everywhereWithinMs = z.number().int().meta({ description: "Other isolates may use cached values until then." });

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
      .meta({ description: "false: the tenant has too many live executions to count the older ones." }),
  })
  .meta({ id: "LiveVersions", description: "Versions of live executions, from the catalog." });

const publicationNumber = z
  .number()
  .int()
  .meta({ description: "Number of the last publication of this name, for If-Match." });

export const publishedDefinition = z
  .object({
    definition: definitionSummary,
    changed: z.boolean().meta({ description: "false: it was published already." }),
    was: version.nullable().meta({ description: "The version published before." }),
    publication: publicationNumber,
    everywhereWithinMs,
    live: liveVersions,
    tests: z.array(testedDefinition),
    warnings: z
      .array(warning)
      .meta({ description: "Names that refer to nothing, and failing tests that do not block." }),
    dryRun: z.boolean(),
  })
  .meta({ id: "PublishedDefinition" });
export type ApiPublishedDefinition = z.infer<typeof publishedDefinition>;

export const rolledBackDefinition = z
  .object({
    definition: definitionSummary.meta({ description: "The version published now." }),
    was: version.meta({ description: "The version published before." }),
    takenBack: z.array(version).meta({ description: "The withdrawn versions, the newest first." }),
    publication: publicationNumber,
    everywhereWithinMs,
    staying: z
      .array(
        z.object({
          version,
          executions: z.number().int(),
          list: z
            .string()
            .meta({ description: "Where they are listed.", examples: ["/v1/executions?definition=order&version=3"] }),
        }),
      )
      .meta({ description: "Live executions of the withdrawn versions." }),
    advice: z.string().meta({ description: "What can be done about them." }),
    live: liveVersions,
    dryRun: z.boolean(),
  })
  .meta({ id: "RolledBackDefinition" });
export type ApiRolledBackDefinition = z.infer<typeof rolledBackDefinition>;

export const publication = z
  .object({
    number: z.number().int().meta({ description: "Number within the name." }),
    at: instant,
    verb: z.enum(["published", "rolled_back", "archived"]),
    version: version.nullable().meta({ description: "The version that the name refers to from then on; null: none." }),
    was: version.nullable().meta({ description: "The version that the name referred to before; null: none." }),
    actor: z.string(),
    reason: z.string().nullable(),
  })
  .meta({ id: "Publication" });
export type ApiPublication = z.infer<typeof publication>;
