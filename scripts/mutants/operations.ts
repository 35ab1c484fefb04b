// Mutants of operations and automatic retries: which executions they select, how fast they run, and when they stop.
import { mutantsOf, type Mutant } from "./mistake.ts";

export const operationMutants: readonly Mutant[] = [
  ...mutantsOf("src/policy/operations/pace.ts", [
    {
      from: "outcomes.filter(({ id }) => open.delete(id))",
      to: "outcomes.filter(({ id }) => open.has(id))",
      why: "an answer that names an item twice counts it twice",
    },
    {
      from: "Math.ceil(perSecond / OPERATION_SLICE_MAX)",
      to: "Math.floor(perSecond / OPERATION_SLICE_MAX) || 1",
      why: "a slice is larger than may be",
    },
    { from: "ids.filter((id) => !known.has(id))", to: "ids", why: "an id that is listed twice is dealt with twice" },
    {
      from: "broke >= OPERATION_BROKEN_TRIES_MAX",
      to: "broke > OPERATION_BROKEN_TRIES_MAX",
      why: "one try more than may be",
    },
    {
      from: 'return plan.kind === "act" ? { ...state, nextAt',
      to: 'return plan.kind === "list" ? { ...state, nextAt',
      why: "slices keep no distance",
    },
    {
      from: "queue.length + left.length > 0) return state;",
      to: "queue.length > 0) return state;",
      why: "an operation is done while some could not be asked",
    },
    { from: "isBroken ? broke + 1 : broke", to: "broke + 1", why: "what could not be reached counts as broken" },
  ]),
  ...mutantsOf("src/policy/operations/collecting.ts", [
    { from: "isAll: cursor === null }", to: "isAll: true }", why: "only the first page of them is meant" },
    { from: "found.length > 0 ? 1 : 0", to: "1", why: "an empty page counts as a row" },
  ]),
  ...mutantsOf("src/policy/operations/stopping.ts", [
    { from: "seen.of < stopAt.after", to: "false", why: "the first error stops an operation" },
    {
      from: "seen.failed <= seen.of * stopAt.failedShare",
      to: "seen.failed < seen.of * stopAt.failedShare",
      why: "just the share that is allowed stops it",
    },
    { from: "of: state.counts.released + failed", to: "of: failed", why: "who said yes does not count" },
    {
      from: "counts.released >= stopAt.after && lookAt <= now",
      to: "lookAt <= now",
      why: "it looks before there is anything to see",
    },
    { from: "if (away && state.status", to: "if (state.status", why: "a look at a provider that is there stops it" },
  ]),
  ...mutantsOf("src/policy/operations/still-matches.ts", [
    {
      from: "status === undefined || status === now.status",
      to: "true",
      why: "who has another status by now is asked",
    },
    {
      from: "state === undefined || isInState",
      to: "state !== undefined || isInState",
      why: "who stands elsewhere by now is asked",
    },
  ]),
  ...mutantsOf("src/policy/gates/auto-retry.ts", [
    {
      from: 'autoRetry.since !== null && before === "closed"',
      to: "autoRetry.since !== null",
      why: "a probe that fails counts as flapping",
    },
    { from: "quietMs * 2 ** flaps", to: "quietMs", why: "a breaker that flaps need not be quiet for longer" },
    { from: "since: now - windowMs", to: "since: now", why: "what opened the breaker is not of the outage" },
    {
      from: "autoRetry.since === asked ? null : autoRetry.since",
      to: "null",
      why: "an outage that began meanwhile is forgotten",
    },
    { from: "now - autoRetry.begunAt < AUTO_RETRY_FLAPPING_MS", to: "true", why: "a calm hour makes good for nothing" },
  ]),
  ...mutantsOf("src/kernel/execution/retries/handled.ts", [
    { from: "healed >= times", to: "healed > times", why: "it goes out by itself once more than may be" },
    { from: "selfHeal === false ? 0", to: "selfHeal === false ? 1", why: "what shall never go out by itself does" },
    {
      from: "if (!isOutage(run.error))",
      to: "if (run.error === null)",
      why: "what failed for another reason goes out again",
    },
  ]),
];
