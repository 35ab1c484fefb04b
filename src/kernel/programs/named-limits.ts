// Named limits: the windows and caps of a definition. Replaces their names in an action by the windows and caps.
import type { AnyAction, ProgramAction } from "#schema/definition/action.ts";
import type { Cap } from "#schema/definition/cap.ts";
import type { Window } from "#schema/definition/window.ts";

/** The part of a definition that declares windows and caps. */
export type NamedLimits = {
  readonly windows?: { readonly [name: string]: Window } | undefined;
  readonly caps?: { readonly [name: string]: Cap } | undefined;
};

/** The action with its window and cap. A name that the definition does not declare gives no limit. */
export function withLimits<Action extends AnyAction>(
  limits: NamedLimits,
  { window, cap, ...action }: Action,
): Omit<Action, "window" | "cap"> & Pick<ProgramAction, "window" | "cap"> {
  const hours = typeof window === "string" ? ownField(limits.windows, window) : window;
  const counted = typeof cap === "string" ? namedCap(limits, cap) : cap;
  return {
    ...action,
    ...(hours === undefined ? {} : { window: hours }),
    ...(counted === undefined ? {} : { cap: counted }),
  };
}

function namedCap({ caps }: NamedLimits, name: string): ProgramAction["cap"] {
  const cap = ownField(caps, name);
  return cap === undefined ? undefined : { ...cap, name };
}

function ownField<T>(record: { readonly [name: string]: T } | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
