// Quarantine: if an execution cannot be stepped, its cell skips it, so that the cell's other executions continue.
import { z } from "zod";
import { definitionRef } from "../definition/definition.ts";

/**
 * unreadable: the execution's stored state cannot be read. broken: its steps fail. unwritable: its new state cannot be
 * stored.
 */
export const quarantineKinds = ["unreadable", "broken", "unwritable"] as const;
export type QuarantineKind = (typeof quarantineKinds)[number];

export type QuarantineEntry = {
  readonly kind: QuarantineKind;
  /** The reason, as a sentence for people. */
  readonly reason: string;
  readonly since: number;
  /** The number of failed checks. `lookAt`: the instant of the next check, in epoch ms. */
  readonly looks: number;
  readonly lookAt: number;
};

/** Those fields of an unreadable execution that could still be read. */
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
