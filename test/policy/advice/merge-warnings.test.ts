// Merged warnings: one for each thing that is wrong, with all its places.
import { expect, it } from "vitest";
import { mergeWarnings } from "#policy/advice/merge-warnings.ts";
import type { Change, Warning } from "#schema/refusal.ts";

function warning(pointer: string, over: Partial<Warning> = {}): Warning {
  return { severity: "warning", pointer, code: "connection_unknown", message: "m", fix: "f", ...over };
}
const replace = (path: string): Change => ({ op: "replace", path, value: "mail" });

it("the same warning at several places is listed once, with its places", () => {
  const other = warning("/d", { message: "other" });
  expect(mergeWarnings([warning("/a"), other, warning("/b")])).toEqual([
    warning("/a", { places: ["/a", "/b"] }),
    other,
  ]);
});

it("the same warning at one place is listed once, without a list of places", () => {
  expect(mergeWarnings([warning("/a"), warning("/a")])).toEqual([warning("/a")]);
  const patched = warning("/a", { patch: [replace("/a")] });
  expect(mergeWarnings([patched, patched])).toEqual([patched]);
});

it("the merged patch changes all places", () => {
  const each = ["/a", "/b"].map((place) => warning(place, { patch: [replace(place)] }));
  expect(mergeWarnings(each)).toMatchObject([{ places: ["/a", "/b"], patch: [replace("/a"), replace("/b")] }]);
});

it("a warning with a patch is not merged with one that has none, or that adds or removes parts", () => {
  const remove = (path: string) => warning(path, { patch: [{ op: "remove", path }] });
  const each = [warning("/a"), warning("/b", { patch: [replace("/b")] }), remove("/l/0"), remove("/l/1")];
  expect(mergeWarnings(each)).toEqual(each);
});
