// Definitions as the wire sees them.
import type { JsonObject } from "#schema/json.ts";
import type { Tested } from "#schema/virtual/tested.ts";
import type { ApiDefinition, ApiDefinitionSummary, ApiTestedDefinition } from "./shape.ts";
import { toInstant } from "#schema/values.ts";

type Summary = {
  id: string;
  name: string;
  version: number;
  kind: string;
  hash: string;
  createdAt: number;
  archivedAt: number | null;
};

export function presentDefinitionSummary({ id, name, version, kind, hash, ...at }: Summary): ApiDefinitionSummary {
  return { id, name, version, kind, hash, createdAt: toInstant(at.createdAt), archivedAt: toInstant(at.archivedAt) };
}

export function presentTested({ failures, ...tested }: Tested): ApiTestedDefinition {
  return { ...tested, failures: failures.map((each) => ({ ...each })) };
}

export function presentDefinition({ body, ...row }: Summary & { body: string }): ApiDefinition {
  return { ...presentDefinitionSummary(row), body: JSON.parse(body) as JsonObject }; // stored by us, from a checked definition
}
