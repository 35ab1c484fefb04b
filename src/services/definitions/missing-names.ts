// Missing names: finds the names that actions refer to, and builds the warnings for names that do not exist.
import { placedActions, placeIn } from "#kernel/programs/placed-actions.ts";
import { warning } from "#kernel/verify/finding.ts";
import type { Definition } from "#schema/definition/definition.ts";
import { jsonPointer } from "#schema/findings.ts";
import type { JsonObject } from "#schema/json.ts";
import type { Warning } from "#schema/refusal.ts";

export type NameUse = {
  readonly name: string;
  readonly where: string;
  readonly config: JsonObject;
  readonly at: string;
};

/**
 * Returns each use of a name in `field` of an action's config. A name that contains a template is left out, because its
 * value is known only after rendering.
 */
export function namesUsedBy(
  definition: Definition,
  field: string,
  isOfType: (type: string) => boolean,
): readonly NameUse[] {
  return placedActions(definition).flatMap((placed) => {
    const { type, config } = placed.action;
    const name = config[field];
    if (!isOfType(type) || typeof name !== "string" || /\{\{|\{%/.test(name)) return [];
    const pointerTo = (...path: string[]): string => jsonPointer(placeIn(definition, placed, ["config", ...path]));
    return [{ name, config, where: pointerTo(field), at: pointerTo() }];
  });
}

type MissingName = {
  readonly what: string;
  readonly code: string;
  readonly where: string;
  readonly near: string | null;
  /** The hint for a name that does not exist: how the client creates the missing object. */
  readonly create: string;
  readonly value?: string;
};

export function missingNameWarning({ what, code, where, near, create, value }: MissingName): Warning {
  const fix = near === null ? create : `Write ${near} if you mean that name. ${create}`;
  const patch = near === null ? null : [{ op: "replace", path: where, value: value ?? near } as const];
  return warning(where, code, `the ${what} does not exist, so runs that use it would fail`, { fix, patch });
}
