// A definition: immutable, versioned JSON. A machine is XState-shaped, with rules as JSONLogic instead of code.
import { z } from "zod";
import { actionDefinition, actionId, lane } from "./action.ts";
import { declaredEvents, declaredSchema } from "./declared.ts";
import { eventType } from "../engine/event.ts";
import { jsonObject, rule } from "../json.ts";
import { isIdOf } from "../ids.ts";
import { limits } from "../limits.ts";
import { duration, namedDelay, timezone } from "./timing.ts";

const assign = z.record(z.string().min(1).max(100), rule);

export const transition = z
  .strictObject({
    target: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).optional(),
    guard: rule.optional(),
    assign: assign.optional(),
    actions: z.array(actionId).optional(),
    reenter: z.boolean().optional(),
    description: z.string().max(limits.descriptionCharsMax).optional(),
  })
  .meta({ id: "Transition" });
export type Transition = z.infer<typeof transition>;

const transitions = z.union([z.string().min(1), transition, z.array(transition).max(limits.transitionsPerEventMax)]);
export type Transitions = z.infer<typeof transitions>;

/** What entering or leaving a state does: start an action by its id, or set variables. */
const behaviour = z.union([actionId, z.strictObject({ assign })]);
export type Behaviour = z.infer<typeof behaviour>;

export type StateNode = {
  type?: "atomic" | "compound" | "parallel" | "final" | "history" | undefined;
  initial?: string | undefined;
  states?: Record<string, StateNode> | undefined;
  on?: Record<string, Transitions> | undefined;
  after?: Record<string, Transitions> | undefined;
  always?: Transitions | undefined;
  onDone?: Transitions | undefined;
  entry?: Behaviour[] | undefined;
  exit?: Behaviour[] | undefined;
  history?: "shallow" | "deep" | undefined;
  target?: string | undefined;
  /** What the execution's status becomes when it ends in this final state. */
  outcome?: "completed" | "failed" | undefined;
  description?: string | undefined;
};

const stateName = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9_-]+$/, {
    message: "letters, digits, _ and - (dots separate levels)",
  });

const stateBody = {
  initial: stateName.optional(),
  on: z.record(z.union([eventType, z.literal("*")]), transitions).optional(),
  after: z.record(z.string().min(1).max(100), transitions).optional(),
  always: transitions.optional(),
  onDone: transitions.optional(),
  entry: z.array(behaviour).max(limits.actionsMax).optional(),
  exit: z.array(behaviour).max(limits.actionsMax).optional(),
  description: z.string().max(limits.descriptionCharsMax).optional(),
};

export const stateNode: z.ZodType<StateNode> = z
  .lazy(() =>
    z.strictObject({
      type: z.enum(["atomic", "compound", "parallel", "final", "history"]).optional(),
      ...stateBody,
      states: z.record(stateName, stateNode).optional(),
      history: z.enum(["shallow", "deep"]).optional(),
      target: z.string().min(1).optional(),
      outcome: z.enum(["completed", "failed"]).optional(),
    }),
  )
  .meta({ id: "State" });

export const placement = z.enum(["own", "pooled"]);
export type Placement = z.infer<typeof placement>;

export const definitionName = z
  .string()
  .max(limits.idLengthMax)
  .regex(/^[a-z][a-z0-9_-]*$/, { message: "a small letter, then small letters, digits, _ or -" })
  .refine((name) => !isIdOf("def", name), { message: "names beginning with def_ are taken by ids" });

/** Where an editor finds what a definition may say (/schemas/definition.json). Nothing of the process: it is not stored. */
const schemaAddress = z
  .string()
  .max(limits.referenceCharsMax)
  .optional()
  .meta({ description: "The address of this schema, for editors. It is not stored." });

export const machineDefinition = z.strictObject({
  $schema: schemaAddress,
  kind: z.literal("machine"),
  name: definitionName,
  /** How many runs may be under way at once. */
  concurrency: z.number().int().min(1).max(limits.concurrencyMax).optional(),
  placement: placement.optional(),
  lane: lane.optional(),
  /** How long a finished execution keeps its full history. */
  retention: duration.optional(),
  timezone: timezone.optional(),
  /** Defaults; an execution's own variables go over them. */
  variables: jsonObject.optional(),
  /** JSON Schema of what a start gives as its variables. */
  input: declaredSchema.optional(),
  /** JSON Schema of what events from outside bring as their payload, by their type. */
  events: declaredEvents.optional(),
  delays: z.record(z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/), namedDelay).optional(),
  type: z.enum(["compound", "parallel"]).optional(),
  ...stateBody,
  states: z.record(stateName, stateNode),
  actions: z.array(actionDefinition).max(limits.actionsMax).optional(),
});
export type MachineDefinition = z.infer<typeof machineDefinition>;

/** One kind so far; journeys and reconcilers join this union. */
export const definition = z.discriminatedUnion("kind", [machineDefinition]);
export type Definition = z.infer<typeof definition>;

/** Which definition an execution runs: pinned for its life. */
export const definitionRef = z.object({ id: z.string(), name: z.string(), version: z.number().int().min(1) });
export type DefinitionRef = z.infer<typeof definitionRef>;
