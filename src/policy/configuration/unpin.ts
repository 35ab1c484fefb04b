// Unpinned templates: a stored definition names the versions of its templates. Another tenant has other version numbers,
// so an exported definition names the current version by the template's name alone.
import { placedActions, placeIn, withValueAt } from "#kernel/programs/placed-actions.ts";
import type { Definition } from "#schema/definition/definition.ts";

/** `current`: the version to which each template's name resolves. A pin to another version stays. */
export function unpinTemplates(definition: Definition, current: ReadonlyMap<string, number>): Definition {
  return placedActions(definition).reduce((before, placed) => {
    const { template } = placed.action.config;
    const [, name, version] = typeof template === "string" ? (/^(.+)@(\d{1,9})$/.exec(template) ?? []) : [];
    if (name === undefined || current.get(name) !== Number(version)) return before;
    return withValueAt(before, placeIn(definition, placed, ["config", "template"]), name);
  }, definition);
}
