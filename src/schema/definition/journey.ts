// A journey: an acyclic graph of nodes that a subject goes through. Each way from node to node ends taken or dead, and a
// node begins at most once.
import { z } from "zod";
import { cap, capName } from "./cap.ts";
import { delaysField, headFields, ownName } from "./head.ts";
import { rule } from "../json.ts";
import { EXITS_MAX, WAYS_MAX } from "../limits/journey-sizes.ts";
import { exitWhen } from "./journey/awaited.ts";
import { refuseBothNames, withOwnNames } from "./journey/config-names.ts";
import { journeyNode, nodeName, typeDefaults } from "./journey/nodes.ts";
import { reentry } from "../subject/enrolment.ts";
import { window } from "./window.ts";

export const journeyDefinition = z.strictObject({
  kind: z.literal("journey").describe("An acyclic graph of nodes."),
  ...headFields,
  subject: rule.optional().describe("JSONLogic over its variables: whom it is about, a text or a number."),
  reentry: reentry.optional().describe("Whether a subject may go through it again. Default: always."),
  delays: delaysField,
  windows: z.record(ownName, window).optional().describe("Opening hours by name."),
  caps: z.record(capName, cap).optional().describe("Caps by name: so many for one subject."),
  defaults: z
    .record(z.string(), typeDefaults)
    .superRefine((byType, context) => {
      for (const [type, said] of Object.entries(byType)) refuseBothNames(type, said, context, [type]);
    })
    .overwrite((byType) =>
      Object.fromEntries(Object.entries(byType).map(([type, said]) => [type, withOwnNames(type, said)])),
    )
    .optional()
    .describe("By type of action: what holds where a node of that type does not say otherwise."),
  exitWhen: z
    .array(exitWhen)
    .max(EXITS_MAX)
    .optional()
    .describe("Goals, and what ends it early: the first of them ends the journey, wherever it stands."),
  initial: z
    .union([nodeName, z.array(nodeName).min(1).max(WAYS_MAX)])
    .describe("The node it begins with, or a list of them."),
  nodes: z.record(nodeName, journeyNode).describe("Nodes by name."),
});
export type JourneyDefinition = z.infer<typeof journeyDefinition>;
