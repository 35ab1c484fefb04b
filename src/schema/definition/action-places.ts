// Places of an action: the fields that a place lacks, each with the reason. The schema of a place is made from this list,
// the finding about a refused field has the reason as its hint, and docs/reference/action-fields.md shows the reasons.
import type { FieldHints } from "../field-hints.ts";
import { actionFields, type ActionField } from "./action-fields.ts";

type Reasons<Field extends ActionField> = { readonly [field in Field]: string };

function lacks<Field extends ActionField>(reason: string, ...fields: readonly Field[]): Reasons<Field> {
  // The entries have exactly the given fields as their names.
  return Object.fromEntries(fields.map((field) => [field, reason])) as Reasons<Field>;
}

const ofMachines = {
  triggerState: "`triggerState` is a field of actions in machines.",
  cancelOnExit: "`cancelOnExit` is a field of actions in machines.",
};
const ofRequests = lacks(
  "A run of a definition has its own idempotency key. The field belongs to standalone and recurring actions.",
  "dedupKey",
  "dedupWindow",
);

const machine = ofRequests;

const reconciler = {
  ...ofRequests,
  triggerState: 'Name the action in "emit" of a rule of that state.',
  schedule: 'Rules start the actions of a reconciler. Use "now" in a rule.',
  condition: 'Move this condition to "when" of the rule that starts the action.',
  cancelOnExit: "`cancelOnExit` is a field of actions in machines.",
};

const node = {
  ...ofMachines,
  ...ofRequests,
  actionId: "The name of the node is the action's id.",
  schedule: "`schedule` is a cron expression. Use `delay` for the time when the node is due.",
  ...lacks("The field belongs to actions of machines and reconcilers.", "createdAt", "updatedAt"),
};
const settings = { ...node, ...lacks("Write the description of the node.", "description") };

/** Fields that a recurring action has under the names of its own specification. */
export const recurringNames = {
  type: "provider",
  config: "payload",
  actionId: "action_type",
  schedule: "cron_expr",
  dedupKey: "dedup_key",
};

export const lacking = {
  machine,
  reconciler,
  node,
  /** The inner node of `each`. */
  repeated: { ...settings, delay: "`every` of the node sets the time between two repetitions." },
  /** An entry of a journey's `defaults`. */
  defaults: { ...settings, type: "The name of the entry is the action type.", delay: "Each node has its own delay." },
  /** A node of the type `journey`. */
  child: {
    ...node,
    ...lacks(
      "The started execution has actions of its own, which have this field.",
      ...([
        "timeout",
        "priority",
        "lane",
        "enabled",
        "validUntil",
        "maxLateness",
        "timezone",
        "disambiguation",
      ] as const),
      ...(["selfHeal", "window", "quietHours", "cap", "limit"] as const),
    ),
    config: "The fields `definition`, `variables`, `correlationId` and `onCancel` of the node are the config.",
  },
  undo: {
    ...settings,
    ...lacks(
      "An undo starts as soon as the journey compensates, without further conditions.",
      ...(["delay", "condition", "validUntil", "maxLateness", "timezone", "disambiguation", "enabled"] as const),
      ...(["window", "cap", "limit"] as const),
    ),
    ...lacks("A failed undo pauses the compensation until an operator decides.", "onExhausted", "selfHeal"),
  },
  standalone: {
    ...ofMachines,
    schedule: "To start an action by a cron expression, create a recurring action.",
    ...lacks("The engine sets this instant.", "createdAt", "updatedAt"),
  },
  recurring: {
    ...ofMachines,
    type: `Use \`${recurringNames.type}\`.`,
    config: `Use \`${recurringNames.config}\`.`,
    actionId: `Use \`${recurringNames.actionId}\`.`,
    schedule: `Use \`${recurringNames.schedule}\`.`,
    dedupKey: `Use \`${recurringNames.dedupKey}\`.`,
    dedupWindow: "The window of `dedup_key` is PT24H.",
    delay: "The cron expression sets the instant. Use `jitter_seconds` to spread the starts.",
    ...lacks("The engine sets this instant.", "createdAt", "updatedAt"),
  },
} satisfies { readonly [place: string]: { readonly [field in ActionField]?: string } };
export type ActionPlace = keyof typeof lacking;

/** Fields of earlier versions. */
const renamed = { retry: "Use `retryPolicy`." };

export function hintsFor(place: ActionPlace): FieldHints {
  return { ...renamed, ...lacking[place] };
}

export type FieldsIn<Place extends ActionPlace> = Omit<typeof actionFields, keyof (typeof lacking)[Place]>;

/** The fields of an action in the place. */
export function fieldsIn<Place extends ActionPlace>(place: Place): FieldsIn<Place> {
  const fields = Object.entries(actionFields).filter(([field]) => !Object.hasOwn(lacking[place], field));
  return Object.fromEntries(fields) as FieldsIn<Place>; // The filter removes exactly the omitted fields.
}
