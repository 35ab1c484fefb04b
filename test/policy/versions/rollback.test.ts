import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { publicationInstant, planRollback, type PublishedVersion } from "#policy/versions/rollback.ts";
import { naming } from "#test/support/matchers/naming.ts";

const pile: readonly PublishedVersion[] = [
  { version: 3, at: 30 },
  { version: 1, at: 20 },
  { version: 2, at: 10 },
];
const name = "order";

describe("a rollback", () => {
  test.each<[string, { from: number | null; to: number | null }, number, readonly number[]]>([
    ["restores the publication before the latest", { from: null, to: null }, 1, [3]],
    ["restores it if the client names the latest version", { from: 3, to: null }, 1, [3]],
    ["restores the named version and takes back all later ones", { from: null, to: 2 }, 2, [3, 1]],
  ])("%s", (_what, { from, to }, target, takenBack) => {
    expect(planRollback(pile, { name, from, to })).toMatchObject({ value: { target: { version: target }, takenBack } });
  });

  test.each<
    [string, readonly PublishedVersion[], { from: number | null; to: number | null }, (string | number)[], object]
  >([
    ["without a published version", [], { from: null, to: null }, ["order"], {}],
    [
      "that assumes another published version",
      pile,
      { from: 2, to: null },
      ["order@2", 3, "1970-01-01T00:00:00.030Z"],
      { details: { published: 3, since: "1970-01-01T00:00:00.030Z" } },
    ],
    ["to the published version", pile, { from: null, to: 3 }, ["order@3"], {}],
    [
      "to an unpublished version",
      pile,
      { from: null, to: 7 },
      ["order@7"],
      { hint: naming("POST /v1/definitions/order@7/publish") },
    ],
    [
      "without an earlier publication",
      pile.slice(0, 1),
      { from: 3, to: null },
      ["order@3"],
      { hint: naming("POST /v1/definitions/order@3/archive") },
    ],
  ])("is refused %s", (_what, lying, { from, to }, named, more) => {
    const refusal = { code: "nothing_to_roll_back", message: naming(...named), hint: expect.any(String), ...more };
    expect(planRollback(lying, { name, from, to })).toMatchObject({ ok: false, refusal });
  });

  test("takes back at least the latest publication, and exactly those above the target", () => {
    const piles = fc.uniqueArray(fc.integer({ min: 1, max: 50 }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(piles, fc.nat(), (versions, chance) => {
        const lying = versions.map((version, n) => ({ version, at: 1_000 - n }));
        const to = versions[1 + (chance % (versions.length - 1))] ?? null;
        const taken = planRollback(lying, { name, from: versions[0] ?? null, to });
        if (!taken.ok) throw new Error(taken.refusal.message);
        const { target, takenBack } = taken.value;
        expect([...takenBack, target.version]).toEqual(versions.slice(0, takenBack.length + 1));
        expect(takenBack.length).toBeGreaterThan(0);
      }),
    );
  });
});

test("a publication is later than the latest one, even if a clock is behind", () => {
  expect(publicationInstant(5, undefined)).toBe(5);
  expect(publicationInstant(50, { version: 1, at: 20 })).toBe(50);
  expect(publicationInstant(5, { version: 1, at: 20 })).toBe(21);
});
