// Load driver: sends the plan's requests. Each worker waits for an answer before its next request, and each stage adds
// workers.
import type { LoadPlan, LoadScenario } from "#schema/load.ts";
import { readAnswers, isRefusedForLoad, findUnexpected, describeAnswer, type Answer } from "./answers.ts";
import { bodyFor, scenarioPicker } from "./fill.ts";
import type { Follower } from "./follow.ts";
import type { SendRequest } from "./http.ts";
import { add, type Tally } from "./tally.ts";

export type LoadRun = {
  readonly plan: LoadPlan;
  /** A random name of this load test, used in its keys. */
  readonly load: string;
  readonly ask: SendRequest;
  readonly tally: Tally;
  readonly follower: Follower;
  readonly sinceBegin: () => number;
  readonly isStopped: () => boolean;
};

/** Pause after a refusal because of load. Without it the test would measure refusals only. */
const REFUSED_PAUSE_MS = 100;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export async function runLoad(job: LoadRun): Promise<void> {
  const { plan, sinceBegin, isStopped } = job;
  const next = scenarioPicker(plan.scenarios);
  const wait = requestPacer(plan.limits.requestsPerSecond, sinceBegin);
  const isOver = () => isStopped() || sinceBegin() >= plan.duration;
  let n = 0;
  const count = (times: number) => {
    n += times;
    return n - times;
  };
  const worker = async (atMs: number): Promise<void> => {
    while (!isOver() && sinceBegin() < atMs) await pause(Math.min(200, atMs - sinceBegin()));
    while (!isOver()) {
      await wait();
      if (isOver()) return;
      const scenario = next();
      const first = count(scenario.batch ?? 1);
      const answers = await send(job, scenario, first);
      if (answers.some(isRefusedForLoad)) await pause(REFUSED_PAUSE_MS);
    }
  };
  await Promise.all(startsOf(plan.stages).map(worker));
}

/** Returns when each worker starts, in milliseconds since the beginning. */
export function startsOf(stages: LoadPlan["stages"]): number[] {
  let have = 0;
  return stages.flatMap(({ atMs, concurrency }) => {
    const more = Math.max(0, concurrency - have);
    have += more;
    return Array.from({ length: more }, () => atMs);
  });
}

/** Limits requests to `perSecond`. Each call reserves the next free time slot and waits for it. */
function requestPacer(perSecond: number | null, now: () => number): () => Promise<void> {
  if (perSecond === null) return async () => {};
  let free = 0;
  return async () => {
    const slot = Math.max(free, now());
    free = slot + 1_000 / perSecond;
    if (slot > now()) await pause(slot - now());
  };
}

async function send(job: LoadRun, scenario: LoadScenario, first: number): Promise<readonly Answer[]> {
  const { plan, load, tally } = job;
  const one = (n: number) => bodyFor(scenario, plan.draw, { n, load });
  const { batch, copies } = scenario;
  const [path, body] =
    batch === null
      ? ["/v1/actions", one(first)]
      : ["/v1/actions/batch", { actions: Array.from({ length: batch }, (_, at) => one(first + at)) }];
  const sent = await Promise.all(Array.from({ length: copies }, () => request(job, scenario, path, body)));
  const answers = sent.flat();
  for (const what of findUnexpected(scenario, answers)) add(tally.scenario(scenario.name).surprises, what);
  return answers;
}

async function request(job: LoadRun, scenario: LoadScenario, path: string, body: unknown): Promise<readonly Answer[]> {
  const { ask, tally, follower, sinceBegin } = job;
  const sentAt = sinceBegin();
  const said = await ask("POST", path, body);
  const answers = readAnswers(said);
  const counted = tally.scenario(scenario.name);
  const acceptedAt = sinceBegin();
  const second = tally.second(acceptedAt);
  counted.requests += 1;
  second.requests += 1;
  counted.dispatchMs.push(said.ms);
  second.times.push(said.ms);
  for (const answer of answers) {
    if (answer.status >= 300 || answer.status === 0) add(counted.answers, describeAnswer(answer));
    if (isRefusedForLoad(answer)) add(second.refused, describeAnswer(answer));
    if (answer.repeated) counted.repeated += 1;
    if (answer.id === null || answer.repeated) continue;
    counted.accepted += 1;
    // An action with a delay of its own says nothing about throughput.
    if (scenario.dispatch.delay === undefined) second.dispatched += 1;
    follower.offer({ scenario, id: answer.id, sentAt, acceptedAt });
  }
  return answers;
}
