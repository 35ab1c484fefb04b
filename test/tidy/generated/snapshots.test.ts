// Each generated file is what `npm run texts` would write now.
import { expect, it } from "vitest";
import { read, tree } from "../tree.ts";
import { COMMAND, snapshots } from "./snapshots.ts";

it.each(Object.entries(snapshots()))("%s is up to date", (path, content) => {
  const stored = tree.includes(path) ? read(path) : "";
  expect(firstDifference(stored, content), `${path} is out of date: run \`${COMMAND}\` and read its diff`).toBeNull();
});

/** Line and both readings: the whole files would fill the screen. */
function firstDifference(stored: string, content: string) {
  const [old, now] = [stored.split("\n"), content.split("\n")];
  const at = now.findIndex((line, index) => line !== old[index]);
  if (at === -1 && old.length === now.length) return null;
  const line = at === -1 ? now.length : at;
  return { line: line + 1, stored: old[line], now: now[line] };
}
