// JSON examples of the docs: every ```json block, with the words behind "json" that say what the block shows.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Shown = {
  /** The page and the line of the block. */
  readonly at: string;
  readonly page: string;
  /** The words behind "json". Empty if there are none. */
  readonly shows: string;
  /** The parsed example. Elisions (`, …`) are removed. */
  readonly value: unknown;
};

const root = join(import.meta.dirname, "../..");

export function shownInDocs(): readonly Shown[] {
  const docs = readdirSync(join(root, "docs"), { recursive: true }).map((name) => `docs/${String(name)}`);
  return ["README.md", ...docs.filter((name) => name.endsWith(".md"))].sort().flatMap(shownOn);
}

function shownOn(page: string): readonly Shown[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/^```json(?: ([^\n]*))?\n([\s\S]*?)^```/gm)].map(
    ({ 1: shows = "", 2: body = "", index }) => {
      const at = `${page}:${text.slice(0, index).split("\n").length}`;
      return { at, page, shows, value: parsed(body, at) };
    },
  );
}

function parsed(body: string, at: string): unknown {
  const whole = body
    .replaceAll(/,\s*…/g, "")
    .replaceAll(/(?<=\w)…/g, "0") // a shortened id
    .trim();
  // A block may show members of an object without its braces.
  const json = whole.startsWith('"') ? `{${whole}}` : whole;
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new Error(`${at} is not JSON`, { cause });
  }
}
