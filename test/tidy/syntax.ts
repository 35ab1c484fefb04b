// What the walls read of a source text: its syntax tree, node by node, and what it imports. Comments and strings are no
// code here, and a layout over several lines is none either.
import { parseAst } from "vitest/node";

export type Node = { readonly type: string; readonly start: number; readonly [field: string]: unknown };
export type Seen = { readonly node: Node; readonly above: Node | null; readonly line: number };
/** `name` is null where it is computed. */
export type Import = { readonly name: string | null; readonly line: number };

export function nodesOf(text: string): readonly Seen[] {
  const breaks = [...text.matchAll(/\n/g)].map(({ index }) => index);
  const lineOf = (at: number) => breaks.filter((each) => each < at).length + 1;
  const found: Seen[] = [];
  const visit = (node: Node, above: Node | null): void => {
    found.push({ node, above, line: lineOf(node.start) });
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child, node);
  };
  const program: unknown = parseAst(text, { lang: "ts" });
  if (isNode(program)) visit(program, null);
  return found;
}

/** Imports of values, of types, of nothing (for their side effects), from a re-export, and in the midst of code. */
export function importsOf(nodes: readonly Seen[]): readonly Import[] {
  return nodes.flatMap(({ node, line }) => {
    if (!IMPORTING.has(node.type) || !isNode(node["source"])) return [];
    const { value } = node["source"];
    return [{ name: typeof value === "string" ? value : null, line }];
  });
}

const IMPORTING = new Set([
  "ImportDeclaration",
  "ExportNamedDeclaration",
  "ExportAllDeclaration",
  "ImportExpression",
  "TSImportType",
]);

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}
