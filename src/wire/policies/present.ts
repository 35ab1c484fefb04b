// Policies as API objects: the body that the client wrote, with its id and its times.
import type { Policy } from "#schema/policies/policy.ts";
import { toInstant } from "#schema/values.ts";
import type { ApiPolicy } from "./shape.ts";

type StoredPolicy = {
  readonly id: string;
  readonly name: string;
  readonly kind: Policy["kind"];
  readonly settings: Omit<Policy, "name" | "kind">;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export function presentPolicy({ id, name, kind, settings, createdAt, updatedAt }: StoredPolicy): ApiPolicy {
  return { id, name, kind, ...settings, createdAt: toInstant(createdAt), updatedAt: toInstant(updatedAt) };
}
