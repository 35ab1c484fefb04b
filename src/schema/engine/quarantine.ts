// An execution that its cell cannot go on with stands apart, so that the others go on: what is known of it, and what is
// left of one that cannot be read.
import { z } from "zod";
import { definitionRef } from "../definition/definition.ts";

/** Its head cannot be read; its steps break; or what its steps make cannot be stored. */
export const quarantineKinds = ["unreadable", "broken", "unwritable"] as const;
export type QuarantineKind = (typeof quarantineKinds)[number];

export type Quarantined = {
  readonly kind: QuarantineKind;
  /** A sentence for people. */
  readonly reason: string;
  readonly since: number;
  /** How often it has been tried in vain, and when it is tried again. */
  readonly looks: number;
  readonly lookAt: number;
};

/** What is left of an execution when the rest of it cannot be read. */
export const identity = z.object({
  tenant: z.string(),
  namespace: z.string(),
  definition: definitionRef,
  placement: z.enum(["own", "pooled"]),
  correlationId: z.string().nullable(),
  seq: z.number(),
  createdAt: z.number(),
  parent: z.object({ execution: z.string(), run: z.string(), action: z.string(), incarnation: z.number() }).optional(),
});
export type Identity = z.infer<typeof identity>;
