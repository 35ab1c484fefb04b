// Random acyclic graphs, each as a plain list of nodes and edges, from which a definition and a reference are made.
// Small numbers of everything, so that edges meet.
import type { JourneyDefinition } from "#schema/definition/journey.ts";
import type { JsonObject } from "#schema/json.ts";
import { journey } from "./drive-journey.ts";

export type Dice = (sides: number) => number;

export type Join = "all" | "any" | { readonly of: number };
export type Shape = "act" | "wait" | "delay" | "branch" | "split";
/** The final outcome of a node: for a failed action the operator's decision; for all other nodes the way taken. */
export type Fate = "next" | "failed" | "skipped" | "retried" | "archived" | "none" | "for/0" | "for/1" | "timeout";

export type Way = { readonly from: string; readonly on: string; readonly to: string };
export type Planned = { readonly name: string; readonly shape: Shape; readonly join: Join; readonly fate: Fate };
export type Graph = {
  readonly nodes: readonly Planned[];
  readonly ways: readonly Way[];
  readonly first: readonly string[];
};

export function graphOf(dice: Dice): Graph {
  const count = 5 + dice(12);
  const names = Array.from({ length: count }, (_, n) => `n${n}`);
  const ways: Way[] = [];
  const nodes = names.map((name, n): Planned => {
    const shape = (["act", "act", "act", "wait", "delay", "branch", "split"] as const)[dice(7)] ?? "act";
    const later = names.slice(n + 1);
    const lead = (on: string, most: number): void => {
      const wanted = new Set(Array.from({ length: dice(most + 1) }, () => later[dice(Math.max(1, later.length))]));
      for (const to of wanted) if (to !== undefined) ways.push({ from: name, on, to });
    };
    for (const on of waysOf(shape)) lead(on, on === "next" ? 3 : 1);
    return {
      name,
      shape,
      join: joinOf(dice),
      fate: fateOf(
        dice,
        shape,
        ways.some((way) => way.from === name && way.on === "failed"),
      ),
    };
  });
  const led = new Set(ways.map(({ to }) => to));
  const first = names.filter((name) => !led.has(name));
  const into = (name: string): number => ways.filter(({ to }) => to === name).length + Number(first.includes(name));
  return {
    // A join that needs more edges than lead to it would be refused.
    nodes: nodes.map((node) =>
      typeof node.join === "object" ? { ...node, join: { of: Math.min(node.join.of, into(node.name)) } } : node,
    ),
    ways,
    first,
  };
}

function waysOf(shape: Shape): readonly string[] {
  switch (shape) {
    case "act":
      return ["next", "failed"];
    case "wait":
      return ["for/0", "for/1", "timeout"];
    case "delay":
      return ["next"];
    case "branch":
      return ["cases/0", "cases/1"];
    case "split":
      return ["ways/0"];
  }
}

function joinOf(dice: Dice): Join {
  const kind = dice(4);
  return kind === 0 ? "any" : kind === 1 ? { of: 1 + dice(3) } : "all";
}

function fateOf(dice: Dice, shape: Shape, hasFailed: boolean): Fate {
  if (shape === "wait") return (["for/0", "for/1", "timeout"] as const)[dice(3)] ?? "timeout";
  if (shape !== "act") return "next";
  const fates = hasFailed
    ? (["next", "failed", "skipped"] as const)
    : (["next", "skipped", "retried", "archived"] as const);
  return fates[dice(fates.length)] ?? "next";
}

/** The way by which a node ends, given its fate; null if none. */
export function wayOf({ shape, fate }: Planned): string | null {
  switch (shape) {
    case "wait":
      return fate;
    case "delay":
      return "next";
    case "branch":
      return "cases/1";
    case "split":
      return "ways/0";
    case "act":
      if (fate === "failed") return "failed";
      return fate === "archived" ? null : "next";
  }
}

export function definitionOf({ nodes, ways, first }: Graph): JourneyDefinition {
  const next = (from: string, on: string): JsonObject => {
    const to = ways.filter((way) => way.from === from && way.on === on).map((way) => way.to);
    return to.length === 0 ? {} : { next: to };
  };
  const written = nodes.map(({ name, shape, join, fate }): [string, JsonObject] => {
    const head = { join } as JsonObject;
    switch (shape) {
      case "act": {
        const { next: failed } = next(name, "failed");
        const onFailed = Array.isArray(failed) ? { onFailed: failed[0] as string } : {};
        const condition = fate === "skipped" ? { condition: false } : {};
        return [
          name,
          {
            ...head,
            type: "webhook",
            config: {},
            onExhausted: "deadLetter",
            ...next(name, "next"),
            ...onFailed,
            ...condition,
          },
        ];
      }
      case "wait": {
        const alternatives = [0, 1].map((n) => ({ event: `${name}.e${n}`, ...next(name, `for/${n}`) }));
        const timeout = { after: "PT1H", ...next(name, "timeout") };
        return [name, { ...head, type: "wait", for: alternatives, timeout } as JsonObject];
      }
      case "delay":
        return [name, { ...head, type: "delay", for: "PT1H", from: "done", ...next(name, "next") }];
      case "branch": {
        const cases = [{ guard: false, ...next(name, "cases/0") }, { ...next(name, "cases/1") }];
        return [name, { ...head, type: "branch", cases } as JsonObject];
      }
      case "split":
        return [name, { ...head, type: "split", ways: [{ weight: 1, ...next(name, "ways/0") }] } as JsonObject];
    }
  });
  return journey({ initial: [...first], nodes: Object.fromEntries(written) });
}

/** Random numbers, the same for the same seed. */
export function diceOf(seed: number): Dice {
  let state = (seed + 1) * 0x9e3779b1;
  return (sides) => {
    state = Math.imul(state ^ (state >>> 15), 0x85ebca6b) + 0x6d2b79f5;
    return ((state ^ (state >>> 13)) >>> 0) % sides;
  };
}
