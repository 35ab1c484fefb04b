// Where an extract lets through what its source would not: a field too many, another type, a limit left out, an object
// whose fields nobody looks at, a required field that is not asked for.
import type { Fact, Facts } from "./published-facts.ts";

/** Each as `path: what`, in the order of the extract. */
export function weaknesses(extract: Facts, source: Facts): string[] {
  const own = [...extract].flatMap(([path, fact]) => {
    const published = source.get(path);
    const name = path === "" ? "(body)" : path;
    const isOpenList = source.has(`${path}[]`) && !extract.has(`${path}[]`);
    // Below what the source leaves open, or below what is unknown itself, an extract may say what it likes.
    const above = path === "" ? undefined : source.get(aboveOf(path));
    if (published === undefined && above?.closed !== true) return [];
    const said = published === undefined ? ["unknown"] : weakerIn(fact, published);
    return [...said, ...(isOpenList ? ["open"] : [])].map((what) => `${name}: ${what}`);
  });
  return [...own, ...missing(extract, source)];
}

function weakerIn(ours: Fact, theirs: Fact): string[] {
  const types = ours.types.some((type) => !theirs.types.some((their) => isKindOf(type, their)));
  const words = Object.entries(theirs.said).filter(([word, value]) => !holds(word, ours.said, value));
  return [
    ...(types ? ["type"] : []),
    ...(theirs.closed && !ours.closed ? ["open"] : []),
    ...words.map(([word]) => word),
  ];
}

function isKindOf(ours: string, theirs: string): boolean {
  return ours === theirs || theirs === "any" || (ours === "integer" && theirs === "number");
}

/** A format may be said as a pattern, and a pattern as other words: which of two is narrower is for the reader. */
function holds(word: string, ours: Fact["said"], theirs: unknown): boolean {
  const said = ours[word];
  switch (word) {
    case "enum":
      return Array.isArray(said) && Array.isArray(theirs) && said.every((value) => theirs.includes(value));
    case "format":
      return said === theirs || ours["pattern"] !== undefined || ours["enum"] !== undefined;
    case "pattern":
      return said !== undefined || ours["enum"] !== undefined;
    case "minLength":
    case "minItems":
    case "minimum":
      return ours["enum"] !== undefined || Number(said) >= Number(theirs);
    case "maxLength":
    case "maxItems":
    case "maximum":
      return ours["enum"] !== undefined || Number(said) <= Number(theirs);
    default:
      return said === theirs;
  }
}

function aboveOf(path: string): string {
  return path.endsWith("[]") ? path.slice(0, -"[]".length) : path.slice(0, Math.max(path.lastIndexOf("."), 0));
}

/** What the source asks for wherever the extract has named the object it stands in. */
function missing(extract: Facts, source: Facts): string[] {
  return [...source].flatMap(([path, { required }]) => {
    const isAsked = required && path !== "" && extract.get(aboveOf(path))?.closed === true;
    return isAsked && extract.get(path)?.required !== true ? [`${path}: required`] : [];
  });
}
