// So many at once and no more. Whoever has taken places gives each of them back.

export type Semaphore = {
  /** Waits until one is free, and takes it and as many others as are free, up to `most`. */
  readonly take: (most: number) => Promise<number>;
  readonly give: (count: number) => void;
  readonly free: () => number;
};

export function openSemaphore(places: number): Semaphore {
  let free = places;
  let waiting: (() => void)[] = [];
  const take = async (most: number): Promise<number> => {
    if (free === 0) {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return take(most);
    }
    const taken = Math.min(free, most);
    free -= taken;
    return taken;
  };
  return {
    take,
    give: (count) => {
      free += count;
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
    free: () => free,
  };
}
