// Signers in memory, by `<tenant>/<chain id>/<address>`: the same pure functions that the objects decide with.
import type { Signer } from "#schema/signer.ts";
import { memorySigner } from "#test/runners/evm/evm-signer.ts";

export class MemorySigners {
  readonly #signers = new Map<string, Signer>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  signer(name: string): Signer {
    const known = this.#signers.get(name) ?? memorySigner(this.#now);
    this.#signers.set(name, known);
    return known;
  }
}
