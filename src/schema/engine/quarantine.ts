// Quarantine: the cell skips an execution that it cannot step, so that the cell's other executions continue.
import { z } from "zod";
import { definitionRef } from "../definition/definition.ts";

/** unreadable: the head cannot be read. broken: steps fail. unwritable: the new state cannot be stored. */
export const quarantineKinds = ["unreadable", "broken", "unwritable"] as const;
export type QuarantineKind = (typeof quarantineKinds)[number];

export type QuarantineEntry = {
  readonly kind: QuarantineKind;
  /** The reason, as a sentence for people. */
  readonly reason: string;
  readonly since: number;
  /** The number of failed checks, and the instant of the next check in epoch ms. */
  readonly looks: number;
  readonly lookAt: number;
};

/** The fields of an unreadable execution that could still be read. */
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
