// Secrets as API objects: metadata, never values.
import type { ApiSecret } from "./shape.ts";
import { toInstant } from "#schema/values.ts";

type Secret = {
  readonly name: string;
  readonly version: number;
  readonly hosts: readonly string[] | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export function presentSecret({ name, version, hosts, createdAt, updatedAt }: Secret): ApiSecret {
  const to = hosts === null ? null : [...hosts];
  return { name, version, hosts: to, createdAt: toInstant(createdAt), updatedAt: toInstant(updatedAt) };
}
