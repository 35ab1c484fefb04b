// Text search within the step's budget, and the template filters that use it.

/** The length up to which the runtime finds a part as fast as this file does. */
const NATIVE_MAX = 250;

export function includesText(text: string, part: string): boolean {
  return part.length <= NATIVE_MAX ? text.includes(part) : firstPlace(text, part) !== -1;
}

/** The index of the first match of the part; -1 if there is none. */
export function firstPlace(text: string, part: string): number {
  if (part.length <= NATIVE_MAX) return text.indexOf(part);
  for (const at of matchesIn(text, part)) return at;
  return -1;
}

/**
 * The index of the last match of the part; -1 if there is none. The runtime's `lastIndexOf` is slow even for short
 * parts, so it is not used.
 */
export function lastPlace(text: string, part: string): number {
  if (part === "") return text.length;
  let last = -1;
  for (const at of matchesIn(text, part)) last = at;
  return last;
}

/** Splits a text at each match of the part. The result equals that of the runtime's `split`. */
export function piecesOf(text: string, part: string): string[] {
  if (part.length <= NATIVE_MAX) return text.split(part);
  const pieces: string[] = [];
  let from = 0;
  for (const at of matchesIn(text, part)) {
    if (at < from) continue;
    pieces.push(text.slice(from, at));
    from = at + part.length;
  }
  return [...pieces, text.slice(from)];
}

/**
 * The indexes of all matches, by the algorithm of Knuth, Morris and Pratt. After a mismatch it reuses the letters that
 * already match. Matches may overlap.
 */
function* matchesIn(text: string, part: string): Generator<number> {
  const shorter = bordersOf(part);
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    matched = extendMatch(part, shorter, matched, text.charCodeAt(at));
    if (matched < part.length) continue;
    yield at + 1 - part.length;
    matched = Number(shorter[matched - 1]);
  }
}

/** For each prefix of the part: the length of the longest shorter prefix with which this prefix also ends. */
function bordersOf(part: string): Int32Array {
  const shorter = new Int32Array(part.length);
  for (let at = 1; at < part.length; at++) {
    shorter[at] = extendMatch(part, shorter, Number(shorter[at - 1]), part.charCodeAt(at));
  }
  return shorter;
}

function extendMatch(part: string, shorter: Int32Array, before: number, letter: number): number {
  let matched = before;
  while (matched > 0 && part.charCodeAt(matched) !== letter) matched = Number(shorter[matched - 1]);
  return part.charCodeAt(matched) === letter ? matched + 1 : matched;
}

type FilterContext = { readonly context: { readonly memoryLimit: { readonly use: (bytes: number) => void } } };
type TextFilter = (this: FilterContext, text: unknown, part?: unknown, instead?: unknown) => unknown;

export const textFilters: { readonly [name: string]: TextFilter } = {
  split(text, part = "") {
    const pieces = piecesOf(chargeTexts(this, [text]), String(part));
    while (pieces.at(-1) === "") pieces.pop();
    return pieces;
  },
  remove(text, part = "") {
    return piecesOf(chargeTexts(this, [text, part]), String(part)).join("");
  },
  replace(text, part = "", instead = "") {
    const pieces = piecesOf(String(text), String(part));
    const added = (pieces.length - 1) * (String(instead).length - String(part).length);
    this.context.memoryLimit.use(String(text).length + added);
    return pieces.join(String(instead));
  },
  replace_first: replaceAt(firstPlace),
  replace_last: replaceAt(lastPlace),
  remove_first: replaceAt(firstPlace),
  remove_last: replaceAt(lastPlace),
};

function replaceAt(placeOf: (text: string, part: string) => number): TextFilter {
  return function replaced(given, part = "", instead = "") {
    const text = chargeTexts(this, [given, part, instead]);
    const at = placeOf(text, String(part));
    return at === -1 ? text : text.slice(0, at) + String(instead) + text.slice(at + String(part).length);
  };
}

function chargeTexts({ context }: FilterContext, texts: readonly [unknown, ...unknown[]]): string {
  context.memoryLimit.use(texts.reduce<number>((sum, text) => sum + String(text).length, 0));
  return String(texts[0]);
}
