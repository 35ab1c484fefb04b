// Drives what a template renders by. Liquid's renderers are generators that wait for each other; whoever drives them with a
// stack of its own can stop between any two of their steps.
import { toValueSync } from "liquidjs";
import { isPauseDue, part, pause, type Work } from "../computing/work.ts";

type Renderer = IterableIterator<unknown, unknown, unknown> & { throw: (cause: unknown) => IteratorResult<unknown> };
/** `paid`: what it has used of the work's budget before it was suspended. */
type Suspended = { readonly stack: Renderer[]; readonly answer: Answer; readonly paid: number };
/** What the renderer on top waits for. */
type Answer = { readonly kind: "next" | "throw"; readonly value: unknown };

/** To its end, as `toValueSync` of Liquid does. Where the work may be paused, it goes on after the pause where it was. */
export function driveTemplate(work: Work, begin: () => IterableIterator<unknown>): unknown {
  const { pauses } = work;
  if (pauses === null) return toValueSync(begin());
  return part(work, (log) => {
    const suspended = (log.suspended ?? { stack: [begin()], answer: BEGINNING, paid: 0 }) as Suspended; // only set below
    const [before, units, kept] = [work.used, pauses.units, pauses.kept];
    work.used += suspended.paid;
    work.left -= suspended.paid;
    return driven(suspended, (stack, answer) => {
      pauses.kept = kept + pauses.units - units;
      if (!isPauseDue(pauses)) return;
      log.suspended = { stack, answer, paid: work.used - before } satisfies Suspended;
      pause(pauses);
    });
  });
}

const BEGINNING: Answer = { kind: "next", value: undefined };

function driven({ stack, answer: first }: Suspended, between: (stack: Renderer[], answer: Answer) => void): unknown {
  let answer = first;
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    answer = stepped(stack, top, answer);
    if (stack.length > 0) between(stack, answer);
  }
  if (answer.kind === "throw") throw answer.value;
  return answer.value;
}

/** One step of the renderer on top; what it yields is done before it goes on. */
function stepped(stack: Renderer[], top: Renderer, answer: Answer): Answer {
  try {
    const { done, value } = answer.kind === "next" ? top.next(answer.value) : top.throw(answer.value);
    if (done === true) stack.pop();
    if (!isRenderer(value)) return { kind: "next", value };
    stack.push(value);
    return BEGINNING;
  } catch (thrown) {
    stack.pop();
    return { kind: "throw", value: thrown };
  }
}

function isRenderer(value: unknown): value is Renderer {
  return typeof value === "object" && value !== null && "next" in value && "throw" in value && "return" in value;
}
