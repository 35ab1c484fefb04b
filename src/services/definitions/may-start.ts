// Whether executions of a definition may begin, as it was found.
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { FoundDefinition } from "./find-definition.ts";

export function mayStart(reference: string, { ref, archived, unpublished }: FoundDefinition): Result<null> {
  if (archived)
    return refuse({
      code: "definition_archived",
      message: `The definition ${reference} is archived and starts no new executions.`,
      hint: "Name another version, or create a new one.",
    });
  if (!unpublished) return accept(null);
  const version = `${ref.name}@${ref.version}`;
  return refuse({
    code: "definition_unpublished",
    message: `No version of ${ref.name} is published: there are drafts only.`,
    hint: `Publish one: POST /v1/definitions/${version}/publish. Or name it, to try it out: "definition": "${version}".`,
    details: { newest: ref.version },
  });
}
