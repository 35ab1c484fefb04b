// The driver of template rendering. Liquid's renderers are nested generators. The driver keeps them in a stack, so that
// it can pause between any two of their steps.
import { toValueSync } from "liquidjs";
import { isPauseDue, runPart, pause, type Work } from "../computing/work.ts";

type Renderer = IterableIterator<unknown, unknown, unknown> & { throw: (cause: unknown) => IteratorResult<unknown> };
/** A rendering that a pause has suspended. `paid`: the cost units that the rendering had used before the pause. */
type SuspendedRendering = { readonly stack: Renderer[]; readonly answer: RendererInput; readonly paid: number };
/** The value or exception that the topmost renderer receives next. */
type RendererInput = { readonly kind: "next" | "throw"; readonly value: unknown };

/**
 * Renders to the end, as Liquid's `toValueSync` does. After a pause, the rendering continues where it was suspended.
 */
export function driveTemplate(work: Work, begin: () => IterableIterator<unknown>): unknown {
  const { pauses } = work;
  if (pauses === null) return toValueSync(begin());
  return runPart(work, (log) => {
    const suspended = (log.suspended ?? { stack: [begin()], answer: FIRST_INPUT, paid: 0 }) as SuspendedRendering; // Only this file writes `suspended` in the log of this part, so the type is known.
    const [before, units, kept] = [work.used, pauses.units, pauses.kept];
    work.used += suspended.paid;
    work.left -= suspended.paid;
    return driveStack(suspended, (stack, answer) => {
      pauses.kept = kept + pauses.units - units;
      if (!isPauseDue(pauses)) return;
      log.suspended = { stack, answer, paid: work.used - before } satisfies SuspendedRendering;
      pause(pauses);
    });
  });
}

const FIRST_INPUT: RendererInput = { kind: "next", value: undefined };

function driveStack(
  { stack, answer: first }: SuspendedRendering,
  between: (stack: Renderer[], answer: RendererInput) => void,
): unknown {
  let answer = first;
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    answer = stepRenderer(stack, top, answer);
    if (stack.length > 0) between(stack, answer);
  }
  if (answer.kind === "throw") throw answer.value;
  return answer.value;
}

/**
 * Runs one step of the topmost renderer. If the step yields another generator, that generator becomes the topmost one.
 */
function stepRenderer(stack: Renderer[], top: Renderer, answer: RendererInput): RendererInput {
  try {
    const { done, value } = answer.kind === "next" ? top.next(answer.value) : top.throw(answer.value);
    if (done === true) stack.pop();
    if (!isRenderer(value)) return { kind: "next", value };
    stack.push(value);
    return FIRST_INPUT;
  } catch (thrown) {
    stack.pop();
    return { kind: "throw", value: thrown };
  }
}

function isRenderer(value: unknown): value is Renderer {
  return typeof value === "object" && value !== null && "next" in value && "throw" in value && "return" in value;
}
