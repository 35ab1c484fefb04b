// Follower: checks accepted actions until they end, a limited number at a time and rarely, because each check adds
// load. Durations come from the engine's timestamps, so rare checks are exact enough.
import type { LoadScenario } from "#schema/load.ts";
import { readActionState, type ActionState } from "./answers.ts";
import type { SendRequest } from "./http.ts";
import { add, type Tally } from "./tally.ts";

export type Accepted = {
  readonly scenario: LoadScenario;
  readonly id: string;
  readonly sentAt: number;
  readonly acceptedAt: number;
};
export type Follower = {
  readonly offer: (accepted: Accepted) => void;
  /** Waits until all followed actions have ended, at most `ms`. Returns how many have not. */
  readonly drain: (ms: number) => Promise<number>;
};
type Options = {
  readonly ask: SendRequest;
  readonly tally: Tally;
  readonly atOnce: number;
  readonly sinceBegin: () => number;
};

const FIRST_CHECK_MS = 1_000;
const CHECK_EVERY_MS_MAX = 5_000;

export function openFollower({ ask, tally, atOnce, sinceBegin }: Options): Follower {
  const now = { following: 0, isOver: false };
  const wakers = new Set<() => void>();
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(done, ms);
      function done() {
        clearTimeout(timer);
        wakers.delete(done);
        resolve();
      }
      wakers.add(done);
    });

  const follow = async (each: Accepted): Promise<void> => {
    for (let gap = FIRST_CHECK_MS; !now.isOver; gap = Math.min(gap * 1.5, CHECK_EVERY_MS_MAX)) {
      await pause(gap);
      const look = readActionState((await ask("GET", `/v1/actions/${each.id}`)).body);
      if (look === null) continue;
      const second = tally.second(sinceBegin());
      second.looks += 1;
      if (look.held !== null) add(second.held, look.held);
      if (look.isEnded) return count(tally, each, look);
    }
  };
  const offer = (accepted: Accepted): void => {
    const { name } = accepted.scenario;
    const second = tally.second(accepted.acceptedAt);
    add(second.accepted, name);
    if (now.following >= atOnce) return;
    now.following += 1;
    tally.scenario(name).followed += 1;
    add(second.followed, name);
    void follow(accepted).finally(() => (now.following -= 1));
  };
  const drain = async (ms: number): Promise<number> => {
    const until = sinceBegin() + ms;
    while (now.following > 0 && sinceBegin() < until) await pause(Math.min(100, until - sinceBegin()));
    const open = now.following;
    now.isOver = true;
    for (const wake of wakers) wake();
    return open;
  };
  return { offer, drain };
}

function count(tally: Tally, { scenario, sentAt, acceptedAt }: Accepted, look: ActionState): void {
  const counted = tally.scenario(scenario.name);
  add(counted.ends, look.status);
  for (const error of look.errors) add(counted.runErrors, error);
  if (!scenario.expect.ends.includes(look.status)) add(counted.surprises, `ended ${look.status}`);
  if (look.ms === null) return;
  counted.endMs.push(look.ms);
  const isDelayed = scenario.dispatch.delay !== undefined;
  tally.ended.push({ scenario: scenario.name, acceptedAt, endedAt: sentAt + look.ms, isDelayed });
}
