// Mutant: one deliberate mistake in the kernel that a test should detect. This file defines a mutant and applies it;
// the other files list mutants.

export type Mistake = {
  /** The text to replace. It occurs exactly once in the file. */
  readonly from: string;
  readonly to: string;
  /** The kernel's wrong behaviour with this mistake. */
  readonly why: string;
  /** Set if no test detects the mutant: the reason why none can or should. */
  readonly lives?: string;
};

export type Mutant = Mistake & { readonly file: string };

export function mutantsOf(file: string, mistakes: readonly Mistake[]): readonly Mutant[] {
  return mistakes.map((mistake) => ({ file, ...mistake }));
}

export function nameOf({ file, why }: Mutant): string {
  return `${file}: ${why}`;
}

/** Returns why the mutant is invalid, or null if it is valid. */
export function faultOf({ file, from, to, why }: Mutant, text: string): string | null {
  const found = text.split(from).length - 1;
  if (from === to) return `${file}: "${why}" changes nothing`;
  if (found === 1) return null;
  return `${file}: "${why}" is for a text that stands there ${found} times, not once: ${JSON.stringify(from)}`;
}

export function mutated(mutant: Mutant, text: string): string {
  const fault = faultOf(mutant, text);
  if (fault !== null) throw new Error(fault);
  // A function as the replacement, because a text could contain "$&", which `replace` interprets.
  return text.replace(mutant.from, () => mutant.to);
}
