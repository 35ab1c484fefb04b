// Assertions for bugs of the engine, never for errors of the caller or of a provider. A failed assertion throws, so
// that the transaction rolls back.

export function assert(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new Error(sentence);
}
