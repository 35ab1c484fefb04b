// Parses the `keep` setting of a published event: for how many milliseconds the event waits for a matching execution.
import { isFixedLength } from "#kernel/language/instant.ts";
import { durationMs } from "#kernel/language/timing.ts";
import { defaults } from "#schema/defaults.ts";
import type { EventWait } from "#schema/directory/event-wait.ts";
import { WAITING_EVENT_MS_MAX } from "#schema/limits/published-events.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";

/**
 * Returns for how long an event without a matching execution is kept, in ms; 0 if it is not kept. `pointer`: the JSON
 * pointer of the setting.
 */
export function parseKeepMs(written: EventWait | undefined, pointer = "/keep"): Result<number> {
  if (written === false) return accept(0);
  const keep = written ?? defaults.keepPosted;
  const ms = typeof keep === "number" || isFixedLength(keep) ? durationMs(keep) : Number.NaN;
  if (ms >= 1_000 && ms <= WAITING_EVENT_MS_MAX) return accept(ms);
  const message = '"keep" must be false, or a duration from one second to seven days without years and months';
  const hint = 'Write a duration such as "PT1H", or false.';
  const errors = [{ pointer, code: "out_of_range", message, hint }];
  return refuse({ code: "invalid_input", message: `keep: ${message}.`, hint, errors });
}
