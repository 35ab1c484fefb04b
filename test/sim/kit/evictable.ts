// An object that the platform evicts at any moment: it loses its memory, its callers get no answer, and the next call opens it anew.
// What it was made with goes on running, so each of its parts checks whether it is still alive.

/** Something that can die: what it was waiting for is then never answered. */
export type Life = { alive: boolean };

export type Evictable<Made> = {
  /** The object, opened if it is not in memory. */
  readonly awake: () => Made;
  readonly isAwake: () => boolean;
  readonly evict: (why: string) => void;
  /** What the object answers, or a rejection where it is evicted before. */
  readonly call: <T>(work: (made: Made) => Promise<T>) => Promise<T>;
};

/** How a call ends whose object is evicted. */
export class Evicted extends Error {}

/** Never answered: an answer that comes from an evicted object, or goes to one. */
export const never: Promise<never> = new Promise(() => {});

type Instance<Made> = {
  readonly made: Made;
  readonly life: Life;
  readonly gone: Promise<never>;
  readonly end: (why: string) => void;
};

export function openEvictable<Made>(open: (life: Life) => Made): Evictable<Made> {
  let instance: Instance<Made> | null = null;
  const awake = (): Instance<Made> => (instance ??= opened(open));
  return {
    awake: () => awake().made,
    isAwake: () => instance !== null,
    evict: (why) => {
      const ended = instance;
      instance = null;
      if (ended === null) return;
      ended.life.alive = false;
      ended.end(why);
    },
    call: (work) => {
      const { made, gone } = awake();
      return Promise.race([work(made), gone]);
    },
  };
}

function opened<Made>(open: (life: Life) => Made): Instance<Made> {
  const { promise: gone, reject } = Promise.withResolvers<never>();
  // Where no call waits for it, its end is no failure.
  gone.catch(() => {});
  const life = { alive: true };
  return { made: open(life), life, gone, end: (why) => reject(new Evicted(`the object was reset: ${why}`)) };
}
