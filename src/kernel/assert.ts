// Assertions for bugs of the engine, never for errors of a client or a provider. A failed assertion throws, so that the
// transaction rolls back.

export function assert(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new Error(sentence);
}
