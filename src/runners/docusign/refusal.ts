// Envelope findings: the type of one finding about an envelope, and the comparisons that the checks share.
export type Path = readonly (string | number)[];
export type Refusal = { readonly path: Path; readonly message: string };

export function refusal(path: Path, message: string): Refusal {
  return { path, message };
}

/** Returns true if the value is a template in a draft. The result of a template is unknown, so it is not checked. */
export function isTemplate(value: unknown): boolean {
  return typeof value === "string" && (value.includes("{{") || value.includes("{%"));
}

/** Compares two values as text, because in a draft a number may not be converted to text yet. */
export function isSameText(one: unknown, other: unknown): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}
