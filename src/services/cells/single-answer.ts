// Cells answer lists; a call with one item has one answer.
import type { Result } from "#schema/refusal.ts";

export function singleAnswer<T>(answers: Result<readonly Result<T>[]>): Result<T> {
  if (!answers.ok) return answers;
  const [first] = answers.value;
  if (first === undefined) throw new Error("A cell answered nothing to a call with one item.");
  return first;
}
