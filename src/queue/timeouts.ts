// Timeouts: limits the duration of a call, with the platform's timers or with a simulator's.

/** Calls `work` after this time. Returns a function that cancels the call. */
export type Later = (ms: number, work: () => void) => () => void;

export const later: Later = (ms, work) => {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
};

export function pause(laterOf: Later, ms: number): Promise<void> {
  return new Promise((resolve) => void laterOf(ms, resolve));
}

/** Rejects when the time is over. A later result of the work is ignored. */
export async function withTimeout<T>(laterOf: Later, ms: number, work: Promise<T>): Promise<T> {
  let callOff = (): void => {};
  const over = new Promise<never>((_, reject) => {
    callOff = laterOf(ms, () => reject(new Error(`there was no answer within ${ms} ms`)));
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    callOff();
  }
}
