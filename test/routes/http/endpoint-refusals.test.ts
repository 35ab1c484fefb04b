// The table of refusals lists no code that a use case cannot give. test/support/endpoints.ts checks the other
// direction: each refusal that a test receives is in the table.
import { expect, it } from "vitest";
import { access } from "#routes/http/endpoint-access.ts";
import { refusalsOf } from "#routes/http/endpoint-refusals.ts";
import {
  canSay,
  constantOf,
  crudHandlerOf,
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

it.each(endpoints)("the table lists no code for %s that its use case cannot give", (id, own) => {
  const file = routeFiles.find((each) => !TABLES.some((table) => each.endsWith(table)) && mentions(each, id)) ?? "";
  const handler = handlerOf(file, constantOf(file, id) ?? "") ?? crudHandlerOf(file, id);
  // A file that declares several nouns at once: all names in the file count.
  const words = wordsFrom(handler ?? everythingIn(file));
  expect(
    own.filter((code) => !canSay(words, code)),
    `${id}, in ${file}`,
  ).toEqual([]);
});

it("the check fails on a wrong code: a use case cannot give all codes", () => {
  const got = wordsFrom(crudHandlerOf("src/routes/connections.ts", "getConnection") ?? new Set());
  expect(got).toContain("not_found");
  expect(got).not.toContain("quota_exceeded");
  const words = wordsFrom(handlersIn("src/routes/tasks.ts").get("complete") ?? new Set());
  expect(words).toContain("task_closed");
  expect(words).not.toContain("definition_archived");
});
