// Every sentence about guarantees, on their page and in README, is proved by tests that exist.
import { describe, expect, it } from "vitest";
import { guarantees } from "./guarantees.ts";
import { read, tree } from "./tree.ts";

const PAGE = "docs/concepts/guarantees.md";

describe("the page of guarantees", () => {
  it("is in the table word for word: a sentence that is new, gone or changed has to be checked there", () => {
    expect(guarantees.map(({ says }) => says).join(" ")).toBe(promised(read(PAGE)));
  });

  it("is one sentence a line in the table, so that each has tests of its own", () => {
    const several = guarantees.filter(({ says }) => /[.!?] [A-Z[`]/.test(says.replace(/^\*\*[^*]+\*\* /, "")));
    expect(several.map(({ says }) => says)).toEqual([]);
  });

  describe.each(guarantees.filter((each) => "heldBy" in each))("$says", ({ heldBy }) => {
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
  it("guarantees what the page guarantees, in the page's sentences", () => {
    const [section = ""] = (read("README.md").split("## Guarantees\n")[1] ?? "").split("\n\n").slice(1);
    const lines = section.split("\n- ").map((line) => line.replace(/^- /, "").replaceAll(/\s+/g, " ").trim());
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.filter((line) => !promised(read(PAGE)).includes(line))).toEqual([]);
  });
});

describe("a table that is out of date", () => {
  it("is found if the page has another word", () => {
    const changed = read(PAGE).replace("A timer never fires early.", "A timer never fires late.");
    expect(promised(changed)).not.toBe(promised(read(PAGE)));
  });
});

/** The page's sentences in one line, without headings and bullets. */
function promised(page: string): string {
  const [, list = ""] = page.split("## Guaranteed\n");
  return list
    .replaceAll(/^## .*$/gm, "")
    .replaceAll(/^- /gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
