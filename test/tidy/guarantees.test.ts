// Every sentence about guarantees has an id, on their page and in README, and every id has tests that exist.
import { describe, expect, it } from "vitest";
import { guarantees } from "./guarantees.ts";
import { read, tree } from "./tree.ts";

const PAGE = "docs/concepts/guarantees.md";
const BEGIN = "<!-- guarantees: each sentence";
const END = "<!-- guarantees: end -->";
const ID = /<!-- guarantee: ([a-z-]+) -->/g;

describe("the page of guarantees", () => {
  it("has the ids of the table in the same order: one that is new or gone has to be checked there", () => {
    expect(idsOf(section(read(PAGE)))).toEqual(guarantees.map(({ id }) => id));
  });

  it("has one sentence an id, so that each has tests of its own", () => {
    expect(unmarked(section(read(PAGE)))).toEqual([]);
  });

  it("has each id once", () => {
    const ids = guarantees.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  describe.each(guarantees.filter((each) => "heldBy" in each))("$id", ({ heldBy }) => {
    it.each(heldBy)("%s: %s", (file, title) => {
      expect(tree).toContain(file);
      const titles = [`"${title}"`, `\`${title}\``, `'${title}'`];
      expect(
        titles.some((each) => read(file).includes(`${each},`)),
        `${file} has a test of that title`,
      ).toBe(true);
    });
  });
});

describe("README", () => {
  it("guarantees what the page guarantees, one sentence an id", () => {
    const readme = section(read("README.md"));
    expect(idsOf(readme).length).toBeGreaterThan(4);
    expect(idsOf(section(read(PAGE)))).toEqual(expect.arrayContaining([...idsOf(readme)]));
    expect(unmarked(readme)).toEqual([]);
  });
});

describe("a page that is out of date", () => {
  const page = section(read(PAGE));
  const [anId = ""] = page.match(ID) ?? [];

  it("is found by an id that is missing, unknown or there twice", () => {
    const ids = idsOf(page);
    expect(idsOf(page.replace(anId, ""))).toEqual(ids.slice(1));
    expect(idsOf(page.replace(anId, "<!-- guarantee: new -->"))).toEqual(["new", ...ids.slice(1)]);
    expect(idsOf(page.replace(anId, `${anId} ${anId}`))).toEqual([ids[0], ...ids]);
  });

  it("is found by a sentence without an id, at the end too", () => {
    expect(unmarked(page.replace(anId, ""))).toHaveLength(1);
    expect(unmarked(page.replace(anId, `${anId} It is promised.`))).toHaveLength(1);
    expect(unmarked(`${page}It is promised.\n`)).toEqual(["It is promised."]);
    expect(unmarked(page.replace(anId, `${anId} ${anId}`))).toEqual([""]);
  });

  it("is found if its marks are gone", () => {
    expect(() => section(read(PAGE).replace(END, ""))).toThrow(END);
    expect(() => section(read(PAGE).replace(BEGIN, ""))).toThrow(BEGIN);
  });
});

function idsOf(text: string): readonly (string | undefined)[] {
  return [...text.matchAll(ID)].map(([, id]) => id);
}

/** What precedes an id and is no sentence, or several; and what follows the last one. */
function unmarked(text: string): readonly string[] {
  const pieces = text
    .replaceAll(/^## .*$/gm, "")
    .split(/<!-- guarantee: [a-z-]+ -->/)
    .map((piece) => piece.replaceAll(/\s+/g, " ").trim());
  const several = pieces.slice(0, -1).filter((piece) => piece === "" || SEVERAL.test(withoutLead(piece)));
  return [...several, ...pieces.slice(-1).filter((piece) => piece !== "")];
}

const SEVERAL = /[.!?] [A-Z[`]/;

/** Without the bullet and the bold words after it. */
function withoutLead(piece: string): string {
  return piece.replace(/^- /, "").replace(/^\*\*[^*]+\*\* /, "");
}

/** The part of the page between its marks. */
function section(page: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end === -1) throw new Error(`the page lacks ${begin === -1 ? BEGIN : END}`);
  return page.slice(page.indexOf("-->", begin) + "-->".length, end);
}
