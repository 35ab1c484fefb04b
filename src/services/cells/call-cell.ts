// Calls to cells: retries a call after a move or a transient fault of the platform, groups calls by cell, and reads
// single answers.
import { CELL_CALLS_AT_ONCE, CELL_CALL_IDS_MAX } from "#schema/limits/pool-cells.ts";
import { refuse, type Result } from "#schema/refusal.ts";
import { isCatalogFailure } from "../catalog-failure.ts";
import type { Deps } from "../deps.ts";
import { cellName } from "./ids-and-cells.ts";

export type TransientFault = {
  readonly why: "overloaded" | "moving" | "reset" | "broken_off";
  /** The object's id in the platform's own log; absent if the platform gave none. */
  readonly reference?: string;
};

/** Classifies an exception as a transient fault of the platform. Returns null for a bug or an unknown exception. */
export function transientFault(error: unknown): TransientFault | null {
  if (!(error instanceof Error)) return null;
  const { message, overloaded, retryable, remote, durableObjectReset }: Thrown = error;
  if (overloaded === true) return { why: "overloaded" };
  if (retryable === true) return { why: "moving" };
  // The object's own code threw this exception, so it is a bug and no fault of the platform.
  if (remote === true) return null;
  const hidden = HIDDEN_CAUSE.exec(message);
  if (hidden) return { why: "broken_off", ...(hidden[1] === undefined ? {} : { reference: hidden[1] }) };
  return durableObjectReset === true && RESET_BY_PLATFORM.test(message) ? { why: "reset" } : null;
}

/**
 * An exception with the flags that the runtime sets when it cannot reach an object. Their values are checked, because a
 * bug could set others.
 */
type Thrown = Error & {
  readonly overloaded?: unknown;
  readonly retryable?: unknown;
  readonly remote?: unknown;
  readonly durableObjectReset?: unknown;
};

/**
 * The runtime's text for a cause that it hides, such as too many open files or storage that cannot be opened. The
 * engine itself never throws this text.
 */
const HIDDEN_CAUSE = /^internal error(?:$|; reference = (\w+))/;
/**
 * The beginnings of the platform's texts for a reset. If an exception in the object's constructor caused the reset, the
 * text is that of the exception.
 */
const RESET_BY_PLATFORM = /^(?:Durable Object|Internal error )/;

/**
 * Calls an object, and retries once after a transient fault. Every input has an id that its cell stores, so a repeat is
 * harmless. One retry is enough if the object was moved, reset or updated. An overloaded object is not retried.
 */
export async function callWithRetry<T>(call: () => Promise<T>, owner = "execution"): Promise<Result<T>> {
  try {
    return { ok: true, value: await call() };
  } catch (error) {
    const fault = transientFault(error);
    if (fault === null) throw error;
    return fault.why === "overloaded" ? unavailable(fault, owner) : retryOnce(call, owner);
  }
}

async function retryOnce<T>(call: () => Promise<T>, owner: string): Promise<Result<T>> {
  try {
    return { ok: true, value: await call() };
  } catch (error) {
    const fault = transientFault(error);
    if (fault === null) throw error;
    return unavailable(fault, owner);
  }
}

function unavailable(details: TransientFault, owner: string) {
  return refuse({
    code: "unavailable",
    message: `The ${owner}'s object ${faultTexts[details.why]}.`,
    hint: "Send the same request again with the same Idempotency-Key. The request is not executed twice.",
    details,
  });
}

const faultTexts: { readonly [why in TransientFault["why"]]: string } = {
  overloaded: "is overloaded now",
  moving: "is being moved or replaced",
  reset: "is being reset by the platform",
  broken_off: "cannot be reached, or the platform closed the connection during its answer",
};

export function singleAnswer<T>(answers: Result<readonly Result<T>[]>): Result<T> {
  if (!answers.ok) return answers;
  const [first] = answers.value;
  if (first === undefined) throw new Error("A cell returned no answer to a call with one item.");
  return first;
}

/**
 * Logs the exception of one item with the fields of `about`, and returns the item's refusal. The item may have been
 * applied, so the caller may send it again under its id.
 */
export function failedItem(
  { log }: Pick<Deps, "log">,
  about: { readonly [key: string]: string | number },
  fault: unknown,
): Extract<Result<never>, { ok: false }> {
  const stack = fault instanceof Error ? (fault.stack ?? null) : null;
  log({ level: "error", event: "item_failed", ...about, message: String(fault), stack });
  if (isCatalogFailure(fault)) return refuse(catalogUnavailable);
  return refuse(transientFault(fault) === null ? internalError : serviceUnreachable);
}

/**
 * Answers all items concurrently, and returns one answer for each in the same order. If an item throws, its answer is a
 * refusal. If it is the only item, the exception is rethrown.
 */
export async function answerEach<Item, Answer>(
  deps: Pick<Deps, "log">,
  items: readonly Item[],
  answer: (item: Item) => Promise<Result<Answer>>,
): Promise<readonly Result<Answer>[]> {
  return Promise.all(
    items.map(async (item, index) => {
      try {
        return await answer(item);
      } catch (fault) {
        if (items.length === 1) throw fault;
        return failedItem(deps, { item: index }, fault);
      }
    }),
  );
}

const catalogUnavailable = {
  code: "unavailable",
  message: "This item needs the catalog, which does not answer.",
  hint: "Send the same request again with the same Idempotency-Key. The request is not executed twice.",
} as const;

const serviceUnreachable = {
  code: "unavailable",
  message: "A service that this item needs cannot be reached. It is unknown whether the item was applied.",
  hint: "Send the same request again with the same Idempotency-Key. The request is not executed twice.",
} as const;

const internalError = {
  code: "internal_error",
  message: "An internal error occurred for this item. It is unknown whether the item was applied.",
  hint: "Send the same request again with the same Idempotency-Key. The request is not executed twice. The log line item_failed has the reason.",
} as const;

export type CellCall = { readonly cell: string; readonly tenant: string; readonly ids: readonly string[] };

export function byCell(
  executions: readonly { readonly tenant: string; readonly id: string }[],
  idsMax: number = CELL_CALL_IDS_MAX,
): readonly CellCall[] {
  const groups = new Map<string, { readonly tenant: string; readonly ids: Set<string> }>();
  for (const { tenant, id } of executions) {
    const cell = cellName(tenant, id);
    const group = groups.get(cell) ?? { tenant, ids: new Set() };
    group.ids.add(id);
    groups.set(cell, group);
  }
  return [...groups].flatMap(([cell, { tenant, ids }]) =>
    inChunks([...ids], idsMax).map((chunk) => ({ cell, tenant, ids: chunk })),
  );
}

/**
 * Calls the cells, a limited number of them at a time, and returns one answer for each. If a call throws, its answer is
 * the result of `failed`, and the other calls continue.
 */
export async function callCells<Answer>(
  calls: readonly CellCall[],
  call: (item: CellCall) => Promise<Answer>,
  failed: (item: CellCall, fault: unknown) => Answer,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const chunk of inChunks(calls, CELL_CALLS_AT_ONCE)) {
    answers.push(
      ...(await Promise.all(chunk.map((item) => call(item).catch((fault: unknown) => failed(item, fault))))),
    );
  }
  return answers;
}

function inChunks<One>(all: readonly One[], size: number): readonly (readonly One[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
}
