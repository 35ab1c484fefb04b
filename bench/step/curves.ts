// Step cost curves: measures the duration of one kernel step while one dimension of its input grows. The curve shows
// whether the cost grows faster than that dimension. It runs the kernel alone, without a host or a network.
import { compile } from "#kernel/programs/compile.ts";
import { step } from "#kernel/execution/step.ts";
import type { Program } from "#kernel/execution/program.ts";
import type { Command, Input } from "#schema/engine/input.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { median } from "../meter.ts";
import { dimensions, type Prepared } from "./dimensions.ts";

export type Point = { readonly size: number; readonly micros: number };
export type Curve = {
  readonly name: string;
  readonly title: string;
  readonly points: readonly Point[];
  /** The exponent of the growth between the last two sizes: 1 is linear, 2 quadratic. */
  readonly power: number;
};

/** `msPerPoint`: how long each size is measured. */
export function measureCurves(msPerPoint: number, isQuick: boolean): readonly Curve[] {
  return dimensions.map(({ name, title, sizes, prepare }) => {
    const taken = isQuick ? sizes.slice(0, 2) : sizes;
    const points = taken.map((size) => ({ size, micros: microsOf(prepare(size), msPerPoint) }));
    return { name, title, points, power: powerOf(points) };
  });
}

/** Repeats the same step on the same state. A step does not change its input. */
function microsOf({ definition, inputs, measured }: Prepared, msPerPoint: number): number {
  const program = compile(definition);
  const state = inputs.reduce<ExecutionState | null>((before, command, n) => stepTo(program, before, command, n), null);
  const input = inputAt(measured, inputs.length);
  const found: number[] = [];
  const until = performance.now() + msPerPoint;
  do {
    const began = performance.now();
    step(program, state, input);
    found.push((performance.now() - began) * 1_000);
  } while (performance.now() < until);
  // The first quarter is dropped, because the code was not compiled yet.
  return median(found.slice(Math.floor(found.length / 4))) ?? Number.NaN;
}

function stepTo(program: Program, state: ExecutionState | null, command: Command, n: number): ExecutionState {
  const result = step(program, state, inputAt(command, n));
  if (!result.ok) throw new Error(`${command.kind} was refused: ${result.refusal.message}`);
  return result.state;
}

const BEGUN_AT = Date.UTC(2026, 0, 5, 9);
const HOUR = 60 * 60_000;

/** Each input is an hour later than the one before it, so that earlier timers are due. */
function inputAt(command: Command, n: number): Input {
  return { ...command, now: BEGUN_AT + n * HOUR, room: 0 };
}

function powerOf(points: readonly Point[]): number {
  const [before, last] = points.slice(-2);
  if (before === undefined || last === undefined) return Number.NaN;
  return Math.log(last.micros / before.micros) / Math.log(last.size / before.size);
}
