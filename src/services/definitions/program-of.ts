// Stored definitions: parses references, reads a version's placement, compiles its program, and decides whether it may
// start executions.
import { z } from "zod";
import type { DefinitionKey, StoredDefinition } from "#catalog/definitions.ts";
import { compile } from "#kernel/programs/compile.ts";
import type { Program } from "#kernel/execution/program.ts";
import { defaults } from "#schema/defaults.ts";
import type { Definition } from "#schema/definition/definition.ts";
import { placement, type Placement } from "#schema/definition/head.ts";
import { isIdOf } from "#schema/ids.ts";
import { remembered } from "#schema/limits/isolates.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { versionKey } from "../versioned/version-reference.ts";
import type { FoundDefinition } from "./find-definition.ts";

/**
 * Parses a reference (id, name, name@version or name@draft); null if it is invalid. A version given separately must
 * agree with the version in the reference.
 */
export function parseReference(reference: string, version: number | null = null): DefinitionKey | null {
  if (isIdOf("def", reference)) return version === null ? { id: reference } : null;
  const name = reference.endsWith(DRAFT) ? reference.slice(0, -DRAFT.length) : null;
  if (name === null) return versionKey(reference, version);
  return version === null ? { name, draft: true } : null;
}

/** True for a name without a version: the last publication decides which version it names. */
export function isNameAlone(key: DefinitionKey): boolean {
  return "version" in key && key.version === null;
}

const DRAFT = "@draft";

export type Placements = {
  /** The placement of an execution without an Idempotency-Key: this version's own setting. */
  readonly plain: Placement;
  /** The placement of an execution with an Idempotency-Key: the setting of the name's first version. */
  readonly keyed: Placement;
};

/** The part of a stored body that this file reads; the cell parses the whole body. */
const placed = z.object({ placement: placement.optional() });

export function placementsOf({ body, keyedPlacement }: StoredDefinition): Placements {
  const said = placed.parse(JSON.parse(body)).placement ?? defaults.placement;
  return { plain: said, keyed: keyedPlacement ?? said };
}

const programs = new Map<string, Program>();

/** Compiles a stored body, which was checked before it was stored. The isolate caches the newest programs. */
export function programOf(body: string): Program {
  const known = programs.get(body);
  if (known) return known;
  const program = compile(JSON.parse(body) as Definition);
  for (const oldest of programs.keys()) {
    if (programs.size < remembered.programs.sizeMax) break;
    programs.delete(oldest);
  }
  programs.set(body, program);
  return program;
}

export function mayStart(reference: string, { ref, archived, unpublished }: FoundDefinition): Result<null> {
  if (archived)
    return refuse({
      code: "definition_archived",
      message: `The definition ${reference} is archived and cannot start executions.`,
      hint: "Name another version, or create a new one.",
    });
  if (!unpublished) return accept(null);
  const version = `${ref.name}@${ref.version}`;
  return refuse({
    code: "definition_unpublished",
    message: `No version of ${ref.name} is published: it has only drafts.`,
    hint: `Publish one: POST /v1/definitions/${version}/publish. Or name the draft to test it: "definition": "${version}".`,
    details: { newest: ref.version },
  });
}
