// Definitions as API objects.
import type { JsonObject } from "#schema/json.ts";
import type { TestResult } from "#schema/virtual/test-result.ts";
import type { Warning } from "#schema/refusal.ts";
import type { ApiCreatedDefinition, ApiDefinition, ApiDefinitionSummary, ApiTestedDefinition } from "./shape.ts";
import { toInstant } from "#schema/values.ts";

type Summary = {
  id: string;
  name: string;
  version: number;
  kind: string;
  hash: string;
  createdAt: number;
  archivedAt: number | null;
  /** Absent in responses that an older version of the engine stored for an Idempotency-Key. */
  publishedAt?: number | null;
  withheld?: "draft" | "rolled_back" | null;
  isNameTarget?: boolean;
};

export function presentDefinitionSummary({ id, name, version, kind, hash, ...row }: Summary): ApiDefinitionSummary {
  const publishedAt = row.withheld === "draft" ? null : (row.publishedAt ?? row.createdAt);
  return {
    id,
    name,
    version,
    kind,
    hash,
    createdAt: toInstant(row.createdAt),
    archivedAt: toInstant(row.archivedAt),
    publishedAt: toInstant(publishedAt),
    standing: standingOf(row),
  };
}

function standingOf({ withheld = null, isNameTarget = true }: Pick<Summary, "withheld" | "isNameTarget">) {
  return withheld ?? (isNameTarget ? "published" : "superseded");
}

export function presentTested({ failures, ...tested }: TestResult): ApiTestedDefinition {
  return { ...tested, failures: failures.map((each) => ({ ...each })) };
}

export function presentCreated(
  { definition, created, tested = [], warnings = [] }: Created,
  dryRun: boolean,
): ApiCreatedDefinition {
  const summary = presentDefinitionSummary(definition);
  return {
    definition: summary,
    created,
    tests: tested.map(presentTested),
    warnings: presentWarnings(warnings),
    dryRun,
  };
}

export function presentWarnings(warnings: readonly Warning[]): ApiCreatedDefinition["warnings"] {
  return warnings.map(({ patch, places, ...said }) => ({
    ...said,
    ...(places && { places: [...places] }),
    ...(patch && { patch: [...patch] }),
  }));
}

/** The stored response of a creation. `tests` and `warnings` are absent if an older version of the engine stored it. */
type Created = {
  readonly definition: Summary;
  readonly created: boolean;
  readonly tested?: readonly TestResult[];
  readonly warnings?: readonly Warning[];
};

export function presentDefinition({ body, ...row }: Summary & { body: string }): ApiDefinition {
  return { ...presentDefinitionSummary(row), body: JSON.parse(body) as JsonObject }; // The engine checked the stored body before it was written, so it is JSON of an object.
}
