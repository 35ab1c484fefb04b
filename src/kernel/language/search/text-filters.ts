// Template filters that search texts: replacements of Liquid's own, which need seconds for a long part in a long text
// (find-text.ts). Results and charges are the same.
import { firstPlace, lastPlace, piecesOf } from "./find-text.ts";

type Paying = { readonly context: { readonly memoryLimit: { readonly use: (bytes: number) => void } } };
type Filter = (this: Paying, text: unknown, part?: unknown, instead?: unknown) => unknown;

export const textFilters: { readonly [name: string]: Filter } = {
  split(text, part = "") {
    const pieces = piecesOf(paid(this, [text]), String(part));
    while (pieces.at(-1) === "") pieces.pop();
    return pieces;
  },
  remove(text, part = "") {
    return piecesOf(paid(this, [text, part]), String(part)).join("");
  },
  replace(text, part = "", instead = "") {
    const pieces = piecesOf(String(text), String(part));
    const added = (pieces.length - 1) * (String(instead).length - String(part).length);
    this.context.memoryLimit.use(String(text).length + added);
    return pieces.join(String(instead));
  },
  replace_first: replacing(firstPlace),
  replace_last: replacing(lastPlace),
  remove_first: replacing(firstPlace),
  remove_last: replacing(lastPlace),
};

function replacing(placeOf: (text: string, part: string) => number): Filter {
  return function replaced(given, part = "", instead = "") {
    const text = paid(this, [given, part, instead]);
    const at = placeOf(text, String(part));
    return at === -1 ? text : text.slice(0, at) + String(instead) + text.slice(at + String(part).length);
  };
}

function paid({ context }: Paying, texts: readonly [unknown, ...unknown[]]): string {
  context.memoryLimit.use(texts.reduce<number>((sum, text) => sum + String(text).length, 0));
  return String(texts[0]);
}
