// Fields that several kinds of journey nodes have: name, next nodes, join, description and condition.
import { z } from "zod";
import { rule } from "../../json.ts";
import { DESCRIPTION_CHARS_MAX, ID_CHARS_MAX } from "../../limits/api-requests.ts";
import { NODE_EDGES_MAX } from "../../limits/definitions/journey-sizes.ts";

export const controlTypes = ["delay", "branch", "wait", "split", "each", "journey", "exit"] as const;
export type ControlType = (typeof controlTypes)[number];

export const nodeName = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, { message: "must be a letter, then letters, digits, _ or -" });

export const next = z
  .union([nodeName, z.array(nodeName).min(1).max(NODE_EDGES_MAX)])
  .optional()
  .describe("The next node, or a list of them: a fork.");
export type Next = z.infer<typeof next>;

export const join = z.union([
  z.enum(["all", "any"]),
  z.strictObject({ of: z.number().int().min(1).describe("The node begins when this many incoming edges are taken.") }),
]);

export const placed = {
  join: join
    .optional()
    .describe("With several incoming edges: all have ended (default), the first is taken, or this many are."),
  description: z.string().max(DESCRIPTION_CHARS_MAX).optional().describe("For people."),
};
export const condition = rule
  .optional()
  .describe("A rule (JSONLogic): false skips the node, and the journey continues after it.");
