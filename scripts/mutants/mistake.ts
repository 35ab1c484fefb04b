// A mutant: one mistake put into the kernel on purpose, to see a test fail. What is here is only what one is and how it
// is made; the lists stand beside it.

export type Mistake = {
  /** Stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
  /** What the kernel does wrong with it. */
  readonly why: string;
  /** No test notices it, and why that may be: nobody could, or nobody would want it noticed. */
  readonly lives?: string;
};

export type Mutant = Mistake & { readonly file: string };

export function mutantsOf(file: string, mistakes: readonly Mistake[]): readonly Mutant[] {
  return mistakes.map((mistake) => ({ file, ...mistake }));
}

export function nameOf({ file, why }: Mutant): string {
  return `${file}: ${why}`;
}

/** What keeps the list from being what it says it is, in a sentence; null if nothing does. */
export function faultOf({ file, from, to, why }: Mutant, text: string): string | null {
  const found = text.split(from).length - 1;
  if (from === to) return `${file}: "${why}" changes nothing`;
  if (found === 1) return null;
  return `${file}: "${why}" is for a text that stands there ${found} times, not once: ${JSON.stringify(from)}`;
}

export function mutated(mutant: Mutant, text: string): string {
  const fault = faultOf(mutant, text);
  if (fault !== null) throw new Error(fault);
  // Not with a text for the second argument: it would read "$&" in it as something else.
  return text.replace(mutant.from, () => mutant.to);
}
