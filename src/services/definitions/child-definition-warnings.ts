// Child-definition warnings: checks the definitions that a definition starts. Each must exist and must accept the given
// input.
import { z } from "zod";
import { definitionVersions } from "#catalog/definitions.ts";
import { findVersion } from "#catalog/versioned.ts";
import { childInputWarnings } from "#kernel/verify/declared/child-input.ts";
import { inputSchemaObject, type InputSchemaObject } from "#schema/definition/input-schema.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { Warning } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { openNameSuggestions, type FindSimilarName } from "../versioned/suggest-names.ts";
import { missingNameWarning, namesUsedBy, type NameUse } from "./missing-names.ts";
import { isBareName, parseReference } from "./find-definition.ts";

/** A definition that starts itself counts as existing, because storing it makes it exist. */
export async function childDefinitionWarnings(
  deps: Deps,
  caller: TenantCaller,
  definition: Definition,
): Promise<Warning[]> {
  const uses = namesUsedBy(definition, "definition", (type) => type === "start_execution");
  const refs = [...new Set(uses.map(({ name }) => name))].filter((name) => name !== definition.name);
  const findNear = openNameSuggestions(deps, definitionVersions, caller.tenant);
  const children = await Promise.all(refs.map((reference) => findChild(deps, caller.tenant, reference, findNear)));
  return uses.flatMap((use) => {
    const child = children.find(({ reference }) => reference === use.name);
    if (child === undefined) return inputWarnings(definition.input, use);
    if (child.state === "there") return inputWarnings(child.input, use);
    if (child.state === "unpublished") return [unpublished(use, child.newest)];
    const what = `definition ${use.name}${child.state === "archived" ? " that is not archived" : ""}`;
    const advice = "Store the definition: POST /v1/definitions.";
    return [
      missingNameWarning({ what, code: "definition_unknown", where: use.where, near: child.near, create: advice }),
    ];
  });
}

/**
 * The part of a child's stored body that these checks read. An old version may have an input schema that is no longer
 * valid; it counts as absent.
 */
const declaredInput = z.object({ input: inputSchemaObject.optional().catch(undefined) });

type FoundChild =
  | { readonly reference: string; readonly state: "there"; readonly input: InputSchemaObject | undefined }
  | { readonly reference: string; readonly state: "unpublished"; readonly newest: string }
  | { readonly reference: string; readonly state: "archived" | "absent"; readonly near: string | null };

async function findChild(
  deps: Deps,
  tenant: string,
  reference: string,
  findNear: FindSimilarName,
): Promise<FoundChild> {
  const key = parseReference(reference);
  const row = key === null ? null : await findVersion(deps.db, definitionVersions, tenant, key);
  if (key !== null && row !== null && row.archivedAt === null && isBareName(key) && row.withheld !== null)
    return { reference, state: "unpublished", newest: `${row.name}@${row.version}` };
  if (row !== null && row.archivedAt === null) {
    return { reference, state: "there", input: declaredInput.parse(JSON.parse(row.body)).input };
  }
  const similar = await findNear(reference);
  return { reference, state: row === null ? "absent" : "archived", near: similar === null ? null : similar.name };
}

function unpublished({ name, where }: NameUse, newest: string): Warning {
  const advice = `Publish a version: POST /v1/definitions/${newest}/publish.`;
  return missingNameWarning({
    what: `published version of ${name}`,
    code: "definition_unknown",
    where,
    near: null,
    create: advice,
  });
}

function inputWarnings(input: InputSchemaObject | undefined, { name, config, at }: NameUse): readonly Warning[] {
  return input === undefined ? [] : childInputWarnings(input, config["variables"], { where: at, of: name });
}
