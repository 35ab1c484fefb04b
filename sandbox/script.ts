// Scripts: the format of a path's scripted answers, and the choice of the step that answers a request. Pure.
import { z } from "zod";
import { isPattern, matches } from "./pattern.ts";

/** A string is sent unchanged. Any other body is sent as its JSON text. */
const body = z.json().transform((value) => (typeof value === "string" ? value : JSON.stringify(value)));

const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, "This is not a valid header name.");
const headerValue = z.string().regex(/^[\t -~]*$/, "A header value must consist of printable ASCII characters.");

/** Statuses whose response must not have a body. */
export const statusesWithoutBody = [204, 205, 304];

const stepSchema = z
  .strictObject({
    status: z.int().min(200).max(599).exactOptional(),
    delayMs: z.int().min(0).max(600_000).exactOptional(),
    body: body.exactOptional(),
    headers: z.record(headerName, headerValue).exactOptional(),
    drop: z.literal(true).exactOptional(),
  })
  .refine((step) => step.body === undefined || !statusesWithoutBody.includes(step.status ?? 200), {
    path: ["body"],
    message: "A response with this status cannot have a body.",
  })
  .refine((step) => !step.drop || !statusesWithoutBody.includes(step.status ?? 200), {
    path: ["drop"],
    message: 'A response with this status has no body, so "drop" cannot cut it off.',
  });

export const scriptSchema = z.strictObject({
  path: z.string().refine(isPattern, "This path cannot be scripted."),
  steps: z.array(stepSchema).max(1000).default([]),
  then: stepSchema.exactOptional(),
  everyNth: z.strictObject({ n: z.int().min(1), step: stepSchema }).exactOptional(),
  ratio: z.strictObject({ share: z.number().min(0).max(1), step: stepSchema }).exactOptional(),
});

export const scriptHints = {
  path: 'A path without a query, such as "/sink/a", or "/sink/a/*" for all paths below it. /quick and /_control cannot be scripted.',
  steps: "A list of steps. The first step answers the first attempt, the second step the second attempt, and so on.",
  then: "The step that answers all attempts after the list. Without this step, these attempts succeed.",
  everyNth: "{ n, step }: the step answers every nth request that matches the script.",
  n: "A whole number that is at least 1.",
  ratio: "{ share, step }: the step answers this share of the requests.",
  share: "A number from 0 to 1.",
  step: "{ status?, delayMs?, body?, headers?, drop? }",
  status: "A whole number from 200 to 599.",
  delayMs: "Whole milliseconds from 0 to 600000.",
  body: "A string or any JSON value. Not allowed with the status 204, 205 or 304.",
  headers: 'An object of strings, such as { "Retry-After": "1" }.',
  drop: "Write true, or omit the field. Not allowed with the status 204, 205 or 304.",
};

export type Step = z.infer<typeof stepSchema>;
export type Script = z.infer<typeof scriptSchema>;

export interface Arrival {
  /** The seed of the pseudo-random draw: the idempotency key, or the path if there is no key. */
  readonly seed: string;
  readonly attempt: number;
  /** How many requests have matched the script, including this request. */
  readonly nth: number;
}

/** Returns null if no step applies. The provider then answers with its own success. */
export function chooseStep(script: Script | null, arrival: Arrival): Step | null {
  if (!script) return null;
  const { everyNth, ratio } = script;
  if (everyNth && arrival.nth % everyNth.n === 0) return everyNth.step;
  if (ratio && drawFor(`${arrival.seed}:${arrival.attempt}`) < ratio.share) return ratio.step;
  return script.steps[arrival.attempt - 1] ?? script.then ?? null;
}

/**
 * Returns the script with exactly this path, or else the script with the longest matching prefix. Returns null if no
 * script matches.
 */
export function scriptFor(scripts: readonly Script[], path: string): Script | null {
  const rank = (script: Script) => (script.path === path ? Infinity : script.path.length);
  const matching = scripts.filter((script) => matches(script.path, path));
  return matching.toSorted((one, other) => rank(other) - rank(one))[0] ?? null;
}

/**
 * Returns a number from 0 (inclusive) to 1 (exclusive), always the same for the same text. The text is hashed with
 * FNV-1a. murmur3's finalizer then spreads the numbers of similar texts.
 */
export function drawFor(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
