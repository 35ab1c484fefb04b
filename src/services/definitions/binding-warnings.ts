// Binding warnings: the services and databases that a definition's actions name but the installation does not have.
import { placedActions, placeIn } from "#kernel/programs/placed-actions.ts";
import { bindingHint, unboundName } from "#policy/forecast/unbound-name.ts";
import type { Definition } from "#schema/definition/definition.ts";
import { jsonPointer } from "#schema/findings.ts";
import type { Warning } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import type { Deps } from "../deps.ts";
import { missingNameWarning } from "./missing-names.ts";

export function bindingWarnings({ bindings }: Pick<Deps, "bindings">, definition: Definition): readonly Warning[] {
  return placedActions(definition).flatMap((placed) => {
    const unbound = unboundName(bindings, placed.action.type, placed.action.config);
    if (unbound === null) return [];
    const { field, name, code, bound } = unbound;
    const where = jsonPointer(placeIn(definition, placed, ["config", field]));
    const near = didYouMean(name, bound);
    return [missingNameWarning({ what: `${field} ${name}`, code, where, near, create: bindingHint(unbound) })];
  });
}
