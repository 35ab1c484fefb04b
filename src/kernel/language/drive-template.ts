// The driver of template rendering. Liquid's renderers are nested generators, and driving them with an explicit stack
// allows a pause between any two steps.
import { toValueSync } from "liquidjs";
import { isPauseDue, part, pause, type Work } from "../computing/work.ts";

type Renderer = IterableIterator<unknown, unknown, unknown> & { throw: (cause: unknown) => IteratorResult<unknown> };
/** Rendering that was suspended by a pause. `paid`: budget used before the suspension. */
type Suspended = { readonly stack: Renderer[]; readonly answer: Answer; readonly paid: number };
/** The value that the topmost renderer waits for. */
type Answer = { readonly kind: "next" | "throw"; readonly value: unknown };

/** Renders to the end, as Liquid's `toValueSync` does. After a pause it continues where it stopped. */
export function driveTemplate(work: Work, begin: () => IterableIterator<unknown>): unknown {
  const { pauses } = work;
  if (pauses === null) return toValueSync(begin());
  return part(work, (log) => {
    const suspended = (log.suspended ?? { stack: [begin()], answer: BEGINNING, paid: 0 }) as Suspended; // only this file sets it
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

/** One step of the topmost renderer. A generator that it yields runs first. */
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
