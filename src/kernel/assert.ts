// Broken means broken: what these find is our own bug, never the caller's or the world's. Loud, so that it rolls back.

export function assert(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new Error(sentence);
}
