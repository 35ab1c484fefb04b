// Definitions: immutable, versioned JSON. A machine has the structure of XState, but its rules are JSONLogic and not
// code.
import { z } from "zod";
import { actionDefinition } from "./action.ts";
import { actionId } from "./action-fields.ts";
import { assign, calendarsField, delaysField, headFields, limitsFields } from "./head.ts";
import { journeyDefinition } from "./journey.ts";
import { reconcilerDefinition } from "./reconciler.ts";
import { eventType } from "../engine/event.ts";
import { rule } from "../json.ts";
import { DESCRIPTION_CHARS_MAX } from "../limits/api-requests.ts";
import { DEFINITION_ACTIONS_MAX, REGIONS_MAX, TRANSITIONS_PER_EVENT_MAX } from "../limits/definition-sizes.ts";

export const transition = z
  .strictObject({
    target: z
      .union([z.string().min(1), z.array(z.string().min(1)).min(1).max(REGIONS_MAX)])
      .optional()
      .describe(
        "The target: a sibling state, `.inner`, `a.b`, `#path`, or a list with one target per region. Without a target the state does not change.",
      ),
    guard: rule.optional().describe("A rule (JSONLogic). The transition is taken only if the rule is true."),
    assign: assign.optional().describe("Variables to set: each name has a rule that computes its value."),
    actions: z.array(actionId).max(DEFINITION_ACTIONS_MAX).optional().describe("Ids of the actions to start."),
    reenter: z.boolean().optional().describe("true: a transition to the same state leaves and enters it again."),
    description: z
      .string()
      .max(DESCRIPTION_CHARS_MAX)
      .optional()
      .describe("A description for people; the engine does not read it."),
  })
  .meta({ id: "Transition" });
export type Transition = z.infer<typeof transition>;

const transitions = z.union([z.string().min(1), transition, z.array(transition).max(TRANSITIONS_PER_EVENT_MAX)]);
export type Transitions = z.infer<typeof transitions>;

/** The effect of entering or leaving a state: the action with this id starts, or variables are assigned. */
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
  /** The status that the execution gets when it ends in this final state. */
  outcome?: "completed" | "failed" | undefined;
  description?: string | undefined;
};

const stateName = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9_-]+$/, { message: "must be letters, digits, _ and - (dots separate levels)" });

const stateBody = {
  initial: stateName.optional().describe("The inner state that is entered first."),
  on: z
    .record(z.union([eventType, z.literal("*")]), transitions)
    .optional()
    .describe("Transitions by event type; `*` accepts every event that no other transition of the state accepts."),
  after: z
    .record(z.string().min(1).max(100), transitions)
    .optional()
    .describe("Transitions by delay: milliseconds, a duration such as P3D, or a name of `delays`."),
  always: transitions
    .optional()
    .describe("Transitions that are evaluated when the state is entered and whenever variables change."),
  onDone: transitions
    .optional()
    .describe("Transitions that are taken when the inner states have reached a final state."),
  entry: z
    .array(behaviour)
    .max(DEFINITION_ACTIONS_MAX)
    .optional()
    .describe("Ids of actions to start and variables to set when the state is entered."),
  exit: z
    .array(behaviour)
    .max(DEFINITION_ACTIONS_MAX)
    .optional()
    .describe("Ids of actions to start and variables to set when the state is left."),
  description: z
    .string()
    .max(DESCRIPTION_CHARS_MAX)
    .optional()
    .describe("A description for people; the engine does not read it."),
};

// The schema of a state is one object, which is made once. zod calls this function each time that it needs the schema.
export const stateNode: z.ZodType<StateNode> = z.lazy(() => stateObject).meta({ id: "State" });
const stateObject = z.strictObject({
  type: z
    .enum(["atomic", "compound", "parallel", "final", "history"])
    .optional()
    .describe("The kind of state. Default: derived from its inner states."),
  ...stateBody,
  states: z.record(stateName, stateNode).optional().describe("The inner states, by name."),
  history: z
    .enum(["shallow", "deep"])
    .optional()
    .describe(
      "For a history state: shallow stores the inner state that was left last. deep also stores the states inside that state.",
    ),
  target: z.string().min(1).optional().describe("For a history state: the target if there is no history yet."),
  outcome: z
    .enum(["completed", "failed"])
    .optional()
    .describe("For a final state: the status of the execution that ends there. Default: completed."),
});

export const machineDefinition = z.strictObject({
  kind: z.literal("machine").describe("A statechart."),
  ...headFields,
  earlyEvents: z
    .enum(["keep", "refuse"])
    .optional()
    .describe(
      "How the execution handles an event that arrives before a state accepts it: keep (store it, the default) or refuse.",
    ),
  delays: delaysField,
  ...limitsFields,
  calendars: calendarsField,
  type: z
    .enum(["compound", "parallel"])
    .optional()
    .describe("parallel: all states of the machine are active at once. Default: compound."),
  ...stateBody,
  states: z.record(stateName, stateNode).describe("States by name."),
  actions: z
    .array(actionDefinition)
    .max(DEFINITION_ACTIONS_MAX)
    .optional()
    .describe("Side effects, and their retry policies."),
});
export type MachineDefinition = z.infer<typeof machineDefinition>;

export const definition = z.discriminatedUnion("kind", [machineDefinition, journeyDefinition, reconcilerDefinition]);
export type Definition = z.infer<typeof definition>;

/** The version of a definition that an execution uses. It stays the same during the whole execution. */
export const definitionRef = z.object({ id: z.string(), name: z.string(), version: z.number().int().min(1) });
export type DefinitionRef = z.infer<typeof definitionRef>;
