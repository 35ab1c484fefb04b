// Misbehaving Worker: its methods are slow, throw, or return what is not JSON. test/runners/worker/ calls them through
// the worker runner.
import { RpcTarget, WorkerEntrypoint } from "cloudflare:workers";

class Counter extends RpcTarget {
  next(): number {
    return 1;
  }
}
class Point {
  readonly x = 1;
}
type Self = { readonly recurse: (input: number) => Promise<number> };

export default class Misbehaving extends WorkerEntrypoint<{ readonly MISBEHAVING: Self }> {
  readonly field = 1;

  echo(input: unknown, call: object): object {
    return { input, call };
  }

  async slow(): Promise<string> {
    await scheduler.wait(400);
    return "late";
  }

  fails(): never {
    throw new TypeError("x is null; Authorization: Bearer abcdef123456");
  }

  refuses(): never {
    throw Object.assign(new Error("declined"), { code: "card_declined", retryable: false });
  }

  isBusy(): never {
    throw Object.assign(new Error("come again"), { retryable: true });
  }

  nothing(): void {}

  date(): object {
    return { at: new Date(0) };
  }

  stub(): object {
    return new Counter();
  }

  stubWithin(): object {
    return { list: [{ counter: new Counter() }] };
  }

  function(): () => number {
    return () => 1;
  }

  stream(): ReadableStream {
    return new Response("x").body ?? new ReadableStream();
  }

  instance(): object {
    return new Point();
  }

  kilobytes(): object {
    return { text: "x".repeat(50_000) };
  }

  megabytes(): string {
    return "x".repeat(5_000_000);
  }

  tooManyMegabytes(): string {
    return "x".repeat(40_000_000);
  }

  /** Calls itself through its own binding. The local runtime has no limit of its own, so the input ends it. */
  recurse(input: number): Promise<number> | number {
    return input === 0 ? 0 : this.env.MISBEHAVING.recurse(input - 1);
  }
}
