// The pending limits of a run that follow from its definition: its window, its subject's cap, and the account that it
// uses. How many slots of a cap are used, and a connection's limits, are stored outside the execution and added later.
import type { ProgramAction } from "#schema/definition/action.ts";
import type { Account, RunPreconditions, PendingLimit } from "#schema/explanation/pending-limits.ts";
import type { Run } from "#schema/engine/run.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import type { Step } from "../execution/current-step.ts";
import { windowEffectAt } from "../execution/due/holds.ts";
import { subjectOfCap } from "../execution/subject/subject.ts";
import { shortValue } from "../language/rule-parts.ts";
import { limitsFor, nameOfLimit } from "../execution/limits/key-limits.ts";

type PassedLimit = "nothing" | "window" | "limit" | "cap";

/**
 * The limits that the run has not passed yet, in the order in which they are checked. `past`: the limit that holds the
 * run now; only later limits are listed.
 */
export function pendingLimits(step: Step, run: Run, past: PassedLimit = "nothing"): RunPreconditions {
  const action = step.program.actions.get(run.action);
  if (action === undefined || run.status === "running") return { meets: [] };
  const account = accountOf(run, action);
  const window = past === "nothing" ? pendingWindow(step, run, action) : [];
  const keys = past === "limit" || past === "cap" ? [] : pendingKeyLimits(step, run, action);
  const cap = past === "cap" ? [] : pendingCap(step, run, action);
  return { meets: [...window, ...keys, ...cap], ...(account === null ? {} : { account }) };
}

function pendingWindow(step: Step, run: Run, action: ProgramAction): readonly PendingLimit[] {
  const met = windowWhenDue(step, run, action);
  // A window is plain JSON.
  return met === null ? [] : [{ limit: "window", window: shortValue(action.window as unknown as Json), ...met }];
}

/**
 * The window's effect at the instant at which the run is due. null if the explanation's budget is exhausted. The window
 * is then not listed.
 */
function windowWhenDue(step: Step, run: Run, action: ProgramAction): ReturnType<typeof windowEffectAt> {
  try {
    return windowEffectAt(step, run, action, Math.max(run.dueAt ?? step.now, step.now));
  } catch {
    return null;
  }
}

/** The limits by key. The keys are null if one of their rules cannot be evaluated now. */
function pendingKeyLimits(step: Step, run: Run, action: ProgramAction): readonly PendingLimit[] {
  const { limit: written = [] } = action;
  const found = limitsFor(step, run, action);
  const keys = found.ok && found.limits !== null ? found.limits : [];
  return written.map((limit, position) => {
    const { name: _name, key: _key, ...terms } = limit;
    const name = nameOfLimit(step.program.definition.name, action.actionId, limit, position);
    return { limit: "key", name, key: keys[position]?.key ?? null, ...terms };
  });
}

/** The cap towards which the run counts. Empty for a retry, because the subject may have kept a slot for the run. */
function pendingCap(step: Step, run: Run, { cap }: ProgramAction): readonly PendingLimit[] {
  if (cap === undefined || run.attempts.length > 0) return [];
  const { name, max, per = null, over = "wait" } = cap;
  const subject = subjectOfCap(step, run, cap);
  return [{ limit: "cap", cap: name, subject: subject.ok ? subject.key : null, max, per, over }];
}

/** The fields of a config that select an account. A config has one of them. */
const ACCOUNT_FIELDS = ["service", "connection", "provider"] as const;

/** The account that the run uses; null if it is not known, because a template that is not rendered yet selects it. */
function accountOf({ type, config }: Run, action: ProgramAction): Account | null {
  const said: JsonObject = config ?? action.config;
  const named = ACCOUNT_FIELDS.flatMap((field) =>
    typeof said[field] === "string" ? [[field, said[field]] as const] : [],
  );
  if (config === null && named.some(([, text]) => /\{\{|\{%/.test(text))) return null;
  return { type, config: Object.fromEntries(named) };
}
