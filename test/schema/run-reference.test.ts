// The text by which a message names its run.
import { expect, test } from "vitest";
import { parseReference, referenceText } from "#schema/outgoing/run-reference.ts";

test.each([
  { execution: "exe_01M7WADNSZAYY9ZVJME87QZ91Y_p101", run: "3.0", attempt: 2 },
  { execution: `exe_${"a".repeat(96)}`, run: "123456789.123456", attempt: null },
])("a reference is read as it was written, in the letters of a tag", (reference) => {
  const text = referenceText(reference);
  expect(text).toMatch(/^[A-Za-z0-9_-]{1,170}$/);
  expect(parseReference(text)).toEqual(reference);
});

test.each([undefined, null, 7, "", "a", "not a reference", "b".repeat(257), btoa("exe_1 3"), btoa("run_1 3.0 1")])(
  "%j is no reference",
  (text) => expect(parseReference(text)).toBe(null),
);
