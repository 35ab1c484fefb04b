// Random machines, each written twice from one plan: as a definition, and directly for XState's own actor. Both must
// react alike to the same events. Small numbers of everything, so that features meet.
import { assign, setup, type AnyStateMachine } from "xstate";
import type { MachineDefinition } from "#schema/definition/definition.ts";
import { machine } from "#test/support/drive.ts";

export type Dice = (sides: number) => number;

export type Way = {
  readonly target: string | null;
  readonly reenter: boolean;
  /** True if the variable `of` is `is`; null for a transition without a guard. */
  readonly guard: { readonly of: string; readonly is: number } | null;
  /** Increments this variable, from 0 to 3 and round again; null for none. */
  readonly count: string | null;
  readonly act: string | null;
};

export type Plan = {
  readonly path: string;
  readonly kind: "atomic" | "compound" | "parallel" | "final" | "shallow" | "deep";
  readonly children: readonly Plan[];
  readonly on: readonly (readonly [type: string, ways: readonly Way[]])[];
  readonly after: readonly (readonly [ms: number, ways: readonly Way[]])[];
  readonly always: readonly Way[];
  readonly done: Way | null;
  /** The default target of a history state; null for the parent's initial state. */
  readonly fallback: string | null;
};

/** `returning`: many history states with transitions to them, and few events, so that regions take the same event. */
export const STYLES = ["mixed", "returning"] as const;
export type Style = (typeof STYLES)[number];

export const EVENTS = ["e0", "e1", "e2"] as const;
const VARIABLES = ["x", "y"] as const;

/** A plan whose targets all exist, and whose loops of `always` need a guard. */
export function planOf(dice: Dice, style: Style = "mixed"): Plan {
  const isReturning = style === "returning";
  const shape = shapeOf(dice, { path: "", depth: 0, style }, dice(4) === 0 ? "parallel" : "compound");
  const paths = plansIn(shape).flatMap(({ path }) => (path === "" ? [] : [path]));
  const pasts = paths.filter(isPast);
  const goal = (): string => oneOf(dice, isReturning && pasts.length > 0 && dice(3) === 0 ? pasts : paths);
  const way = (isGuarded: boolean): Way => ({
    target: dice(5) === 0 ? null : goal(),
    reenter: dice(4) === 0,
    guard: isGuarded || dice(3) === 0 ? { of: oneOf(dice, VARIABLES), is: dice(4) } : null,
    count: dice(3) === 0 ? oneOf(dice, VARIABLES) : null,
    act: dice(3) === 0 ? `act${dice(5)}` : null,
  });
  const kinds = new Map(plansIn(shape).map(({ path, kind }) => [path, kind]));
  /** A transition from inside to a parallel state's history is removed, because verify refuses it. */
  const fitting = (from: Plan, { target, ...rest }: Way): Way => {
    const isParallel = kinds.get(parentOf(String(target))) === "parallel";
    return { ...rest, target: isParallel && leadsBack(from.path, target) ? null : target };
  };
  const filled = (bare: Plan): Plan => {
    const plan = unfitted(bare);
    const ways = (list: readonly Way[]): readonly Way[] => list.map((each) => fitting(plan, each));
    return {
      ...plan,
      on: plan.on.map(([type, list]) => [type, ways(list)] as const),
      after: plan.after.map(([ms, list]) => [ms, ways(list)] as const),
      always: ways(plan.always),
      done: plan.done === null ? null : fitting(plan, plan.done),
    };
  };
  const unfitted = (plan: Plan): Plan => {
    const children = plan.children.map(filled);
    if (isPast(plan.path)) return { ...plan, fallback: isReturning ? fallbackOf(plan.path) : null };
    if (plan.kind === "final") return { ...plan, children };
    const on = (isReturning ? EVENTS.slice(0, 2) : EVENTS)
      .filter(() => dice(2) === 0)
      .map((type) => [type, Array.from({ length: 1 + dice(2) }, () => way(false))] as const);
    // So many lengths that no two timers are due at one instant; their order is tested elsewhere.
    const after = dice(4) === 0 ? [[1 + dice(1_000_000_000), [way(false)]] as const] : [];
    const always = dice(isReturning ? 3 : 5) === 0 ? [way(!isReturning || dice(8) > 0)] : [];
    const isNested = plan.kind === "compound" || plan.kind === "parallel";
    return {
      ...plan,
      children,
      on,
      after,
      always,
      done: isNested && plan.path !== "" && dice(2) === 0 ? way(false) : null,
    };
  };
  const fallbackOf = (past: string): string | null => {
    const around = parentOf(past);
    const inside = paths.filter((path) => !isPast(path) && isInside(path, around));
    return dice(2) === 0 ? null : oneOf(dice, inside);
  };
  return filled(shape);
}

type Spot = { readonly path: string; readonly depth: number; readonly style: Style };

function shapeOf(dice: Dice, { path, depth, style }: Spot, kind: Plan["kind"]): Plan {
  const bare = { path, kind, on: [], after: [], always: [], done: null, fallback: null };
  if (kind !== "compound" && kind !== "parallel") return { ...bare, children: [] };
  const count = 2 + dice(2);
  const children = Array.from({ length: count }, (_, index) => {
    const at = path === "" ? `s${index}` : `${path}.s${index}`;
    const isInner = depth < 2 && dice(3) === 0;
    const inner = isInner ? (dice(3) === 0 ? "parallel" : "compound") : index > 0 && dice(5) === 0 ? "final" : "atomic";
    const spot = { path: at, depth: depth + 1, style };
    return shapeOf(dice, spot, kind === "parallel" && inner === "final" ? "atomic" : inner);
  });
  const past = path === "" ? "past" : `${path}.past`;
  const history: Plan[] =
    dice(3) === 0 || (style === "returning" && dice(3) > 0)
      ? [{ ...bare, path: past, kind: dice(2) === 0 ? "shallow" : "deep", children: [] }]
      : [];
  return { ...bare, children: [...children, ...history] };
}

export function plansIn(plan: Plan): readonly Plan[] {
  return [plan, ...plan.children.flatMap(plansIn)];
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf(".")));
}

function oneOf<T>(dice: Dice, list: readonly T[]): T {
  return list[dice(list.length)] as T; // dice stay below the length
}

const keyOf = ({ path }: Plan): string => path.slice(path.lastIndexOf(".") + 1);
const reference = (name: string) => ({ var: `execution.variables.${name}` });

/** The plan as a definition. */
export function definitionOf(plan: Plan): MachineDefinition {
  const acts = ["act0", "act1", "act2", "act3", "act4"].map((actionId) => ({
    actionId,
    type: "webhook",
    config: { url: "https://example.com" },
  }));
  const { states = {}, ...root } = oursOf(plan) as { states?: Record<string, object> };
  return machine({ ...root, states, actions: acts, variables: { x: 0, y: 0 } } as never);
}

function oursOf(plan: Plan): Record<string, unknown> {
  const way = ({ target, reenter, guard, count, act }: Way): Record<string, unknown> => ({
    ...(target === null ? {} : { target: `#${target}` }),
    ...(reenter ? { reenter } : {}),
    ...(guard === null ? {} : { guard: { "==": [reference(guard.of), guard.is] } }),
    ...(count === null ? {} : { assign: { [count]: { "%": [{ "+": [reference(count), 1] }, 4] } } }),
    ...(act === null ? {} : { actions: [act] }),
  });
  return {
    ...formOf(plan, (path) => `#${path}`),
    ...(plan.on.length > 0 ? { on: Object.fromEntries(plan.on.map(([type, ways]) => [type, ways.map(way)])) } : {}),
    ...(plan.after.length > 0
      ? { after: Object.fromEntries(plan.after.map(([ms, ways]) => [ms, ways.map(way)])) }
      : {}),
    ...(plan.always.length > 0 ? { always: plan.always.map(way) } : {}),
    ...(plan.done === null ? {} : { onDone: way(plan.done) }),
    ...(plan.children.length === 0
      ? {}
      : { states: Object.fromEntries(plan.children.map((child) => [keyOf(child), oursOf(child)])) }),
  };
}

function formOf(plan: Plan, toPath: (path: string) => string): Record<string, unknown> {
  if (plan.kind === "shallow" || plan.kind === "deep") {
    return {
      type: "history",
      history: plan.kind,
      ...(plan.fallback === null ? {} : { target: toPath(plan.fallback) }),
    };
  }
  if (plan.kind === "final") return { type: "final" };
  if (plan.kind === "parallel") return { type: "parallel" };
  return plan.kind === "compound" ? { initial: "s0" } : {};
}

/** The recorded actions, in order: `+path` entered, `-path` left, or an action's name. */
export type Log = (what: string) => void;
type Context = Record<string, number>;

/** The plan as an XState machine, with functions. */
export function machineOf(plan: Plan, log: Log): AnyStateMachine {
  const way = ({ target, reenter, guard, count, act }: Way): Record<string, unknown> => ({
    ...(target === null ? {} : { target: `#m.${target}` }),
    reenter,
    ...(guard === null ? {} : { guard: ({ context }: { context: Context }) => context[guard.of] === guard.is }),
    actions: [
      ...(count === null
        ? []
        : [assign(({ context }: { context: Context }) => ({ [count]: (Number(context[count]) + 1) % 4 }))]),
      ...(act === null ? [] : [() => log(act)]),
    ],
  });
  const stateOf = (at: Plan): Record<string, unknown> => ({
    ...formOf(at, (path) => `#m.${path}`),
    ...(at.path === "" ? {} : { id: `m.${at.path}` }),
    ...(at.on.length > 0 ? { on: Object.fromEntries(at.on.map(([type, ways]) => [type, ways.map(way)])) } : {}),
    ...(at.after.length > 0 ? { after: Object.fromEntries(at.after.map(([ms, ways]) => [ms, ways.map(way)])) } : {}),
    ...(at.always.length > 0 ? { always: at.always.map(way) } : {}),
    ...(at.done === null ? {} : { onDone: way(at.done) }),
    ...(at.kind === "shallow" || at.kind === "deep" || at.path === ""
      ? {}
      : { entry: () => log(`+${at.path}`), exit: () => log(`-${at.path}`) }),
    ...(at.children.length === 0
      ? {}
      : { states: Object.fromEntries(at.children.map((child) => [keyOf(child), stateOf(child)])) }),
  });
  const config = { ...stateOf(plan), id: "m", context: { x: 0, y: 0 }, options: { maxIterations: 1_000 } };
  return setup({}).createMachine(config as never) as unknown as AnyStateMachine;
}

/** Whether the target is a history state of the source, or of a state around it. */
function leadsBack(from: string, target: string | null): boolean {
  return target !== null && isPast(target) && isInside(`${from}.`, parentOf(target));
}

function isPast(path: string): boolean {
  return /(^|\.)past$/.test(path);
}

function isInside(path: string, around: string): boolean {
  return around === "" || path.startsWith(`${around}.`);
}
