// Assertions for bugs of the engine. They are never used for errors of a client or of a provider. A failed assertion
// throws, so that the transaction rolls back.

export function assert(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new Error(sentence);
}
