// Tests of journeys: statuses of nodes, undo steps, and single items of `each` nodes.
import { describe, expect, test } from "vitest";
import { computeAtOnce } from "#kernel/computing/computation.ts";
import { testDefinition } from "#kernel/virtual/test-definition.ts";
import { openNames, testFindings } from "#kernel/virtual/unknown-names.ts";
import { definitionTest } from "#schema/definition/tests.ts";
import { journeyDefinition } from "#schema/definition/journey.ts";
import { naming } from "#test/support/matchers/naming.ts";

const hook = { type: "webhook", config: { url: "https://example.com" } };
const wedding = journeyDefinition.parse({
  kind: "journey",
  name: "wedding",
  exitWhen: [{ event: "off", outcome: "canceled", compensate: true }],
  initial: "book",
  nodes: {
    book: { ...hook, undo: hook, next: "invite" },
    invite: { type: "each", times: 3, tolerate: 1, node: hook, next: "answer" },
    answer: { type: "wait", for: [{ event: "yes" }], next: "party" },
    party: hook,
  },
});

function differences(part: object) {
  const parsed = definitionTest.parse({ name: "it", expect: [{ status: "waiting" }], ...part });
  const [result] = computeAtOnce(testDefinition(wedding, [parsed]));
  return result?.failures.map(({ pointer, expected, got }) => [pointer, expected, got]);
}

const yes = { at: "P1D", event: "yes" };
const off = { at: "P1D", event: "off" };
const failed = { error: { type: "malformed_request" } };

describe("nodes", () => {
  test("have their statuses when the check is made", () => {
    const at = (when: string | undefined, nodes: object) => ({ ...(when === undefined ? {} : { at: when }), nodes });
    const before = at("PT1H", { book: "done", invite: "done", answer: "waiting", party: "pending" });
    expect(differences({ given: [yes], expect: [before, at(undefined, { answer: "done", party: "done" })] })).toEqual(
      [],
    );
    expect(differences({ expect: [{ nodes: { answer: "done", party: "skipped", book: "done" } }] })).toEqual([
      ["/expect/0/nodes/answer", "done", "waiting"],
      ["/expect/0/nodes/party", "skipped", "pending"],
    ]);
  });

  test("that were in progress at a cancellation are skipped", () => {
    const given = [{ at: "P1D", cancel: true }];
    expect(differences({ given, expect: [{ status: "canceled", nodes: { answer: "skipped" } }] })).toEqual([]);
  });
});

describe("undo steps", () => {
  test("are expected actions", () => {
    const actions = [{ action: "book:undo", at: "P1D" }];
    expect(differences({ given: [off], expect: [{ status: "canceled", actions }] })).toEqual([]);
    expect(differences({ expect: [{ actions }] })).toEqual([["/expect/0/actions/0", "book:undo", null]]);
  });

  test("have assumed outcomes, and their dead letters are retried", () => {
    const assume = { actions: { "book:undo": [failed, {}] } };
    const given = [off, { at: "P2D", retry: "book:undo" }, { at: "P3D", resume: true }];
    const undone = { action: "book:undo", status: "ok", attempts: 2 };
    expect(differences({ assume, given: [off], expect: [{ status: "paused" }] })).toEqual([]);
    expect(differences({ assume, given, expect: [{ actions: [undone] }] })).toEqual([]);
  });
});

describe("items of an each node", () => {
  test("are expected by index, and the node's name means any of them", () => {
    const actions = [{ action: "invite/2" }, { action: "invite" }, { action: "invite/1" }];
    const only = [{ action: "book" }, { action: "invite" }];
    expect(differences({ expect: [{ actions }] })).toEqual([]);
    expect(differences({ expect: [{ actions: [{ action: "invite/3" }] }] })).toHaveLength(1);
    expect(differences({ expect: [{ actions: only, only: true }] })).toMatchObject([
      ["/expect/0/only", null, naming("invite/1")],
      ["/expect/0/only", null, naming("invite/2")],
    ]);
  });

  test("have assumed outcomes before those of the node", () => {
    const assume = { actions: { invite: { takes: "PT1M" }, "invite/1": failed } };
    const actions = [
      { action: "invite/1", status: "failed" },
      { action: "invite/2", status: "ok" },
    ];
    expect(differences({ assume, expect: [{ at: "PT1H", nodes: { invite: "done" }, actions }] })).toEqual([]);
    const given = [{ at: "PT1H", archive: "invite/1" }];
    expect(differences({ assume, given, expect: [{ status: "waiting" }] })).toEqual([]);
  });
});

test("unknown nodes, undo steps and items are found, with the name that was meant", () => {
  const findings = testFindings(
    openNames(wedding),
    [
      {
        name: "it",
        assume: { actions: { "bok:undo": {}, "invit/1": {}, "book/1": {}, "book:undo": {}, "invite/0": {} } },
        given: [{ at: 0, retry: "invte/2" }],
        expect: [{ nodes: { anser: "done", party: "done" }, actions: [{ action: "party:undo" }] }],
      },
    ],
    [],
  );
  expect(findings.map(({ pointer, hint }) => [pointer, hint])).toEqual([
    ["/0/assume/actions/bok:undo", naming('"book:undo"')],
    ["/0/assume/actions/invit~11", naming('"invite/1"')],
    ["/0/assume/actions/book~11", naming("invite")],
    ["/0/given/0/retry", naming('"invite/2"')],
    ["/0/expect/0/nodes/anser", naming('"answer"')],
    ["/0/expect/0/actions/0/action", expect.any(String)],
  ]);
});
