// Dimensions of a step: for each one, a definition of a given size, the inputs that prepare an execution, and the input
// that is measured.
import type { Definition } from "#schema/definition/definition.ts";
import type { Command } from "#schema/engine/input.ts";
import { journeyDimensions } from "./journeys.ts";
import { reconcilerDimensions } from "./reconcilers.ts";
import {
  action,
  chainStates,
  claim,
  event,
  loopStates,
  machine,
  N,
  names,
  parallelRegions,
  start,
  timers,
} from "./machines.ts";

export type Prepared = {
  readonly definition: Definition;
  readonly inputs: readonly Command[];
  readonly measured: Command;
};

export type Dimension = {
  readonly name: string;
  readonly title: string;
  readonly sizes: readonly number[];
  readonly prepare: (size: number) => Prepared;
};

const pingPong = { a: { on: { ping: "b" } }, b: { on: { ping: "a" } } };

export const dimensions: readonly Dimension[] = [
  {
    name: "states",
    title: "a chain of so many states, an event that moves it on",
    sizes: [8, 32, 128, 500],
    prepare: (size) => ({
      definition: machine({ states: chainStates(size) }),
      inputs: [start()],
      measured: event("e0"),
    }),
  },
  {
    name: "states ahead",
    title: "the same, an event for the last of them, which waits",
    sizes: [8, 32, 128, 500],
    prepare: (size) => ({
      definition: machine({ states: chainStates(size) }),
      inputs: [start()],
      measured: event(`e${size - 1}`),
    }),
  },
  {
    name: "timers",
    title: "so many timers of one state, all due in one tick",
    sizes: [8, 32, 128, 512],
    prepare: (size) => ({
      definition: machine({ states: { a: { on: { go: "b" }, after: timers(size) }, b: {} } }),
      inputs: [start()],
      measured: { kind: "tick" },
    }),
  },
  {
    name: "timers armed",
    title: "so many timers of one state, none due, an event beside them",
    sizes: [8, 32, 128, 512],
    prepare: (size) => ({
      definition: machine({
        variables: { n: 0 },
        states: { a: { on: { ping: { assign: { n: 1 } } }, after: timers(size, "P9D") }, b: {} },
      }),
      inputs: [start()],
      measured: event("ping"),
    }),
  },
  {
    name: "timers apart",
    title: "so many regions, each with a timer due in one tick",
    sizes: [4, 8, 16, 32],
    prepare: (size) => ({
      definition: machine({
        type: "parallel",
        states: parallelRegions(size, { a: { after: { 1000: "b" } }, b: { on: { ping: "a" } } }),
      }),
      inputs: [start()],
      measured: { kind: "tick" },
    }),
  },
  {
    name: "runs",
    title: "so many runs begun at once",
    sizes: [10, 50, 100, 200],
    prepare: (size) => ({
      definition: machine({
        concurrency: 100,
        states: { a: { on: { go: "b" } }, b: { entry: names(size), on: { back: "a" } } },
        actions: names(size).map(action),
      }),
      inputs: [start()],
      measured: event("go"),
    }),
  },
  {
    name: "runs left",
    title: "so many waiting runs canceled as their state is left",
    sizes: [10, 50, 100, 200],
    prepare: (size) => ({
      definition: machine({
        states: { a: { on: { back: "b" } }, b: {} },
        actions: names(size).map((name) => ({ ...action(name), triggerState: "a", delay: "P9D" })),
      }),
      inputs: [start()],
      measured: event("back"),
    }),
  },
  {
    name: "regions",
    title: "so many regions, each moved by one event",
    sizes: [4, 8, 16, 32],
    prepare: (size) => ({
      definition: machine({ type: "parallel", states: parallelRegions(size, pingPong) }),
      inputs: [start()],
      measured: event("ping"),
    }),
  },
  {
    name: "regions beside",
    title: "so many regions, one of them moved by an event",
    sizes: [4, 8, 16, 32],
    prepare: (size) => ({
      definition: machine({
        type: "parallel",
        states: {
          ...parallelRegions(size - 1, pingPong),
          only: { initial: "a", states: { a: { on: { one: "b" } }, b: {} } },
        },
      }),
      inputs: [start()],
      measured: event("one"),
    }),
  },
  {
    name: "buffer",
    title: "so many events kept, another one beside them",
    sizes: [10, 25, 50, 100],
    prepare: (size) => ({
      definition: machine({
        states: { a: { on: { ping: { reenter: true, target: "a" }, go: "b" } }, b: { on: { early: "b" } } },
      }),
      inputs: [start(), ...Array.from({ length: size }, (_, n) => event("early", n))],
      measured: event("ping"),
    }),
  },
  {
    name: "buffer replayed",
    title: "so many events kept, all of them taken now",
    sizes: [10, 25, 50, 100],
    prepare: (size) => ({
      definition: machine({
        variables: { n: 0 },
        states: { a: { on: { go: "b" } }, b: { on: { early: { assign: { n: { "+": [{ var: N }, 1] } } } } } },
      }),
      inputs: [start(), ...Array.from({ length: size }, (_, n) => event("early", n))],
      measured: event("go"),
    }),
  },
  {
    name: "variables",
    title: "so many variables of 1 KB, one of them set",
    sizes: [4, 16, 64, 240],
    prepare: (size) => ({
      definition: machine({
        variables: { n: 0 },
        states: { a: { on: { ping: { assign: { n: { "+": [{ var: N }, 1] } } } } } },
      }),
      inputs: [start(Object.fromEntries(Array.from({ length: size }, (_, n) => [`v${n}`, "x".repeat(1_000)])))],
      measured: event("ping"),
    }),
  },
  {
    name: "variables beside",
    title: "so many variables of 1 KB, an event that touches none",
    sizes: [4, 16, 64, 240],
    prepare: (size) => ({
      definition: machine({ states: pingPong }),
      inputs: [start(Object.fromEntries(Array.from({ length: size }, (_, n) => [`v${n}`, "x".repeat(1_000)])))],
      measured: event("ping"),
    }),
  },
  {
    name: "variables set",
    title: "so many variables, one of them set by each of 100 eventless transitions",
    sizes: [10, 100, 1_000, 10_000],
    prepare: (size) => ({
      definition: machine({ variables: { n: 0 }, states: loopStates(100) }),
      inputs: [start(Object.fromEntries(Array.from({ length: size }, (_, n) => [`v${n}`, 0])))],
      measured: event("go"),
    }),
  },
  {
    name: "configs",
    title: "so many frozen configs of 8 KB, an event beside them",
    sizes: [8, 32, 64, 128],
    prepare: (size) => ({
      definition: machine({
        concurrency: 100,
        states: { a: { entry: names(size), on: { ping: { assign: { n: 1 } } } } },
        actions: names(size).map((name) => ({ ...action(name), config: { text: "x".repeat(8_000) } })),
      }),
      inputs: [start(), ...Array.from({ length: Math.min(size, 100) }, (_, n) => claim(n))],
      measured: event("ping"),
    }),
  },
  {
    name: "receipts",
    title: "an event after so many others",
    sizes: [8, 32, 128, 200],
    prepare: (size) => ({
      definition: machine({ states: pingPong }),
      inputs: [start(), ...Array.from({ length: size }, (_, n) => event("ping", n))],
      measured: event("ping"),
    }),
  },
  {
    name: "guards",
    title: "so many guards that say no before the one that says yes",
    sizes: [5, 12, 25, 50],
    prepare: (size) => ({
      definition: machine({
        variables: { n: size - 1 },
        states: {
          a: {
            on: { ping: Array.from({ length: size }, (_, n) => ({ target: "b", guard: { "==": [{ var: N }, n] } })) },
          },
          b: {},
        },
      }),
      inputs: [start()],
      measured: event("ping"),
    }),
  },
  {
    name: "microsteps",
    title: "so many eventless transitions, one after another",
    sizes: [16, 64, 256, 900],
    prepare: (size) => ({
      definition: machine({ variables: { n: 0 }, states: loopStates(size) }),
      inputs: [start()],
      measured: event("go"),
    }),
  },
  ...journeyDimensions,
  ...reconcilerDimensions,
];
