// Who may go to an object now, where each that is awake holds files of one process: those asked lately are awake anyway,
// and every other one takes a permit. The host gives them, a handful at a time, by what is left of the process's limit.
// Where none is left one waits a while, and is then told to come again. Knows nothing of Workers.

export type GateDeps = {
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** A number in [0, 1): who waits together does not come again together. */
  readonly chance: () => number;
  /** How many more objects may be opened, beside `pending` that may be and perhaps are not yet. */
  readonly ask: (pending: number) => Promise<number>;
};

/** To be called when the object has answered, or has not. */
export type Pass = () => void;
/** null: the object is awake. */
export type Gate = (name: string) => Pass | null | Promise<Pass | "refused" | null>;

/** The runtime puts an object away after ten seconds without a call. */
const AWAKE_MS = 4_000;
/** Objects that are being opened at once: with more, what is open already makes no headway. */
export const OPENING_MAX = 96;
/** With so few left, whoever takes one of them fetches more: the others need not wait for that. */
const FEW = 64;
/** Whoever is opening an object, or has asked for permits, may be gone before there was an answer. */
const OPENING_MS_MAX = 60_000;
const ASKED_MS_MAX = 10_000;
/** How soon somebody asks again where there was no room. */
const FULL_MS = 100;
const [POLL_MS_MIN, POLL_MS_MAX] = [10, 400];
/** Then it is told to come again. Five thousand at once on a slow machine are through by then; clients wait longer as a rule. */
export const WAIT_MS_MAX = 30_000;

export function openGate(deps: GateDeps): Gate {
  const awake = lately(deps.now());
  const opening = new Map<Pass, number>();
  let permits = 0;
  let askedUntil = 0;
  let asks = 0;

  const take = (name: string): Pass | null => {
    const now = deps.now();
    const [oldest] = opening;
    if (oldest !== undefined && oldest[1] < now - OPENING_MS_MAX) opening.delete(oldest[0]);
    if (permits < 1 || opening.size >= OPENING_MAX) return null;
    permits -= 1;
    awake.add(name);
    const pass = (): void => void opening.delete(pass);
    opening.set(pass, now);
    return pass;
  };
  const fetchMore = async (): Promise<void> => {
    askedUntil = deps.now() + ASKED_MS_MAX;
    const mine = (asks += 1);
    // Who cannot be asked is out of files most likely: nobody is let in on a guess.
    const more = await deps.ask(permits + opening.size).catch(() => 0);
    // Of two answers at once the later one knew of the permits that there were, and neither of the other's.
    if (mine !== asks) return;
    permits += more;
    askedUntil = more > 0 ? 0 : deps.now() + FULL_MS;
  };
  const waitFor = async (name: string): Promise<Pass | "refused" | null> => {
    const until = deps.now() + WAIT_MS_MAX;
    for (let pollMs = POLL_MS_MIN; ; pollMs = Math.min(2 * pollMs, POLL_MS_MAX)) {
      if (permits < 1 && deps.now() >= askedUntil) await fetchMore();
      if (awake.has(name, deps.now())) return null;
      const pass = take(name);
      if (pass !== null) return pass;
      if (deps.now() >= until) return "refused";
      await deps.wait(pollMs * (0.5 + deps.chance()));
    }
  };

  return (name) => {
    if (awake.has(name, deps.now())) return null;
    const pass = take(name);
    if (pass === null) return waitFor(name);
    return permits < FEW && deps.now() >= askedUntil ? fetchMore().then(() => pass) : pass;
  };
}

/** Names that were called not long ago; a name that is asked for is called again. Forgets by the handful. */
function lately(since: number) {
  let turnedAt = since;
  let young = new Set<string>();
  let old = new Set<string>();
  const has = (name: string, now: number): boolean => {
    if (now - turnedAt >= AWAKE_MS) {
      old = now - turnedAt >= 2 * AWAKE_MS ? new Set() : young;
      young = new Set();
      turnedAt = now;
    }
    if (!young.has(name) && !old.has(name)) return false;
    young.add(name);
    return true;
  };
  return { has, add: (name: string) => void young.add(name) };
}
