// Quarantine: an execution that its cell cannot step, kept aside so that the others continue: what is known of it, and
// the identity of an unreadable one.
import { z } from "zod";
import { definitionRef } from "../definition/definition.ts";

/** The execution's head cannot be read; its steps fail; or its new state cannot be stored. */
export const quarantineKinds = ["unreadable", "broken", "unwritable"] as const;
export type QuarantineKind = (typeof quarantineKinds)[number];

export type Quarantined = {
  readonly kind: QuarantineKind;
  /** A sentence for people. */
  readonly reason: string;
  readonly since: number;
  /** How many attempts failed, and when the next one is made. */
  readonly looks: number;
  readonly lookAt: number;
};

/** The readable part of an unreadable execution. */
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
