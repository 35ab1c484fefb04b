// Version references: parses `name`, which means its latest version that is not archived, and `name@version`.
import type { VersionKey } from "#catalog/versioned.ts";

const VERSIONED = /^(.+)@(\d{1,9})$/;

export function parseVersionReference(reference: string): VersionKey {
  const [, name, version] = VERSIONED.exec(reference) ?? [];
  return name === undefined ? { name: reference, version: null } : { name, version: Number(version) };
}

/** Parses a reference. Returns null if `version` differs from the version in the reference. */
export function versionKey(reference: string, version: number | null): VersionKey | null {
  const key = parseVersionReference(reference);
  if (key.version === null) return { ...key, version };
  return version === null || version === key.version ? key : null;
}
