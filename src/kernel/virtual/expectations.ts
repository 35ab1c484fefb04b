// Expectations of a definition's test. Compares them with a virtual run. Each difference is reported with its pointer
// and both values.
import type { ExpectedRun, TestCheck } from "#schema/definition/tests.ts";
import type { NodeStatus } from "#schema/engine/state.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import type { ExpectedAction, VirtualRun } from "#schema/virtual/expected-actions.ts";
import type { TestFailure } from "#schema/virtual/test-result.ts";
import type { Computation } from "../computing/computation.ts";
import { isPlainObject, isSameJson, childPointer, jsonBytes } from "../language/json-values.ts";
import { BYTES_PER_UNIT } from "../computing/work.ts";
import { instantOf } from "./play.ts";
import { referencesOf } from "./run-references.ts";

export function* failuresOf(run: VirtualRun, check: TestCheck, startAt: number): Computation<readonly TestFailure[]> {
  const { status, states, nodes = {}, variables, actions = [], only } = check;
  const done = run.actions.filter(
    ({ attempts, status: ended }) => attempts > 0 || ended === "skipped" || ended === "failed",
  );
  const taken = new Set<ExpectedAction>();
  const failures = [
    ...(status === undefined || status === run.status ? [] : [failureAt("/status", status, run.status)]),
    ...(states === undefined ? [] : stateFailures(states, run.states)),
    ...Object.entries(nodes).flatMap(([name, wanted]) => nodeFailures(name, wanted, run.nodes)),
    ...(variables === undefined ? [] : valueDifferences(variables, run.variables, "/variables")),
  ];
  yield variables === undefined ? 0 : jsonBytes(run.variables) / BYTES_PER_UNIT;
  for (const [n, each] of actions.entries()) {
    failures.push(...(yield* expectedActionFailures(each, done, taken, startAt, `/actions/${n}`)));
  }
  return only === true ? [...failures, ...unexpectedActions(done, taken)] : failures;
}

/** The cost units of comparing an expected run with an actual run. */
const UNITS_COMPARED = 20;

function stateFailures(wanted: readonly string[], states: readonly string[]): readonly TestFailure[] {
  const isSame = wanted.toSorted().join("\n") === states.toSorted().join("\n");
  return isSame ? [] : [failureAt("/states", [...wanted], [...states])];
}

/** A node without a mark was not reached. */
function nodeFailures(name: string, wanted: NodeStatus, nodes: VirtualRun["nodes"]): readonly TestFailure[] {
  const status = Object.hasOwn(nodes, name) ? nodes[name]?.status : undefined;
  return (status ?? "pending") === wanted ? [] : [failureAt(childPointer("/nodes", name), wanted, status ?? "pending")];
}

/**
 * Compares one expected run with the actual runs. Empty if it matches an actual run that no earlier expectation has
 * used. Otherwise the differences from the most similar actual run.
 */
function* expectedActionFailures(
  wanted: ExpectedRun,
  done: readonly ExpectedAction[],
  taken: Set<ExpectedAction>,
  startAt: number,
  at: string,
): Computation<readonly TestFailure[]> {
  const compared: { readonly each: ExpectedAction; readonly failures: readonly TestFailure[] }[] = [];
  for (const each of done) {
    if (taken.has(each) || !referencesOf(each.action, each.item).includes(wanted.action)) continue;
    const failures = differences(wanted, each, startAt, at);
    yield UNITS_COMPARED + (wanted.config === undefined ? 0 : jsonBytes(each.config) / BYTES_PER_UNIT);
    compared.push({ each, failures });
    if (failures.length === 0) break;
  }
  const fewest = Math.min(...compared.map(({ failures }) => failures.length));
  const nearest = compared.find(({ failures }) => failures.length === fewest);
  if (nearest === undefined) {
    const others = done.map((each) => `${referenceOf(each)} ${iso(each.at)}`);
    const message = `the action ${wanted.action} was not executed as often as expected; executed actions: ${others.join(", ") || "none"}`;
    return [{ pointer: at, message, expected: wanted.action, got: null }];
  }
  taken.add(nearest.each);
  return nearest.failures;
}

function differences(wanted: ExpectedRun, got: ExpectedAction, startAt: number, at: string): readonly TestFailure[] {
  const instant = wanted.at === undefined ? got.at : instantOf(wanted.at, startAt);
  const isEnded = wanted.status === undefined ? got.status !== "skipped" : wanted.status === got.status;
  return [
    ...(instant === got.at ? [] : [failureAt(`${at}/at`, iso(instant), iso(got.at))]),
    ...(isEnded ? [] : [failureAt(`${at}/status`, wanted.status ?? "any status except skipped", got.status)]),
    ...(wanted.reason === undefined || wanted.reason === got.reason
      ? []
      : [failureAt(`${at}/reason`, wanted.reason, got.reason)]),
    ...(wanted.attempts === undefined || wanted.attempts === got.attempts
      ? []
      : [failureAt(`${at}/attempts`, wanted.attempts, got.attempts)]),
    ...(wanted.config === undefined ? [] : valueDifferences(wanted.config, got.config, `${at}/config`)),
  ];
}

function unexpectedActions(
  done: readonly ExpectedAction[],
  taken: ReadonlySet<ExpectedAction>,
): readonly TestFailure[] {
  const more = done.filter((each) => !taken.has(each) && each.status !== "skipped");
  return more.map((each) => {
    const got = `${referenceOf(each)} ${iso(each.at)}`;
    return {
      pointer: "/only",
      message: `no other action was expected, but the execution started ${got}`,
      expected: null,
      got,
    };
  });
}

/**
 * The differences between two values. An actual object may have fields that are not expected. Everything else must be
 * equal.
 */
function valueDifferences(wanted: Json, got: Json, at: string): readonly TestFailure[] {
  if (!isPlainObject(wanted) || !isPlainObject(got)) {
    return isSameJson(wanted, got) ? [] : [failureAt(at, wanted, got)];
  }
  return Object.entries(wanted as JsonObject).flatMap(([key, value]) =>
    valueDifferences(
      value,
      (Object.hasOwn(got, key) ? (got as JsonObject)[key] : undefined) ?? null,
      childPointer(at, key),
    ),
  );
}

function referenceOf({ action, item }: ExpectedAction): string {
  return item === null ? action : `${action}/${item}`;
}

function failureAt(pointer: string, expected: Json, got: Json): TestFailure {
  const message = `expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`;
  return { pointer, message, expected, got };
}

/** The instant as text. A completed action has an instant, so it is not null. */
function iso(at: number | null): string {
  return new Date(Number(at)).toISOString();
}
