// An operator's verbs: holds and releases runs, reschedules, skips and completes. Many are refused, because their
// target does not exist or has ended.
import type { Chance } from "../kit/chance.ts";
import { BEGIN, HOUR, MINUTE, type Script, type Verb } from "../scenario.ts";

type Step = Script["steps"][number];

/** Verbs that only delay: the execution ends as it would without them, because each held run is released again. */
export function delaying(chance: Chance, execution: string, timers: readonly string[]): Script {
  const steps = Array.from({ length: chance.between(1, 4) }, (_, n) => heldForAWhile(chance, `?${n}`));
  const moved = timers.map((timer): Step => moving(chance, { timer }));
  return { execution, steps: inOrder([...steps.flat(), ...moved, moving(chance, { run: "?" })]) };
}

function heldForAWhile(chance: Chance, run: string): readonly Step[] {
  const atMs = chance.between(0, 20 * MINUTE);
  const until = atMs + chance.between(0, 30 * MINUTE);
  return [
    { atMs, verb: { kind: "hold", run } },
    { atMs: until, verb: { kind: "release", run } },
  ];
}

function moving(chance: Chance, target: { readonly run: string } | { readonly timer: string }): Step {
  const at = BEGIN + chance.between(0, 2 * HOUR);
  return { atMs: chance.between(0, 30 * MINUTE), verb: { kind: "reschedule", target, at } };
}

/** Verbs that delay, and verbs that change how the execution ends. */
export function meddling(
  chance: Chance,
  execution: string,
  names: { nodes: readonly string[]; timers: readonly string[] },
): Script {
  const deciding = Array.from({ length: chance.between(2, 6) }, (_, n): Step => {
    return { atMs: chance.between(0, 40 * MINUTE), verb: oneThing(chance, names.nodes, n) };
  });
  const { steps } = delaying(
    chance,
    execution,
    names.timers.filter(() => chance.yes(0.5)),
  );
  return { execution, steps: inOrder([...steps, ...deciding]) };
}

/** Every other verb on a run cancels its action instead of skipping it. `n`: the index of the verb. */
function oneThing(chance: Chance, nodes: readonly string[], n: number): Verb {
  const node = nodes[chance.between(0, nodes.length - 1)];
  const target = node === undefined || chance.yes(0.3) ? { run: "?" } : { node };
  if (chance.yes(0.4))
    return {
      kind: "complete",
      target,
      ...(chance.yes(0.5) ? { as: chance.pick(["x", "y", "timeout", "for/0"]) } : {}),
    };
  const result = chance.yes(0.4) ? { result: { did: "by hand" } } : {};
  return target.run !== undefined && n % 2 === 1
    ? { kind: "cancelAction", target: { run: target.run }, ...result }
    : { kind: "skip", target, ...result };
}

function inOrder(steps: readonly Step[]): readonly Step[] {
  return steps.toSorted((a, b) => a.atMs - b.atMs);
}
