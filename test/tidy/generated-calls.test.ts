// A new route is called by the program that is compiled with types generated from /openapi.json: scripts/openapi.ts asks it of
// the whole document, this of the sources, so that it is noticed before the slower steps of the check.
import { expect, it } from "vitest";
import { read, sources, under } from "./tree.ts";

const PROGRAM = "test/client/generated";
const program = sources.filter(under(PROGRAM)).map(read).join("\n");

/** A declaration names its method and path beside each other; where one of them is made, the document is asked alone. */
const declared = sources
  .filter(under("src/routes"))
  .flatMap((file) =>
    [...read(file).matchAll(/method: "(\w+)",\s+(?:tag[^\n]*\s+)?path: "(\/[^"]+)"/g)].map(
      ([, method = "", path = ""]) => `.${method.toUpperCase()}("${path}"`,
    ),
  );

it(`${PROGRAM} calls every route`, () => {
  expect(declared.length).toBeGreaterThan(50);
  expect(declared.filter((call) => !program.includes(call)).map((call) => `add await client${call}, …)`)).toEqual([]);
});
