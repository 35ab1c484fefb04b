// Patterns of texts: matches them in time linear in the text, by following all alternatives at once. The runtime's
// regular expressions backtrack, which is unsafe because tenants write the patterns.
import { spend, type Work } from "../computing/work.ts";

/**
 * An instruction of a compiled pattern, addressed by its number. One that consumes a character continues at the next
 * number.
 */
export type Place =
  | { readonly kind: "letter"; readonly letter: string }
  | { readonly kind: "set"; readonly set: RegExp }
  | { readonly kind: "split"; readonly to: readonly [number, number] }
  | { readonly kind: "jump"; readonly to: number }
  | { readonly kind: "start" }
  | { readonly kind: "end" }
  | { readonly kind: "found" };
export type Pattern = readonly Place[];

/** Whether the pattern matches anywhere in the text. */
export function isFound(pattern: Pattern, text: string, work: Work): boolean {
  const letters = [...text];
  const { length } = letters;
  let here = new Set<number>();
  for (const [at, letter] of letters.entries()) {
    if (enter(pattern, here, 0, { isStart: at === 0, isEnd: false })) return true;
    spend(work, here.size);
    const next = new Set<number>();
    for (const place of here) {
      if (!takes(pattern[place], letter)) continue;
      if (enter(pattern, next, place + 1, { isStart: false, isEnd: at + 1 === length })) return true;
    }
    here = next;
  }
  return enter(pattern, here, 0, { isStart: length === 0, isEnd: true });
}

type Edge = { readonly isStart: boolean; readonly isEnd: boolean };

/** Adds a place and all places reachable from it without consuming a character. True if the pattern can end there. */
function enter(pattern: Pattern, into: Set<number>, first: number, edge: Edge): boolean {
  const open = [first];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const place = pattern[at];
    if (place === undefined || into.has(at)) continue;
    into.add(at);
    switch (place.kind) {
      case "found":
        return true;
      case "split":
        open.push(...place.to);
        break;
      case "jump":
        open.push(place.to);
        break;
      case "start":
        if (edge.isStart) open.push(at + 1);
        break;
      case "end":
        if (edge.isEnd) open.push(at + 1);
        break;
      case "letter":
      case "set":
        break;
    }
  }
  return false;
}

function takes(place: Place | undefined, letter: string): boolean {
  if (place?.kind === "letter") return place.letter === letter;
  return place?.kind === "set" && place.set.test(letter);
}
