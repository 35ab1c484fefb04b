// Two ways to do no more than so many things at once.

/** Runs what it is given as slots get free, in the order it was given. */
export function limited(slots: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = slots;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

export async function mapLimited<T>(items: readonly T[], most: number, work: (item: T) => Promise<void>): Promise<void> {
  const slot = limited(most);
  await Promise.all(items.map((item) => slot(() => work(item))));
}
