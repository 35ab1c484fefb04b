// What travels through the action queue, told apart by kind. Identities only: no payload, no secret.
import { z } from "zod";

/** An attempt to be carried out. */
const actionMessage = z.object({
  v: z.literal(1),
  kind: z.literal("action"),
  tenant: z.string(),
  execution: z.string(),
  run: z.string(),
  attempt: z.number().int().min(1),
  priority: z.number(),
  /** Its timeout, where that is too long for the queue that short actions travel by. */
  timeoutMs: z.number().optional(),
});
export type ActionMessage = z.infer<typeof actionMessage>;

/** It travels by the queue for slow ones. */
export function isSlow({ timeoutMs }: ActionMessage): boolean {
  return timeoutMs !== undefined;
}

/** An execution has ended, and another one waits for that. What it has to say is read where it lives. */
const signalMessage = z.object({
  v: z.literal(1),
  kind: z.literal("signal"),
  tenant: z.string(),
  execution: z.string(),
  parent: z.string(),
});
export type SignalMessage = z.infer<typeof signalMessage>;

/** An execution wants something done about its tasks. What, is read where it lives. */
const errandsMessage = z.object({
  v: z.literal(1),
  kind: z.literal("errands"),
  tenant: z.string(),
  execution: z.string(),
});
export type ErrandsMessage = z.infer<typeof errandsMessage>;

/** The directory has to know the correlation key of an execution. Which, is read where it lives. */
const enlistMessage = z.object({
  v: z.literal(1),
  kind: z.literal("enlist"),
  tenant: z.string(),
  execution: z.string(),
});
export type EnlistMessage = z.infer<typeof enlistMessage>;

/** An execution has ended: its subject's object has to know. What there is to say is read where it lives. */
const subjectMessage = z.object({
  v: z.literal(1),
  kind: z.literal("subject"),
  tenant: z.string(),
  execution: z.string(),
});
export type SubjectMessage = z.infer<typeof subjectMessage>;

/** An execution wants children of its canceled, or looked for. Which, is read where it lives. */
const childrenMessage = z.object({
  v: z.literal(1),
  kind: z.literal("children"),
  tenant: z.string(),
  execution: z.string(),
});
export type ChildrenMessage = z.infer<typeof childrenMessage>;

/** What an execution wants told, or done, elsewhere. */
export type News = SignalMessage | ErrandsMessage | EnlistMessage | SubjectMessage | ChildrenMessage;

export const queueMessage = z.discriminatedUnion("kind", [
  actionMessage,
  signalMessage,
  errandsMessage,
  enlistMessage,
  subjectMessage,
  childrenMessage,
]);
export type QueueMessage = z.infer<typeof queueMessage>;
