// When something is due. Calendar parts move in the zone's local time, time parts exactly; the clock comes in as `now`.
import { CRONS_CACHED_MAX } from "#schema/limits/kernel.ts";
import { Cron } from "croner";
import { Temporal } from "temporal-polyfill";
import type { Json, JsonObject } from "#schema/json.ts";
import type { Delay, NamedDelay } from "#schema/definition/timing.ts";
import { instant, isDurationText, parseDuration } from "./instant.ts";
import { evaluate } from "./logic.ts";
import { didYouMean } from "#schema/suggest.ts";

export { durationMs, instant } from "./instant.ts";

export type Delays = { readonly [name: string]: NamedDelay };

export type Moment = {
  readonly now: number;
  readonly timezone: string;
  readonly delays: Delays;
  /** What an anchor's rule sees. */
  readonly scope: JsonObject;
};

export type ResolvedDelay =
  /** `at` null: hangs on a variable that is not there yet. `skip`: past, and the delay says not to run then. */
  | { readonly ok: true; readonly at: number | null; readonly skip: boolean }
  | { readonly ok: false; readonly message: string };

export function resolveDelay(delay: Delay, moment: Moment): ResolvedDelay {
  const written = lookUp(delay, moment.delays);
  if (written === undefined) return unknownDelay(String(delay), moment.delays);
  const timezone = written.timezone ?? moment.timezone;
  const anchor = anchorOf(written, timezone, moment);
  if (!anchor.ok || anchor.at === null) return anchor;
  const at = shift(anchor.at, written, timezone);
  if (at === null) return { ok: false, message: `${JSON.stringify(delay)} leads to no date in ${timezone}` };
  if (at >= moment.now) return { ok: true, at, skip: false };
  return written.ifPast === "skip" ? { ok: true, at, skip: true } : { ok: true, at: moment.now, skip: false };
}

/** True for a delay that a change of variables may move. */
export function dependsOnVariables(delay: Delay, delays: Delays): boolean {
  return lookUp(delay, delays)?.anchor !== undefined;
}

/** Every way of writing a delay is a named delay without its name; undefined for a name nobody defined. */
function lookUp(delay: Delay, delays: Delays): NamedDelay | undefined {
  if (typeof delay === "object") return delay;
  if (typeof delay === "number") return { offset: delay };
  if (/^\d+$/.test(delay)) return { offset: Number(delay) };
  if (isDurationText(delay)) return { offset: delay };
  return Object.hasOwn(delays, delay) ? delays[delay] : undefined;
}

function unknownDelay(name: string, delays: Delays): ResolvedDelay {
  const meant = didYouMean(name, Object.keys(delays));
  const hint = meant === null ? "" : `; did you mean "${meant}"?`;
  return { ok: false, message: `"${name}" is neither milliseconds, an ISO 8601 duration nor a named delay${hint}` };
}

function anchorOf(written: NamedDelay, timezone: string, moment: Moment): ResolvedDelay {
  if (written.anchor === undefined) return { ok: true, at: moment.now, skip: false };
  const anchor = evaluate(written.anchor, moment.scope);
  if (!anchor.ok)
    return { ok: false, message: `the anchor ${JSON.stringify(written.anchor)} fails: ${anchor.message}` };
  if (anchor.value === null) return { ok: true, at: null, skip: false };
  const at = instant(anchor.value, timezone);
  if (at === null) return noMoment(written.anchor, anchor.value);
  return { ok: true, at, skip: false };
}

function noMoment(anchor: Json, value: Json): ResolvedDelay {
  const shown = JSON.stringify(value).slice(0, 100);
  const wanted = "not an ISO date, a date-time or epoch milliseconds";
  return { ok: false, message: `the anchor ${JSON.stringify(anchor)} gives ${shown}: ${wanted}` };
}

/** Anchor plus offset, then the time of day on the date that gives; null beyond the calendar's ends. */
function shift(anchor: number, written: NamedDelay, timezone: string): number | null {
  const offset = typeof written.offset === "string" ? parseDuration(written.offset) : millis(written.offset ?? 0);
  if (offset === null) return null;
  const disambiguation = written.disambiguation ?? "compatible";
  try {
    const start = Temporal.Instant.fromEpochMilliseconds(anchor).toZonedDateTimeISO(timezone);
    const moved = addCalendar(start, offset, disambiguation).add(timeParts(offset));
    if (written.at === undefined) return moved.epochMilliseconds;
    return moved.toPlainDateTime().withPlainTime(written.at).toZonedDateTime(timezone, { disambiguation })
      .epochMilliseconds;
  } catch {
    return null;
  }
}

function millis(milliseconds: number): Temporal.Duration {
  return Temporal.Duration.from({ milliseconds });
}

type Disambiguation = NonNullable<NamedDelay["disambiguation"]>;

function addCalendar(start: Temporal.ZonedDateTime, offset: Temporal.Duration, disambiguation: Disambiguation) {
  const { years, months, weeks, days } = offset;
  // Without calendar parts the instant stays as it is: in a fold its local time alone would not say which one.
  if (years === 0 && months === 0 && weeks === 0 && days === 0) return start;
  const local = start.toPlainDateTime().add({ years, months, weeks, days });
  return local.toZonedDateTime(start.timeZoneId, { disambiguation });
}

function timeParts({ hours, minutes, seconds, milliseconds }: Temporal.Duration) {
  return { hours, minutes, seconds, milliseconds };
}

/** The first occurrence strictly after the instant `after`; null when there is none. */
export function nextCron(expression: string, timezone: string, after: number): number | null {
  return compileCron(expression, timezone).nextRun(new Date(after))?.getTime() ?? null;
}

/** What is wrong with a cron expression, as a sentence; null when it is sound. */
export function cronError(expression: string, timezone: string): string | null {
  if (expression.includes(":")) return "a cron expression has five or six fields; a single date is a delay";
  try {
    return nextCron(expression, timezone, 0) === null ? "this cron expression never comes due" : null;
  } catch (error) {
    return String(error).replace(/^\w+: (Cron\w+: )?/, "");
  }
}

const compiledCrons = new Map<string, Cron>();

/** Compiled expressions are kept: the parser fills a table of ten thousand years each time. */
function compileCron(expression: string, timezone: string): Cron {
  const key = `${timezone} ${expression}`;
  const known = compiledCrons.get(key);
  if (known !== undefined) return known;
  if (compiledCrons.size >= CRONS_CACHED_MAX) compiledCrons.clear();
  // No callback: nothing is scheduled, the object only computes.
  const cron = new Cron(expression, { timezone, mode: "5-or-6-parts", paused: true });
  compiledCrons.set(key, cron);
  return cron;
}
