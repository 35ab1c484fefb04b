// Preconditions: which states of a resource each of them accepts.
import { expect, it } from "vitest";
import { isMet } from "#policy/configuration/precondition.ts";
import type { Precondition } from "#schema/configuration/precondition.ts";

const tags: Precondition = { kind: "matches", tags: ["a", "b"] };

it.each<[Precondition, string | null, boolean]>([
  [{ kind: "none" }, null, true],
  [{ kind: "none" }, "a", true],
  [{ kind: "exists" }, null, false],
  [{ kind: "exists" }, "a", true],
  [{ kind: "absent" }, null, true],
  [{ kind: "absent" }, "a", false],
  [tags, null, false],
  [tags, "b", true],
  [tags, "c", false],
])("%j with the tag %j: %j", (precondition, tag, met) => expect(isMet(precondition, tag)).toBe(met));
