// Fields that several kinds of journey nodes have: name, next nodes, join, description and condition.
import { z } from "zod";
import { rule } from "../../json.ts";
import { DESCRIPTION_CHARS_MAX, ID_CHARS_MAX } from "../../limits/api-requests.ts";
import { NODE_EDGES_MAX } from "../../limits/definition-sizes.ts";

export const controlTypes = ["delay", "branch", "wait", "split", "each", "journey", "exit"] as const;
export type ControlType = (typeof controlTypes)[number];

export const nodeName = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, { message: "must begin with a letter and contain only letters, digits, _ and -" });

export const next = z
  .union([nodeName, z.array(nodeName).min(1).max(NODE_EDGES_MAX)])
  .optional()
  .describe("The next node, or a list of next nodes that run in parallel.");
export type Next = z.infer<typeof next>;

export const join = z.union([
  z.enum(["all", "any"]),
  z.strictObject({
    of: z.number().int().min(1).describe("The node begins when this number of incoming edges is taken."),
  }),
]);

export const nodeFields = {
  join: join
    .optional()
    .describe(
      "When a node with several incoming edges begins: after all edges have ended (default), after the first taken edge, or after a number of taken edges.",
    ),
  description: z
    .string()
    .max(DESCRIPTION_CHARS_MAX)
    .optional()
    .describe("A description for people; the engine does not read it."),
};
export const condition = rule
  .optional()
  .describe("A rule (JSONLogic). If it is false, the node is skipped, and the journey continues with the next node.");
