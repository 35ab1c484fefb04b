// Timeouts: limits the duration of a call. The timers come from the platform, or from a simulator in tests.

/** Calls `work` after `ms` milliseconds. Returns a function that cancels the timer. */
export type Later = (ms: number, work: () => void) => () => void;

export const later: Later = (ms, work) => {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
};

export function pause(laterOf: Later, ms: number): Promise<void> {
  return new Promise((resolve) => void laterOf(ms, resolve));
}

/** Returns the result of `work`, or rejects after `ms` milliseconds. A result after the timeout is ignored. */
export async function withTimeout<T>(laterOf: Later, ms: number, work: Promise<T>): Promise<T> {
  let callOff = (): void => {};
  const over = new Promise<never>((_, reject) => {
    callOff = laterOf(ms, () => reject(new Error(`no answer arrived within ${ms} ms`)));
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    callOff();
  }
}
