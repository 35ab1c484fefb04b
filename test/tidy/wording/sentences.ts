// What a reader reads of a file, at the places where it stands: of a source its comments and its strings of several words,
// of a page its prose. Everything else is masked, character by character, so that places and lines stay the same.
import { isSqlOrStyle } from "../generated/user-texts.ts";
import { nodesOf, type Seen } from "../syntax.ts";

/** No character of any phrase, and none that lies between two words. */
const MASK = "\0";
type Range = readonly [start: number, end: number];

export function sentencesOf(path: string, text: string): string {
  return path.endsWith(".md") ? proseOf(text) : commentsAndStrings(text);
}

/** Without names in backticks and without addresses of links. */
function proseOf(text: string): string {
  return text.replaceAll(/`[^`\s]+`|\]\([^)\s]*\)/g, (found) => MASK.repeat(found.length));
}

function commentsAndStrings(text: string): string {
  const literals = nodesOf(text).flatMap(literalOf);
  const code = masked(
    text,
    literals.map(({ range }) => range),
    "ranges",
  );
  const comments = [...code.matchAll(/\/\/.*|\/\*[\s\S]*?\*\//g)].map(({ index, 0: found }): Range => [
    index,
    index + found.length,
  ]);
  const read = [...comments, ...literals.filter(({ isRead }) => isRead).map(({ range }) => range)];
  return masked(text, read, "rest");
}

type Literal = { readonly range: Range; readonly isRead: boolean };

/** Strings, the parts of templates, and regular expressions. */
function literalOf({ node, above }: Seen): readonly Literal[] {
  if (node.type !== "Literal" && node.type !== "TemplateElement") return [];
  const { value, start, end } = node;
  if (typeof end !== "number") return [];
  const text = typeof value === "string" ? value : (value as { readonly cooked?: string } | null)?.cooked;
  const isSentence = text !== undefined && (text.includes(" ") || above?.["operator"] === "+") && !isSqlOrStyle(text);
  return [{ range: [start, end], isRead: isSentence }];
}

/** Disjoint ranges in any order: these are masked, or all but these and what may lie between two words of a sentence. */
function masked(text: string, ranges: readonly Range[], what: "ranges" | "rest"): string {
  const parts: string[] = [];
  let at = 0;
  for (const [start, end] of ranges.toSorted(([one], [other]) => one - other)) {
    const [rest, range] = [text.slice(at, start), text.slice(start, end)];
    parts.push(...(what === "ranges" ? [rest, hidden(range, /[^\n]/g)] : [hidden(rest, /[^\s"'`+]/g), range]));
    at = end;
  }
  const rest = text.slice(at);
  return [...parts, what === "ranges" ? rest : hidden(rest, /[^\s"'`+]/g)].join("");
}

function hidden(text: string, characters: RegExp): string {
  return text.replaceAll(characters, MASK);
}
