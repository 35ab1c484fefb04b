// The lockfile says what is installed, and leaves it to whoever installs from where.
import { expect, it } from "vitest";
import { read } from "./tree.ts";

it("the lockfile names no download address", () => {
  expect(read("package-lock.json")).not.toMatch(/"resolved": "https?:/);
});
