// Checks that numbers with a unit are in src/schema: limits of inputs and of the engine in limits/, values that a client
// may override in defaults.ts. A reader would not find them elsewhere.
import { expect, it } from "vitest";
import { read, sources, under } from "./tree.ts";

const rooms = ["services", "routes", "catalog", "queue", "entrypoints", "wire", "policy"];
// Runners are left out: most of their numbers are facts about a provider, an RFC or a chain, and stand with the code
// that speaks to it. Their time limits come from defaults.ts.

/** By file and name, with the reason why the number stays beside its code. */
const exceptions: { readonly [place: string]: string } = {
  "src/services/secrets/sealing.ts IV_BYTES": "GCM's own size",
  "src/services/caller/keys.ts PREFIX_SHOWN": "follows from the prefix of keys",
  "src/services/hooks/receive-docusign.ts WINDOW": "follows from how long DocuSign tries",
  "src/policy/operations/pace.ts SECOND_MS": "what `perSecond` means",
  "src/policy/operations/pace.ts DOUBLINGS_MAX": "keeps a power of two from running away before it is capped",
};

const UNIT = "(?:MS|S|DAYS|BYTES|CHARS|LENGTH|ROWS|MAX|MIN|KEPT|SHOWN|DEFAULT)";
const UNIT_LAST = "(?:Ms|Days|Bytes|Chars|Length|Rows|Max|Min)";
const NAMED = new RegExp(`^(?:[A-Z0-9_]*_)?${UNIT}$|^[a-z]\\w*${UNIT_LAST}$`);
/** Digits, names and operators: no text, no call with one, no object. */
const ARITHMETIC = /^[\w\s.*+\-/()]+$/;
const MEASURED_FIELD = new RegExp(`\\b\\w+${UNIT_LAST}: [\\d_]`);

it.each([
  ["const FRESH_MS = 5_000;", ["FRESH_MS"]],
  ["export const PAGE_MAX: number = 200;", ["PAGE_MAX"]],
  ["const KEPT_MS = 7 * 24 * 60 * 60_000;", ["KEPT_MS"]],
  ["const KEPT_MS = 400 * DAY_MS;", ["KEPT_MS"]],
  ["export const waitMs = 250;", ["waitMs"]],
  ["const WINDOW = { pastMs: 1_000, futureMs: 2 };", ["WINDOW"]],
  ["const TRIES = 3;", []],
  ["  const waitMs = 250;", []],
  ['const CODE_MS = "catalog_unavailable";', []],
  ["const CHARS = new Set<string>();", []],
  ["const toMs = (seconds: number) => seconds * 1_000;", []],
  ["// const FRESH_MS = 5_000;", []],
])("reads %j", (source, names) => {
  expect(measuresIn(source)).toEqual(names);
});

it("numbers with a unit stand in schema/limits or schema/defaults", () => {
  const strays = rooms
    .flatMap((room) => sources.filter(under(`src/${room}`)))
    .flatMap((path) => measuresIn(read(path)).map((name) => `${path} ${name}`))
    .filter((place) => exceptions[place] === undefined);
  expect(strays).toEqual([]);
});

it("no two of them have the same name", () => {
  const homes = sources.filter(under("src/schema/limits"));
  const names = homes.flatMap((path) => [...read(path).matchAll(/^export const (\w+)/gm)].map((match) => match[1]));
  expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([]);
});

function measuresIn(source: string): string[] {
  return [...source.matchAll(/^(?:export )?const (\w+)(?:: [^=\n]+)? = ([^;]*);/gm)].flatMap(
    ([, name = "", value = ""]) =>
      (NAMED.test(name) && /\d|^[A-Z]/.test(value) && ARITHMETIC.test(value)) ||
      (value.startsWith("{") && !value.includes("\n") && MEASURED_FIELD.test(value))
        ? [name]
        : [],
  );
}
