// README promises nothing that no test holds up: each of its sentences about guarantees names its tests, and they are there.
import { describe, expect, it } from "vitest";
import { guarantees } from "./guarantees.ts";
import { read, tree } from "./tree.ts";

const HEADING = "## What is guaranteed, and what is not\n";

describe("what README guarantees", () => {
  it("is in the table word for word: a sentence that is new, gone or otherwise has to be looked at there", () => {
    expect(guarantees.map(({ says }) => says).join(" ")).toBe(promised(read("README.md")));
  });

  it("is one sentence a line there, so that none hides behind another's test", () => {
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

describe("a table that does not hold", () => {
  it("is found where README says another word", () => {
    const changed = read("README.md").replace("A timer never fires early.", "A timer never fires late.");
    expect(promised(changed)).not.toBe(promised(read("README.md")));
  });
});

/** The section's text in one line, without what makes it a list. */
function promised(readme: string): string {
  const [section = ""] = (readme.split(HEADING)[1] ?? "").split("\n## ");
  return section.replaceAll(/^- /gm, "").replaceAll(/\s+/g, " ").trim();
}
