// What each verb answers where it is refused, by the situation of the run that it is for. Record it again with
// `npx vitest run --project node test/golden/sentences -u`.
import { expect, test } from "vitest";
import type { Command } from "#schema/engine/input.ts";
import type { Refusal } from "#schema/refusal.ts";
import { step } from "#kernel/execution/step.ts";
import { situations } from "#test/golden/run-table.ts";
import { ask, hour, T0, type Drive } from "#test/support/drive.ts";
import { act, go } from "#test/kernel/programs/journey/drive-journey.ts";

const ofRun: { readonly [verb: string]: (run: string) => Command } = {
  "run-now": (run) => ask.runNow({ run }),
  retry: (run) => ask.retry(run),
  archive: (run) => ask.archive(run),
  skip: (run) => ask.verb({ kind: "skip", target: { run } }),
  complete: (run) => ask.verb({ kind: "complete", target: { run } }),
  hold: (run) => ask.verb({ kind: "hold", run }),
  release: (run) => ask.verb({ kind: "release", run }),
  reschedule: (run) => ask.verb({ kind: "reschedule", target: { run }, at: T0 + 2 * hour }),
};

const ofNode: { readonly [verb: string]: (node: string) => Command } = {
  skip: (node) => ask.verb({ kind: "skip", target: { node } }),
  "skip with a result": (node) => ask.verb({ kind: "skip", target: { node }, result: 1 }),
  complete: (node) => ask.verb({ kind: "complete", target: { node } }),
};

const nodes = {
  acts: act(["branches", "delays", "waits", "repeats"]),
  branches: { type: "branch", cases: [{ next: "later" }, { next: "delays" }] },
  delays: { type: "delay", for: "PT1H", next: "later" },
  waits: { type: "wait", for: [{ event: "x" }, { event: "y" }], timeout: { after: "PT1H" } },
  repeats: { type: "each", times: 3, every: "PT1H", node: act(), next: "later" },
  later: act(),
};
const journey = (): Drive => {
  const made = go({ nodes, initial: "acts", exitWhen: [{ event: "stop" }] });
  return made.start();
};
const journeys: { readonly [name: string]: () => Drive } = {
  begun: journey,
  "in flight": () => journey().claim("acts"),
  "a node further": () => journey().ok("acts"),
  left: () => journey().claim("acts").event("stop"),
};

test("what is answered to a verb that is refused", async () => {
  const refused = new Map<string, string[]>();
  const add = (verb: string, situation: string, made: Drive, command: Command): void => {
    const found = refusalOf(made, command);
    if (found === null) return;
    const answer = [found.code, found.message, ...(found.hint === undefined ? [] : [found.hint])].join("\n  ");
    const text = `${verb}: ${answer}`;
    refused.set(text, [...(refused.get(text) ?? []), situation]);
  };
  for (const [verb, make] of Object.entries(ofRun))
    for (const [situation, made] of Object.entries(situations)) add(verb, situation, made(), make("1.0"));
  for (const [verb, make] of Object.entries(ofNode))
    for (const [situation, made] of Object.entries(journeys))
      for (const node of Object.keys(nodes)) add(verb, `${node}, of a journey ${situation}`, made(), make(node));
  const blocks = [...refused].map(([text, where]) => `${text}\n${where.map((each) => `    ${each}\n`).join("")}`);
  await expect(blocks.join("\n")).toMatchFileSnapshot("./verbs.txt");
});

function refusalOf(made: Drive, command: Command): Refusal | null {
  const { program, state } = made;
  const stepped = step(program, state, { ...command, now: Math.max(state.updatedAt, T0), room: 0 });
  return stepped.ok ? null : stepped.refusal;
}
