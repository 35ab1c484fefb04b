// Secrets as the wire sees them: that they are there, never what they are.
import type { ApiSecret } from "./shape.ts";
import { toInstant } from "#schema/values.ts";

type Secret = { name: string; version: number; createdAt: number; updatedAt: number };

export function presentSecret({ name, version, createdAt, updatedAt }: Secret): ApiSecret {
  return { name, version, createdAt: toInstant(createdAt), updatedAt: toInstant(updatedAt) };
}
