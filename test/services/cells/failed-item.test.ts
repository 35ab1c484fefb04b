import { expect, it } from "vitest";
import { failedItem } from "#services/cells/call-cell.ts";

it("one failing item is refused as unavailable for a platform fault, as internal_error for a bug, and logged", () => {
  const lines: unknown[] = [];
  const codeOf = (fault: unknown) =>
    failedItem({ log: (line) => void lines.push(line) }, { cell: "acme/exe_1" }, fault).refusal.code;
  expect(codeOf(new Error("internal error; reference = abc"))).toBe("unavailable");
  expect(codeOf(Object.assign(new Error("moved"), { retryable: true }))).toBe("unavailable");
  expect(codeOf(new Error("D1_ERROR: Network connection lost."))).toBe("unavailable");
  expect(codeOf(new TypeError("x is undefined"))).toBe("internal_error");
  expect(codeOf(Object.assign(new Error("internal error"), { remote: true }))).toBe("internal_error");
  expect(lines).toHaveLength(5);
  expect(lines[0]).toMatchObject({ event: "item_failed", cell: "acme/exe_1" });
});
