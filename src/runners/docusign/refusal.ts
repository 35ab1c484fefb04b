// Envelope refusals: one finding about an envelope, and the two comparisons that its checks use.
export type Path = readonly (string | number)[];
export type Refusal = { readonly path: Path; readonly message: string };

export function refusal(path: Path, message: string): Refusal {
  return { path, message };
}

/** In a draft, a template replaces a value whose result is unknown. */
export function isOpen(value: unknown): boolean {
  return typeof value === "string" && (value.includes("{{") || value.includes("{%"));
}

/** In a draft, a number may not have been turned into text yet. */
export function isSame(one: unknown, other: unknown): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}
