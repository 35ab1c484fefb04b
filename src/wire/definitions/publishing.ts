// Publishing, rolling back, and the history of both, on the wire.
import { z } from "zod";
import { instant, reason } from "#schema/values.ts";
import { warning } from "../problem.ts";
import { definitionSummary, testedDefinition } from "./shape.ts";

const version = z.number().int().min(1).max(999_999_999);
const everywhereWithinMs = z
  .number()
  .int()
  .meta({ description: "Until then other isolates may go on with what they know." });

export const publishBody = z.strictObject({ reason: reason.optional() }).meta({
  id: "PublishDefinition",
  examples: [{ reason: "asks for the deposit a week earlier" }],
});
export type PublishBody = z.input<typeof publishBody>;

export const rollBackBody = z
  .strictObject({
    reason: reason.optional(),
    to: version.optional().meta({ description: "Back to this one. Default: the version published before." }),
  })
  .meta({ id: "RollBackDefinition", examples: [{ reason: "mails everybody twice" }] });
export type RollBackBody = z.input<typeof rollBackBody>;

const liveVersions = z
  .object({
    versions: z.array(z.object({ version, executions: z.number().int() })),
    isWhole: z
      .boolean()
      .meta({ description: "false: the tenant has so many live executions that the older ones were not counted." }),
  })
  .meta({ id: "LiveVersions", description: "Which versions live executions run, as the lists know it." });

const publicationNumber = z
  .number()
  .int()
  .meta({ description: "Of the last publication of this name: what If-Match takes." });

export const publishedDefinition = z
  .object({
    definition: definitionSummary,
    changed: z.boolean().meta({ description: "false: it was what is published already." }),
    was: version.nullable().meta({ description: "What was published until then." }),
    publication: publicationNumber,
    everywhereWithinMs,
    live: liveVersions,
    tests: z.array(testedDefinition),
    warnings: z
      .array(warning)
      .meta({ description: "What it names and nobody has, and tests that fail and block nothing." }),
    dryRun: z.boolean(),
  })
  .meta({ id: "PublishedDefinition" });
export type ApiPublishedDefinition = z.infer<typeof publishedDefinition>;

export const rolledBackDefinition = z
  .object({
    definition: definitionSummary.meta({ description: "What is published now." }),
    was: version.meta({ description: "What was published until then." }),
    takenBack: z.array(version).meta({ description: "The versions that were taken back, the last one first." }),
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
      .meta({ description: "Live executions that go on with what was taken back." }),
    advice: z.string().meta({ description: "What can be done about those." }),
    live: liveVersions,
    dryRun: z.boolean(),
  })
  .meta({ id: "RolledBackDefinition" });
export type ApiRolledBackDefinition = z.infer<typeof rolledBackDefinition>;

export const publication = z
  .object({
    number: z.number().int().meta({ description: "Counted up within the name." }),
    at: instant,
    verb: z.enum(["published", "rolled_back", "archived"]),
    version: version.nullable().meta({ description: "What the name meant from then on; null: nothing." }),
    was: version.nullable().meta({ description: "What it meant until then; null: nothing." }),
    actor: z.string(),
    reason: z.string().nullable(),
  })
  .meta({ id: "Publication" });
export type ApiPublication = z.infer<typeof publication>;
