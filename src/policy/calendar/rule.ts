// A stored rule as the calendar takes it: the expression parsed, once for as long as somebody holds it.
import { assert } from "#kernel/assert.ts";
import { parseCron } from "#kernel/calendar/cron.ts";
import type { Rule } from "#kernel/calendar/occurrences.ts";
import type { RecurringRule } from "#schema/recurring/spec.ts";

const parsed = new WeakMap<RecurringRule, Rule>();

/** Throws where the calendar of today does not take what one of earlier took: whoever steps says so in its status. */
export function ruleOf(written: RecurringRule): Rule {
  const known = parsed.get(written);
  if (known !== undefined) return known;
  const read = parseCron(written.cron);
  assert(read.ok, `"${written.cron}" was checked to be a cron expression before it was stored.`);
  const rule = { ...written, cron: read.cron };
  parsed.set(written, rule);
  return rule;
}
