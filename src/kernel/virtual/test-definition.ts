// Runs the tests of a definition. Each test is a virtual run with checks at certain instants.
import type { DefinitionTest, TestCheck } from "#schema/definition/tests.ts";
import type { Definition, DefinitionRef } from "#schema/definition/definition.ts";
import type { StartCommand } from "#schema/engine/input.ts";
import { TESTS_STEPS_MAX, TESTS_WORK_MAX, TEST_FAILURES_LISTED_MAX } from "#schema/limits/definition-sizes.ts";
import { VIRTUAL_RUN_AHEAD_MS } from "#schema/limits/planning/virtual-runs.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { VirtualRun } from "#schema/virtual/expected-actions.ts";
import type { TestFailure, TestResult } from "#schema/virtual/test-result.ts";
import type { Computation } from "../computing/computation.ts";
import { compile } from "../programs/compile.ts";
import type { Program } from "../execution/program.ts";
import { failuresOf } from "./expectations.ts";
import { forceBranches } from "./force-branches.ts";
import { instantOf } from "./play.ts";
import type { PlayBudget } from "./play-step.ts";
import { runVirtually } from "./virtual-run.ts";

/** The start of a test that sets none: a Monday at 09:00 UTC. */
const START = Date.UTC(2026, 0, 5, 9);

export function* testDefinition(
  definition: Definition,
  tests: readonly DefinitionTest[],
): Computation<readonly TestResult[]> {
  const budget = { steps: TESTS_STEPS_MAX, work: TESTS_WORK_MAX, units: 0 };
  // The definition is compiled once for all tests. A test that forces a branch changes the definition, and compiles its
  // own.
  const program = compile(definition);
  const tested: TestResult[] = [];
  for (const test of tests) {
    const failures = yield* runTest(definition, program, test, budget);
    const told = failures.slice(0, TEST_FAILURES_LISTED_MAX);
    const { name, blocking = false } = test;
    const more = failures.length - told.length;
    tested.push({ name, passed: failures.length === 0, blocking, failures: told, more });
  }
  return tested;
}

function* runTest(
  definition: Definition,
  compiled: Program,
  { startAt, variables = {}, given = [], assume = {}, expect }: DefinitionTest,
  budget: PlayBudget,
): Computation<readonly TestFailure[]> {
  const made = forceBranches(definition, assume.branches ?? {});
  if (!made.ok) {
    return made.unforced.map(({ node, message }) => failure(`/assume/branches/${node}`, message));
  }
  const program = made.definition === definition ? compiled : compile(made.definition);
  const from = startAt === undefined ? START : Date.parse(startAt);
  const start = startOf(definition.name, variables);
  const runs = new Map<number, Result<VirtualRun>>();
  const failures: TestFailure[] = [];
  for (const [n, check] of expect.entries()) {
    const until = check.at === undefined ? from + VIRTUAL_RUN_AHEAD_MS : instantOf(check.at, from);
    const run =
      runs.get(until) ?? (yield* runVirtually({ program, start, startAt: from, until, given, assume, budget }));
    runs.set(until, run);
    const judgement = yield* checkRun(run, check, from);
    failures.push(...judgement.map((each) => ({ ...each, pointer: `/expect/${n}${each.pointer}` })));
  }
  return failures;
}

function* checkRun(run: Result<VirtualRun>, check: TestCheck, startAt: number): Computation<readonly TestFailure[]> {
  if (!run.ok) return [failure("", `the execution cannot be started: ${run.refusal.message}`)];
  const { cut } = run.value;
  const looked = cut === null || cut === "until" ? accept(run.value) : refuse(limitRefusal(cut));
  if (!looked.ok) return [failure("", looked.refusal.message)];
  return yield* failuresOf(looked.value, check, startAt);
}

function limitRefusal(cut: string) {
  const message = `the test was stopped early: the ${cut} that all tests of a definition share are used up`;
  return { code: "limit_exceeded", message } as const;
}

function failure(pointer: string, message: string): TestFailure {
  return { pointer, message, expected: null, got: null };
}

function startOf(name: string, variables: StartCommand["variables"]): StartCommand {
  const definition: DefinitionRef = { id: "def_test", name, version: 1 };
  return {
    kind: "start",
    inputId: "test",
    execution: "exe_test",
    tenant: "test",
    namespace: "default",
    definition,
    placement: "own",
    variables,
    correlationId: null,
    fingerprint: "",
    actor: { kind: "engine", id: "test" },
  };
}
