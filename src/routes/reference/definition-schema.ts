// Definition schema: JSON Schema of a definition with each action's config. /openapi.json and editors use it.
import { testedAction } from "#schema/definition/standalone.ts";
import { definition } from "#schema/definition/definition.ts";
import { actionSchemas, withTypedConfig, type ActionTypes } from "./action-schemas.ts";
import { partsOf, type JsonSchema, type Parts } from "./json-schema.ts";

const NAME = "Definition";
/** The ids of the schemas of a definition's actions: in a machine, and in a reconciler. */
const ACTION = "DefinitionAction";
const RECONCILER_ACTION = "ReconcilerAction";
/** The id of the schema of an action that a client tests without its definition. */
const TRIED = "TriedAction";

export function definitionParts(types: ActionTypes): Parts {
  const parts = partsOf(NAME, definition);
  const { [NAME]: whole = {}, [ACTION]: action = {}, [RECONCILER_ACTION]: reconcilerAction = {} } = parts;
  const { [TRIED]: tried = {}, ...partsOfTried } = partsOf(TRIED, testedAction);
  return {
    ...partsOfTried,
    ...parts,
    [NAME]: whole,
    [ACTION]: withTypedConfig(action),
    [RECONCILER_ACTION]: withTypedConfig(reconcilerAction),
    [TRIED]: withTypedConfig(withOptionalActionId(tried)),
    ...actionSchemas(types),
  };
}

/** Returns one complete schema. It is served at a URL that a definition's `$schema` can name. */
export function definitionSchema(types: ActionTypes): JsonSchema {
  const { [NAME]: whole, [TRIED]: _tried, ...parts } = definitionParts(types);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Escapement definition",
    description: "A process that Escapement runs. Store it with POST /v1/definitions.",
    ...whole,
    $defs: parts,
  };
}

/** Makes `actionId` optional, because an action in a test request needs no id. */
function withOptionalActionId(action: JsonSchema): JsonSchema {
  const required = Array.isArray(action.required) ? action.required : [];
  return {
    ...action,
    description: "An action as in a definition. `triggerState` and `schedule` have no effect in this request.",
    required: required.filter((field) => field !== "actionId"),
  };
}
