// Admission permits: limit how many objects the local runtime opens, because each open object holds files of one
// process. An object that was called recently is still open; a call to any other object needs a permit. The host grants
// permits in groups. A call without a permit waits, and is refused after WAIT_MS_MAX.

export type GateDeps = {
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** Returns a random number in [0, 1), which spreads the retries of waiting calls. */
  readonly chance: () => number;
  /**
   * Asks the host how many more objects may be opened. `pending` counts those that hold a permit and may not be open
   * yet.
   */
  readonly requestPermits: (pending: number) => Promise<number>;
};

/** The caller calls this when the object has answered or failed. */
export type Pass = () => void;
/** Returns null if the object is open already, or a pass. A promise means that the call must wait for a permit. */
export type Gate = (name: string) => Pass | null | Promise<Pass | "refused" | null>;

/** How long a called object counts as open. The runtime evicts it after ten seconds without a call. */
const AWAKE_MS = 4_000;
/** Objects that may be opening at once. With more, calls to open objects would make no progress. */
export const OPENING_MAX = 96;
/** Below this number of permits the next call that takes one fetches more, so that later calls need not wait. */
const LOW_PERMITS = 64;
/** Permits and requests expire, because their caller may be canceled before there is an answer. */
const OPENING_MS_MAX = 60_000;
const ASKED_MS_MAX = 10_000;
/** How long to wait before asking the host again after it granted no permit. */
const ASK_AGAIN_MS = 100;
const [POLL_MS_MIN, POLL_MS_MAX] = [10, 400];
/**
 * Waiting calls are refused after this. A slow machine opens five thousand objects within it, and clients usually wait
 * longer.
 */
export const WAIT_MS_MAX = 30_000;

export function openGate(deps: GateDeps): Gate {
  const recentlyCalled = recentNames(deps.now());
  const opening = new Map<Pass, number>();
  let permits = 0;
  let askedUntil = 0;
  let requestCount = 0;

  const takePermit = (name: string): Pass | null => {
    const now = deps.now();
    const [oldest] = opening;
    if (oldest !== undefined && oldest[1] < now - OPENING_MS_MAX) opening.delete(oldest[0]);
    if (permits < 1 || opening.size >= OPENING_MAX) return null;
    permits -= 1;
    recentlyCalled.add(name);
    const pass = (): void => void opening.delete(pass);
    opening.set(pass, now);
    return pass;
  };
  const fetchMore = async (): Promise<void> => {
    askedUntil = deps.now() + ASKED_MS_MAX;
    const requestNumber = (requestCount += 1);
    // A host that cannot answer is probably out of files, so no permit is assumed.
    const more = await deps.requestPermits(permits + opening.size).catch(() => 0);
    // Only the latest answer counts: it includes the permits of earlier answers.
    if (requestNumber !== requestCount) return;
    permits += more;
    askedUntil = more > 0 ? 0 : deps.now() + ASK_AGAIN_MS;
  };
  const waitFor = async (name: string): Promise<Pass | "refused" | null> => {
    const until = deps.now() + WAIT_MS_MAX;
    for (let pollMs = POLL_MS_MIN; ; pollMs = Math.min(2 * pollMs, POLL_MS_MAX)) {
      if (permits < 1 && deps.now() >= askedUntil) await fetchMore();
      if (recentlyCalled.has(name, deps.now())) return null;
      const pass = takePermit(name);
      if (pass !== null) return pass;
      if (deps.now() >= until) return "refused";
      await deps.wait(pollMs * (0.5 + deps.chance()));
    }
  };

  return (name) => {
    if (recentlyCalled.has(name, deps.now())) return null;
    const pass = takePermit(name);
    if (pass === null) return waitFor(name);
    return permits < LOW_PERMITS && deps.now() >= askedUntil ? fetchMore().then(() => pass) : pass;
  };
}

/** Remembers names for one to two periods of AWAKE_MS. Checking a name counts as a call. */
function recentNames(since: number) {
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
