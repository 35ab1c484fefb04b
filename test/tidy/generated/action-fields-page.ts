// A page of docs/reference/ that is made from the schemas: each field of an action in each place of an action.
import { actionDefinition, reconcilerAction } from "#schema/definition/action.ts";
import { actionFields, type ActionField } from "#schema/definition/action-fields.ts";
import { lacking, recurringNames, type ActionPlace } from "#schema/definition/action-places.ts";
import { actingNode, typeDefaults, undo } from "#schema/definition/journey/action-node.ts";
import { childNode, repeatedNode } from "#schema/definition/journey/nodes.ts";
import { actionBody } from "#wire/actions/shape.ts";
import { createRecurringBody } from "#wire/recurring/bodies.ts";
import { NOTE } from "./reference-pages.ts";

export const ACTION_FIELDS = "docs/reference/action-fields.md";

type Place = {
  readonly title: string;
  readonly schema: { readonly shape: object };
  /** Names that differ from the field's. */
  readonly names?: { readonly [field in ActionField]?: string };
  /** What a field means in this place only. */
  readonly remarks?: { readonly [field in ActionField]?: string };
};
type Places = { readonly [place in ActionPlace]?: Place };

const withoutDefinition = "Only `deadLetter` and `fail`: no definition exists that could pause or receive an event.";

const inlineCap = "An object with a `name` and a `subject`, not a name: only a definition has `caps`.";

const main: Places = {
  machine: { title: "[machine](definitions.md#actions)", schema: actionDefinition },
  node: { title: "[journey node](journeys.md#actions)", schema: actingNode },
  reconciler: {
    title: "[reconciler](reconcilers.md#actions)",
    schema: reconcilerAction,
    remarks: { onExhausted: "No event: a rule reads `action.failed`." },
  },
  standalone: {
    title: "[standalone](standalone-actions.md)",
    schema: actionBody,
    remarks: {
      onExhausted: withoutDefinition,
      actionId: "A label for lists. Default: the action type.",
      delay: "Without names: a standalone action has no `delays`.",
      window: "An object, not a name: only a definition has `windows`.",
      cap: inlineCap,
    },
  },
  recurring: {
    title: "[recurring](recurring-actions.md)",
    schema: createRecurringBody,
    names: recurringNames,
    remarks: {
      onExhausted: withoutDefinition,
      enabled: "Switches the recurring action on or off, not each started action.",
      description: "Describes the recurring action.",
      window: "An object, not a name: only a definition has `windows`.",
      cap: inlineCap,
      timezone: "The zone of the cron expression. The started action reads its dates in the same zone.",
    },
  },
};
const inJourneys: Places = {
  repeated: { title: "`node` of `each`", schema: repeatedNode },
  child: { title: "node of type `journey`", schema: childNode },
  undo: { title: "`undo`", schema: undo },
  defaults: { title: "`defaults`", schema: typeDefaults },
};

const fields = Object.keys(actionFields) as readonly ActionField[]; // The keys of the record.

export function actionFieldsPage(): string {
  const reasons: string[] = [];
  const tables = [main, inJourneys].map((places) => table(places, reasons));
  const [first = "", second = ""] = tables;
  return `# Fields of an action

${NOTE}

A field of an action has the same name and meaning in every place. A number refers to a [reason](#reasons): why a place lacks the field, or
what is different there. The engine gives the same reason when it refuses the field.

${first}

## In journeys

Parts of a journey that are not whole actions have fewer fields:

${second}

## Reasons

${reasons.map((reason, n) => `${n + 1}. ${reason}`).join("\n")}

## Meaning

| field | meaning |
|---|---|
${fields.map((field) => `| \`${field}\` | ${actionFields[field].description ?? ""} |`).join("\n")}
`;
}

function table(places: Places, reasons: string[]): string {
  const all = Object.entries(places) as readonly (readonly [ActionPlace, Place])[]; // The keys of the record.
  const rows = fields.map((field) => [`\`${field}\``, ...all.map((place) => cell(field, place, reasons))]);
  const head = ["field", ...all.map(([, { title }]) => title)];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function cell(field: ActionField, [place, of]: readonly [ActionPlace, Place], reasons: string[]): string {
  const name = of.names?.[field];
  const isThere = Object.hasOwn(of.schema.shape, name ?? field);
  if (name !== undefined && isThere) return `\`${name}\``;
  const lacks: { readonly [field in ActionField]?: string } = lacking[place];
  const reason = lacks[field];
  if (isThere === (reason !== undefined)) throw new Error(`${place}: ${field} must be in the schema or have a reason`);
  if (!isThere) return `no ${numberOf(reason ?? "", reasons)}`;
  const remark = of.remarks?.[field];
  return remark === undefined ? "yes" : `yes ${numberOf(remark, reasons)}`;
}

function numberOf(reason: string, reasons: string[]): string {
  if (!reasons.includes(reason)) reasons.push(reason);
  return `[${reasons.indexOf(reason) + 1}](#reasons)`;
}
