// A sentence for the author of a rule or a template, thrown through a library that knows only exceptions and caught
// at our own door. What a library or the runtime throws by itself differs between versions, and is not repeated.

const FAULT = "Fault";

export function fault(sentence: string): Error {
  const error = new Error(sentence);
  error.name = FAULT;
  return error;
}

/** The sentence of a fault; for anything else thrown, the one given. */
export function sentenceOf(thrown: unknown, otherwise: string): string {
  return thrown instanceof Error && thrown.name === FAULT ? thrown.message : otherwise;
}

export type Budget = { readonly use: (cost: number) => void };

/** Something that runs out: the same arguments use it up at the same place, whatever the machine's speed. */
export function budgetOf(max: number, sentence: string): Budget {
  let left = max;
  return {
    use: (cost) => {
      if (cost > 0) left -= cost; // not a number costs nothing, and must not make the rest one either
      if (left < 0) throw fault(sentence);
    },
  };
}
