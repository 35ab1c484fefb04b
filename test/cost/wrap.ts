// Hears what a method answers, whoever calls it: the method is put in a wrapping, on the prototype, so that what was given out
// long ago is heard, too.

type Method = (this: unknown, ...args: unknown[]) => unknown;
/** Told what a method answered; `never` lets each listener say what its method answers. */
export type Seen = (answer: never, args: readonly unknown[]) => void;

/** Of whatever is made as this one is. */
export function wrap(one: object, method: string, seen: Seen): void {
  wrapOwn(Object.getPrototypeOf(one) as object, method, seen);
}

export function wrapOwn(prototype: object, method: string, seen: Seen): void {
  const real = Reflect.get(prototype, method) as Method;
  const counted: Method = function (...args) {
    const answer = real.apply(this, args);
    seen(answer as never, args);
    return answer;
  };
  Reflect.set(prototype, method, counted);
}

export function wrapAsync(one: object, method: string, seen: Seen): void {
  const prototype = Object.getPrototypeOf(one) as object;
  const real = Reflect.get(prototype, method) as Method;
  const counted: Method = async function (...args) {
    const answer = await real.apply(this, args);
    seen(answer as never, args);
    return answer;
  };
  Reflect.set(prototype, method, counted);
}
