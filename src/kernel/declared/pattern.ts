// Patterns of texts, matched in time that is linear in the text, whatever the pattern: all ways through it are gone at
// once, letter by letter. The runtime's own matcher tries them one after the other, and a pattern is somebody else's.
import { spend, type Work } from "../computing/work.ts";

/** A place in a pattern. Places are numbers; what asks for a letter goes on at the one after it. */
export type Place =
  | { readonly kind: "letter"; readonly letter: string }
  | { readonly kind: "set"; readonly set: RegExp }
  | { readonly kind: "split"; readonly to: readonly [number, number] }
  | { readonly kind: "jump"; readonly to: number }
  | { readonly kind: "start" }
  | { readonly kind: "end" }
  | { readonly kind: "found" };
export type Pattern = readonly Place[];

/** Whether the pattern is found anywhere in the text. */
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

/** Goes to a place, and from there wherever no letter is asked for. True if the pattern ends there. */
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
