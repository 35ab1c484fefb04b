// One thing that is wrong with an envelope, and the two ways in which its checks compare what was written.
export type Path = readonly (string | number)[];
export type Refusal = { readonly path: Path; readonly message: string };

export function refusal(path: Path, message: string): Refusal {
  return { path, message };
}

/** In a draft, a template stands where a value will be: it may become anything. */
export function isOpen(value: unknown): boolean {
  return typeof value === "string" && (value.includes("{{") || value.includes("{%"));
}

/** In a draft, a number may not have been turned into text yet. */
export function isSame(one: unknown, other: unknown): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}
