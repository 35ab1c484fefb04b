// Findings about history states: defaults that lead back to themselves, and defaults that lead out.
import { expect, test } from "vitest";
import { verify } from "#test/kernel/verify/at-once.ts";
import { machine } from "#test/support/drive.ts";

type Part = Parameters<typeof machine>[0];

test.each<[string, Part, string[]]>([
  [
    "history states that lead back to themselves while there is no history",
    {
      states: {
        a: { on: { go: "#p" } },
        p: { initial: "past", states: { x: {}, past: { type: "history" } } },
        q: {
          type: "parallel",
          states: {
            r: {
              initial: "x",
              states: { x: {}, one: { type: "history", target: "two" }, two: { type: "history", target: "#q" } },
            },
            s: { initial: "one", states: { x: {}, one: { type: "history", target: "#q.r.one" } } },
          },
        },
      },
    },
    ["/states/p/states/past history_loop", "/states/q/states/s/states/one/target history_loop"],
  ],
  [
    "a default outside the state whose history it is, from where what is around it is active",
    {
      states: {
        a: { on: { sound: "#p.past" } },
        b: { on: { go: "#p.past" } },
        p: {
          initial: "x",
          states: {
            x: { on: { go: "past" } },
            past: { type: "history", target: "#b" },
            own: { type: "history", target: "#p" },
          },
          on: { go: ".own" },
        },
        q: { on: { sound: "#p.own" } },
      },
    },
    [
      "/states/b/on/go history_leads_out",
      "/states/p/on/go history_leads_out",
      "/states/p/states/x/on/go history_leads_out",
    ],
  ],
  [
    "a default in the region beside",
    {
      type: "parallel",
      states: {
        w: { initial: "a", states: { a: { on: { go: "#v.past" } }, b: {} } },
        v: { initial: "x", states: { x: {}, past: { type: "history", target: "#w.b" } } },
      },
    },
    ["/states/w/states/a/on/go history_leads_out"],
  ],
  [
    "a default at the top of a machine that does something on entry",
    {
      entry: [{ assign: { n: 1 } }],
      states: {
        a: { on: { go: "#p.past" } },
        b: {},
        p: { initial: "x", states: { x: {}, past: { type: "history", target: "#b" } } },
      },
    },
    ["/states/a/on/go history_leads_out"],
  ],
])("%s", (_what, part, expected) => {
  expect(verify(machine(part)).map(({ pointer, code }) => `${pointer} ${code}`)).toEqual(expected);
});
