// The variables that a template reads, with their lines. Liquid's own analysis recounts the lines for each variable, in
// quadratic time: 5 s for a message part at its size limit.
import { toValueSync, TypeGuards } from "liquidjs";
import type { Template, Token } from "liquidjs";

export type Use = { readonly name: string; readonly line: number };

/** Each name once, with its first line. `tokensOf`: the expressions that the tags and outputs of a template read. */
export function usesIn(
  text: string,
  templates: readonly Template[],
  tokensOf: (template: Template) => readonly Token[],
): readonly Use[] {
  const begins = new Map<string, number>();
  const made = new Set<string>();
  const visit = (template: Template, around: readonly string[]): void => {
    for (const token of tokensOf(template)) {
      const name = rootOf(token);
      if (name === null || made.has(name) || around.includes(name) || begins.has(name)) continue;
      begins.set(name, token.begin);
    }
    for (const { content } of template.localScope?.() ?? []) made.add(content);
    const inside = [...around, ...(template.blockScope?.() ?? [])];
    for (const child of childrenOf(template)) visit(child, inside);
  };
  for (const template of templates) visit(template, []);
  return withLines(text, begins);
}

export function childrenOf(template: Template): readonly Template[] {
  return template.children === undefined ? [] : toValueSync(template.children(false, true));
}

function rootOf(token: Token): string | null {
  if (!TypeGuards.isPropertyAccessToken(token)) return null;
  const [root] = token.props;
  const content: unknown = Object(root).content;
  return typeof content === "string" ? content : null;
}

/** Reads the text once for all names. */
function withLines(text: string, begins: ReadonlyMap<string, number>): readonly Use[] {
  const lines = new Map<string, number>();
  let line = 1;
  let at = 0;
  for (const [name, begin] of [...begins].toSorted((a, b) => a[1] - b[1])) {
    for (; at < begin; at++) if (text[at] === "\n") line += 1;
    lines.set(name, line);
  }
  return [...begins.keys()].map((name) => ({ name, line: Number(lines.get(name)) }));
}
