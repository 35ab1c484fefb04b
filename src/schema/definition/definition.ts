// A definition: immutable, versioned JSON. A machine is XState-shaped, with rules as JSONLogic instead of code.
import { z } from "zod";
import { actionDefinition, actionId } from "./action.ts";
import { assign, delaysField, headFields } from "./head.ts";
import { journeyDefinition } from "./journey.ts";
import { reconcilerDefinition } from "./reconciler.ts";
import { eventType } from "../engine/event.ts";
import { rule } from "../json.ts";
import { limits } from "../limits.ts";

export const transition = z
  .strictObject({
    target: z
      .union([z.string().min(1), z.array(z.string().min(1)).min(1).max(limits.regionsMax)])
      .optional()
      .describe(
        "Where to: a state beside, `.inner`, `a.b`, `#path`, or a list of them, one a region. Without it the state stays.",
      ),
    guard: rule.optional().describe("A rule (JSONLogic): taken only where it holds."),
    assign: assign.optional().describe("Variables to set, each by a rule."),
    actions: z.array(actionId).max(limits.actionsMax).optional().describe("Actions to start, by their ids."),
    reenter: z.boolean().optional().describe("true: to itself, it leaves the state and enters it again."),
    description: z.string().max(limits.descriptionCharsMax).optional().describe("For people."),
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
  .regex(/^[A-Za-z0-9_-]+$/, { message: "letters, digits, _ and - (dots separate levels)" });

const stateBody = {
  initial: stateName.optional().describe("The state inside that it begins in."),
  on: z
    .record(z.union([eventType, z.literal("*")]), transitions)
    .optional()
    .describe("Transitions by type of event; `*` takes every one that nothing else here takes."),
  after: z
    .record(z.string().min(1).max(100), transitions)
    .optional()
    .describe("Transitions by delay: milliseconds, a duration such as P3D, or a name of `delays`."),
  always: transitions.optional().describe("Transitions looked at on entry and whenever variables change."),
  onDone: transitions.optional().describe("Taken when the states inside have reached a final state."),
  entry: z
    .array(behaviour)
    .max(limits.actionsMax)
    .optional()
    .describe("On entering: ids of actions to start, and variables to set."),
  exit: z
    .array(behaviour)
    .max(limits.actionsMax)
    .optional()
    .describe("On leaving: ids of actions to start, and variables to set."),
  description: z.string().max(limits.descriptionCharsMax).optional().describe("For people."),
};

// Made once: what unwraps a lazy schema calls this each time.
export const stateNode: z.ZodType<StateNode> = z.lazy(() => stateObject).meta({ id: "State" });
const stateObject = z.strictObject({
  type: z
    .enum(["atomic", "compound", "parallel", "final", "history"])
    .optional()
    .describe("Left out, it follows from what is inside."),
  ...stateBody,
  states: z.record(stateName, stateNode).optional().describe("States inside this one, by name."),
  history: z.enum(["shallow", "deep"]).optional().describe("Of a history state: how far down it remembers."),
  target: z.string().min(1).optional().describe("Of a history state: where to go when there is no history yet."),
  outcome: z
    .enum(["completed", "failed"])
    .optional()
    .describe("Of a final state: what the execution then is. Default: completed."),
});

export const machineDefinition = z.strictObject({
  kind: z.literal("machine").describe("A statechart."),
  ...headFields,
  earlyEvents: z
    .enum(["keep", "refuse"])
    .optional()
    .describe("What becomes of an event that comes before a state that listens for it. Default: keep."),
  delays: delaysField,
  type: z
    .enum(["compound", "parallel"])
    .optional()
    .describe("parallel: all of its states are active side by side. Default: compound."),
  ...stateBody,
  states: z.record(stateName, stateNode).describe("States by name."),
  actions: z
    .array(actionDefinition)
    .max(limits.actionsMax)
    .optional()
    .describe("Side effects, and how each is retried."),
});
export type MachineDefinition = z.infer<typeof machineDefinition>;

export const definition = z.discriminatedUnion("kind", [machineDefinition, journeyDefinition, reconcilerDefinition]);
export type Definition = z.infer<typeof definition>;

/** Which definition an execution runs: pinned for its life. */
export const definitionRef = z.object({ id: z.string(), name: z.string(), version: z.number().int().min(1) });
export type DefinitionRef = z.infer<typeof definitionRef>;
