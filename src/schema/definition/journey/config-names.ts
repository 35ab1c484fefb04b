// Alternative field names that clients may use in the configs of journey nodes. They are replaced by the runner's own
// field names before the definition is stored.
import { z } from "zod";
import type { JsonObject } from "../../json.ts";

/** By action type: each alternative field name, with the runner's own name. Tasks have none. */
const otherNames: { readonly [type: string]: { readonly [other: string]: string } } = {
  email: { recipient: "to" },
  sms: { phoneNumber: "to" },
};

const VARIABLE = /^\{\{\s*(execution\.variables(?:\.[A-Za-z_][A-Za-z0-9_-]*)+)\s*\}\}$/;

type Node = { readonly config?: JsonObject | undefined };
type Context = z.core.$RefinementCtx;

/** Refuses a config that contains both names of a field, because their values may differ. */
export function refuseBothNames(type: string, { config = {} }: Node, context: Context, path: readonly string[] = []) {
  for (const [other, own] of Object.entries(namesOf(type))) {
    if (!Object.hasOwn(config, other) || !Object.hasOwn(config, own)) continue;
    const message = `${other} is another name of ${own}: use one of them`;
    context.addIssue({ code: "custom", path: [...path, "config", other], message });
  }
}

export function withOwnNames<Named extends Node>(type: string, node: Named): Named {
  const names = namesOf(type);
  const { config } = node;
  if (config === undefined || !Object.keys(names).some((other) => Object.hasOwn(config, other))) return node;
  const entries = Object.entries(config).map(([name, value]) => [names[name] ?? name, value]);
  return { ...node, config: Object.fromEntries(entries) };
}

function namesOf(type: string): { readonly [other: string]: string } {
  return Object.hasOwn(otherNames, type) ? (otherNames[type] ?? {}) : {};
}

const moment = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]);

/** When a delay node ends: at a date, at a date-time, or at the instant in a variable. */
export const delayConfig = z.strictObject({
  delayUntil: z
    .string()
    .refine((text) => VARIABLE.test(text) || moment.safeParse(text).success, {
      message: "must be a date, a date-time, or one variable such as {{ execution.variables.weddingDate }}",
    })
    .describe("Another name of `until`."),
});

export function untilOf({ delayUntil }: z.infer<typeof delayConfig>) {
  const variable = VARIABLE.exec(delayUntil)?.[1];
  return { anchor: variable === undefined ? delayUntil : { var: variable } };
}
