// Random graphs with random outcomes in random order: after each outcome the marks equal those of a reference, each
// node starts at most once, and all nodes end.
import { expect, test } from "vitest";
import type { NodeMark } from "#schema/engine/state.ts";
import { driveProgram, hour } from "#test/support/drive.ts";
import { compile } from "#kernel/programs/compile.ts";
import { verify } from "#test/kernel/verify/at-once.ts";
import { definitionOf, diceOf, graphOf, type Dice, type Graph } from "./random-journeys.ts";
import { marksAfter, type Mark, type Past } from "./reference.ts";

const EACH = 60;
const forGood = { retryable: false };

test.each([0, 60, 120, 180, 240])("random journeys from %i stand where the reference says, and end", (first) => {
  const walked = Array.from({ length: EACH }, (_, n) => walk(first + n));
  // Most graphs have several outcomes, so that something was compared.
  expect(walked.filter(({ steps }) => steps > 3).length).toBeGreaterThan(EACH / 3);
  expect(walked.filter(({ turned }) => turned > 0).length).toBeGreaterThan(1);
});

/** The number of outcomes, and of failures that an operator repaired in time. */
function walk(seed: number): { readonly steps: number; readonly turned: number } {
  const dice = diceOf(seed);
  const graph = graphOf(dice);
  const definition = definitionOf(graph);
  expect(verify(definition), `seed ${seed}`).toEqual([]);
  const t = driveProgram([compile(definition), compile(definition)]).start();
  const [ended, turned, begun] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const past = { ended, turned, begun };
  let [steps, now] = [0, 0];
  const noteSkipped = (): void => {
    for (const { name, fate } of graph.nodes)
      if (fate === "skipped" && markOf(t.state, name) === "ended") ended.add(name);
  };
  for (; steps < 200; steps += 1) {
    noteSkipped();
    compare(seed, graph, t.state, past);
    turn(t, graph, dice, past);
    noteSkipped();
    compare(seed, graph, t.state, past);
    if (t.status === "completed") break;
    const name = pick(dice, t.state.position.states);
    const node = graph.nodes.find((each) => each.name === name);
    if (node === undefined) throw new Error(`seed ${seed}: nothing is open, and it is ${t.status}`);
    if (node.shape === "delay" || node.fate === "timeout") {
      // All due timers fire, and the waits that they end continue.
      now += hour;
      const due = t.state.timers.filter(({ at }) => at !== null && at <= t.state.createdAt + now);
      due.forEach((timer) => ended.add(timer.state));
      if (due.some(({ state }) => graph.nodes.find((each) => each.name === state)?.fate.startsWith("for/"))) {
        now -= hour;
        due.forEach((timer) => ended.delete(timer.state));
        hearAll(t, graph, ended);
        continue;
      }
      t.tickAt(now);
    } else if (node.shape === "wait") {
      t.event(`${name}.e${node.fate.slice(-1)}`);
      ended.add(name);
    } else if (decide(t, name, node.fate)) ended.add(name);
  }
  compare(seed, graph, t.state, past);
  expect(t.status, `seed ${seed}`).toBe("completed");
  const made = t.entries.flatMap((entry) => (entry.kind === "run_created" ? [entry.action] : []));
  expect(new Set(made).size, `seed ${seed}`).toBe(made.length);
  const { counts } = t.state.position as { counts: { done: number; skipped: number; failed: number; of: number } };
  expect(counts.done + counts.skipped + counts.failed, `seed ${seed}`).toBe(counts.of);
  return { steps, turned: turned.size };
}

type Driven = ReturnType<typeof driveProgram>;

/** Sends an event for each wait that expects one, before its timer fires. */
function hearAll(t: Driven, graph: Graph, ended: Set<string>): void {
  for (const name of [...t.state.position.states]) {
    const node = graph.nodes.find((each) => each.name === name);
    if (node?.shape !== "wait" || !node.fate.startsWith("for/")) continue;
    t.event(`${name}.e${node.fate.slice(-1)}`);
    ended.add(name);
  }
}

/** False: an operator has still to decide. */
function decide(t: Driven, name: string, fate: string): boolean {
  const isOpen = t.run(name).deadLetter;
  switch (fate) {
    case "failed":
      t.miss(name, forGood);
      return true;
    case "retried":
      if (isOpen) t.retry(name).ok(name);
      else t.miss(name, forGood);
      return isOpen;
    case "archived":
      if (isOpen) t.archive(name);
      else t.miss(name, forGood);
      return isOpen;
    default:
      t.ok(name);
      return true;
  }
}

/** Sometimes repairs a failure before a node after it has started. */
function turn(t: Driven, graph: Graph, dice: Dice, { ended, turned, begun }: Marked): void {
  for (const { name, fate } of graph.nodes) {
    if (fate !== "failed" || !ended.has(name) || turned.has(name) || dice(2) === 0 || t.status === "completed")
      continue;
    const ahead = graph.ways.filter(({ from, on }) => from === name && on === "failed");
    if (ahead.some(({ to }) => begun.has(to) || markOf(t.state, to) === "skipped")) continue;
    t.retry(name, { force: true }).ok(name);
    turned.add(name);
    return;
  }
}

type Marked = Past & { readonly turned: Set<string>; readonly begun: Set<string> };

/** Compares with the reference, which uses its own list of started nodes. */
function compare(seed: number, graph: Graph, state: Driven["state"], past: Marked): void {
  const found = Object.fromEntries(graph.nodes.map(({ name }) => [name, markOf(state, name)]));
  const said = marksAfter(graph, past);
  expect(found, `seed ${seed} after ${[...past.ended].join(", ")}; ${[...past.turned].join(", ")}`).toEqual(said);
  for (const [name, mark] of Object.entries(said)) if (mark === "waiting" || mark === "ended") past.begun.add(name);
}

function markOf({ position }: Driven["state"], name: string): Mark {
  if (position.kind !== "journey") throw new Error("it is a journey");
  const mark: NodeMark = position.nodes[name] ?? { status: "pending" };
  if (mark.status === "skipped" && mark.reason === "not_reached") return "skipped";
  if (mark.status === "failed" && mark.ended === undefined) return "waiting";
  return mark.status === "pending" || mark.status === "waiting" ? mark.status : "ended";
}

function pick(dice: Dice, names: readonly string[]): string {
  return names[dice(Math.max(1, names.length))] ?? "";
}
