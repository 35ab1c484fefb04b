// An object that the platform evicts at any moment: it loses its memory, its callers get no response, and the next call
// opens it again. Its old parts continue to run, so each checks whether it is still alive.

/** A process or object that can end. Its pending calls are then never answered. */
export type Life = { alive: boolean };

export type Evictable<Made> = {
  /** The object, opened if it is not in memory. */
  readonly awake: () => Made;
  readonly isAwake: () => boolean;
  readonly evict: (why: string) => void;
  /** The object's response, or a rejection if it is evicted before. */
  readonly call: <T>(work: (made: Made) => Promise<T>) => Promise<T>;
};

/** The error of a call whose object is evicted. */
export class Evicted extends Error {}

/** Never resolves: the response of an evicted object, or to one. */
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
  // If no call waits for the rejection, it is no failure.
  gone.catch(() => {});
  const life = { alive: true };
  return { made: open(life), life, gone, end: (why) => reject(new Evicted(`the object was reset: ${why}`)) };
}
