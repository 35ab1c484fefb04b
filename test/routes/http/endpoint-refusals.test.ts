// The other half of what holds the table of refusals: that nothing is answered beside it is asked of each answer in
// test/support/endpoints.ts; here, that nothing is promised in it that the use case has no way to say.
import { expect, it } from "vitest";
import { access } from "#routes/http/endpoint-access.ts";
import { refusalsOf } from "#routes/http/endpoint-refusals.ts";
import {
  canSay,
  constantOf,
  everythingIn,
  handlerOf,
  handlersIn,
  mentions,
  routeFiles,
  wordsFrom,
} from "#test/support/reachable.ts";

const TABLES = ["conditions.ts", "endpoint-access.ts", "endpoint-refusals.ts"];
const common = refusalsOf({ id: "", method: "POST", hasKey: true, hasBody: true });
const endpoints = Object.keys(access).map((id) => {
  const all = refusalsOf({ id, method: "POST", hasKey: true, hasBody: true });
  return [id, all.filter((code) => !common.includes(code))] as const;
});

it.each(endpoints)("%s refuses nothing that its use case cannot say", (id, own) => {
  const file = routeFiles.find((each) => !TABLES.some((table) => each.endsWith(table)) && mentions(each, id)) ?? "";
  const handler = handlerOf(file, constantOf(file, id) ?? "");
  // Declared for several nouns at once: whatever the file can reach.
  const words = wordsFrom(handler ?? everythingIn(file));
  expect(
    own.filter((code) => !canSay(words, code)),
    `${id}, in ${file}`,
  ).toEqual([]);
});

it("would notice: no endpoint can say everything", () => {
  const words = wordsFrom(handlersIn("src/routes/tasks.ts").get("complete") ?? new Set());
  expect(words).toContain("task_closed");
  expect(words).not.toContain("definition_archived");
});
