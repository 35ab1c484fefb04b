// Journeys: an acyclic graph of nodes. At the end of an execution, each edge was either taken or can no longer be
// taken. Each node begins at most once.
import { z } from "zod";
import { calendarsField, delaysField, headFields, limitsFields } from "./head.ts";
import { rule } from "../json.ts";
import { EXITS_MAX, NODE_EDGES_MAX } from "../limits/definition-sizes.ts";
import { exitWhen } from "./journey/wait-conditions.ts";
import { refuseBothNames, withOwnNames } from "./journey/config-names.ts";
import { typeDefaults } from "./journey/action-node.ts";
import { nodeName } from "./journey/node-parts.ts";
import { journeyNode } from "./journey/nodes.ts";
import { reentry } from "../subject/enrolment.ts";

export const journeyDefinition = z.strictObject({
  kind: z.literal("journey").describe("A graph of nodes without cycles."),
  ...headFields,
  subject: rule
    .optional()
    .describe("A JSONLogic rule over the execution's variables. It returns the subject's key, a text or a number."),
  reentry: reentry.optional().describe("Whether a subject may start this journey again. Default: always."),
  delays: delaysField,
  ...limitsFields,
  calendars: calendarsField,
  defaults: z
    .record(z.string(), typeDefaults)
    .superRefine((byType, context) => {
      for (const [type, said] of Object.entries(byType)) refuseBothNames(type, said, context, [type]);
    })
    .overwrite((byType) =>
      Object.fromEntries(Object.entries(byType).map(([type, said]) => [type, withOwnNames(type, said)])),
    )
    .optional()
    .describe("For each action type: default fields for the nodes of this type."),
  exitWhen: z
    .array(exitWhen)
    .max(EXITS_MAX)
    .optional()
    .describe(
      "Goals and early exits. The first goal or exit that occurs ends the journey, regardless of the current node.",
    ),
  initial: z
    .union([nodeName, z.array(nodeName).min(1).max(NODE_EDGES_MAX)])
    .describe("The first node, or a list of first nodes."),
  nodes: z.record(nodeName, journeyNode).describe("Nodes by name."),
});
export type JourneyDefinition = z.infer<typeof journeyDefinition>;
