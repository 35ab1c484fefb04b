// The other half of what holds the table of refusals: that nothing is answered beside it is asked of each answer in
// test/support/endpoints.ts; here, that nothing is promised in it that the use case has no way to say.
import { expect, it } from "vitest";
import { access } from "#routes/http/endpoint-access.ts";
import { refusalsOf } from "#routes/http/endpoint-refusals.ts";
import { canSay, startOf, wordsFrom } from "#test/support/reachable.ts";

const common = refusalsOf({ id: "", method: "POST", hasKey: true, hasBody: true });
const endpoints = Object.keys(access)
  .map((id) => {
    const all = refusalsOf({ id, method: "POST", hasKey: true, hasBody: true });
    return [id, all.filter((code) => !common.includes(code))] as const;
  })
  .filter(([, own]) => own.length > 0);

it.each(endpoints)("%s refuses nothing that its use case cannot say", (id, own) => {
  const { file, names } = startOf(id);
  const words = wordsFrom(names);
  expect(
    own.filter((code) => !canSay(words, code)),
    `${id}, declared in ${file}`,
  ).toEqual([]);
});

it("would notice: no endpoint can say everything", () => {
  const words = wordsFrom(startOf("completeTask").names);
  expect(words).toContain("task_closed");
  expect(words).not.toContain("definition_archived");
});
