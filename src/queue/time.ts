// A consumer's time: a platform's timers, or a simulator's. What is waited for may never answer, and never costs more
// than it was given.

/** Calls back after so long, unless it is called off. */
export type Later = (ms: number, work: () => void) => () => void;

export const later: Later = (ms, work) => {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
};

export function pause(laterOf: Later, ms: number): Promise<void> {
  return new Promise((resolve) => void laterOf(ms, resolve));
}

/** Rejects when the time is over; the work may then still come to something, and nobody hears of it. */
export async function within<T>(laterOf: Later, ms: number, work: Promise<T>): Promise<T> {
  let callOff = (): void => {};
  const over = new Promise<never>((_, reject) => {
    callOff = laterOf(ms, () => reject(new Error(`no answer within ${ms} ms`)));
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    callOff();
  }
}
