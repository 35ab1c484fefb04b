// Configuration planning: reads the stored resources that a document names, compares them with it, and checks the
// document. All findings are reported together, before anything is written.
import { inOrder, isWrite, planDeletion, planItem } from "#policy/configuration/plan.ts";
import { referencesOf, type Reference } from "#policy/configuration/references.ts";
import type { ConfigurationKind, PlanStep } from "#schema/configuration/document.ts";
import { firstFindings } from "#schema/findings.ts";
import { CONFIGURATION_AT_ONCE, CONFIGURATION_ITEMS_MAX } from "#schema/limits/upkeep/configuration.ts";
import { accept, refuse, type Finding, type Refusal, type Result } from "#schema/refusal.ts";
import { openComputing } from "../computing/compute.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { pendingDates } from "../calendars/calendars.ts";
import type { PendingTemplate } from "../templates/pin-templates.ts";
import { pendingTemplate } from "../templates/templates.ts";
import type { ConfigurationContext, ConfigurationNoun, DesiredItem, StoredItem } from "./configuration-noun.ts";
import { listAllNames, tooLarge } from "./export-configuration.ts";
import { configurationNouns, nounOf } from "./nouns.ts";

export type DesiredConfiguration = {
  readonly items: readonly DesiredItem[];
  /** The findings about items that could not be parsed. */
  readonly findings: readonly Finding[];
  /** The kinds that the document contains, even with an empty list. */
  readonly kinds: readonly ConfigurationKind[];
  /** True: resources of these kinds that the document does not contain are deleted. */
  readonly prune: boolean;
};
/** `item`: null for a deletion. `tag`: of the stored content that was compared; null if the resource does not exist. */
export type PlannedStep = { readonly step: PlanStep; readonly item: DesiredItem | null; readonly tag: string | null };
type Plan = { readonly context: ConfigurationContext; readonly steps: readonly PlannedStep[] };

export async function planConfiguration(
  deps: Deps,
  caller: TenantCaller,
  desired: DesiredConfiguration,
): Promise<Result<Plan>> {
  // All definitions of the document share one budget, because one request must not cost as much as many.
  const computing = openComputing(deps, caller.tenant);
  try {
    const planned = await planWithin({ ...deps, computing }, caller, desired);
    return planned.ok ? accept({ ...planned.value, context: { ...planned.value.context, deps } }) : planned;
  } finally {
    computing.end();
  }
}

async function planWithin(
  deps: Deps,
  caller: TenantCaller,
  { items, findings: given, kinds, prune }: DesiredConfiguration,
): Promise<Result<Plan>> {
  if (items.length > CONFIGURATION_ITEMS_MAX)
    return refuse(tooLarge("resources", "CONFIGURATION_ITEMS_MAX", CONFIGURATION_ITEMS_MAX));
  const templates = new Map<string, PendingTemplate>();
  const calendars = new Map<string, readonly string[]>();
  const context: ConfigurationContext = { deps, caller, templates, calendars };
  const findings: Finding[] = [...given, ...repeatedNames(items)];
  const planned: PlannedStep[] = [];
  // Templates and calendars come first, so definitions see those that this document creates.
  for (const noun of configurationNouns) {
    const own = items.filter(({ kind }) => kind === noun.kind);
    const atOnce = noun.kind === "definitions" ? 1 : CONFIGURATION_AT_ONCE;
    for (const each of await inChunks(own, (item) => compare(context, noun, item), atOnce)) {
      if (!each.ok) return each;
      if ("findings" in each.value) findings.push(...each.value.findings);
      else planned.push(each.value);
    }
    if (noun.kind === "calendars") for (const { name, body } of own) calendars.set(name, pendingDates(body));
    if (noun.kind !== "templates") continue;
    for (const { step, item } of planned) {
      const isNew = item !== null && isWrite(step);
      const pending = isNew ? pendingTemplate(step.name, item.body) : null;
      if (pending !== null) templates.set(step.name, pending);
    }
  }
  const deletions = prune ? await planDeletions(context, kinds, items) : accept([]);
  if (!deletions.ok) return deletions;
  findings.push(...(await dryRuns(context, planned)));
  if (findings.length > 0) return refuse(invalidDocument(firstFindings(findings)));
  const all = [...planned, ...deletions.value];
  const scope = missingScope(caller, all);
  if (scope !== null) return refuse(scope);
  const order = inOrder(all.map(({ step }) => step));
  return accept({ context, steps: all.toSorted((one, other) => order.indexOf(one.step) - order.indexOf(other.step)) });
}

type Compared = PlannedStep | { readonly findings: readonly Finding[] };

async function compare(
  context: ConfigurationContext,
  noun: ConfigurationNoun,
  item: DesiredItem,
): Promise<Result<Compared>> {
  const stored = await noun.find(context, item.name);
  if (!stored.ok) return stored;
  const parsed = await noun.parse(context, item);
  if (!parsed.ok) return findingsOf(parsed.refusal, item);
  const body = sameEnabled(item, parsed.value, stored.value);
  const step = planItem({ ...item, body }, stored.value?.body ?? null);
  return accept({ step, item, tag: stored.value?.tag ?? null });
}

/** A recurring action without `enabled` keeps its state: paused by an operator, it stays paused. */
function sameEnabled({ kind, body: sent }: DesiredItem, body: DesiredItem["body"], stored: StoredItem | null) {
  const isKept = kind === "recurring" && sent["enabled"] === undefined && stored?.body["enabled"] === false;
  return isKept ? { ...body, enabled: false } : body;
}

/** Turns a refusal about one item into findings. Other refusals, such as a busy isolate, end the request. */
function findingsOf(refusal: Refusal, { pointer }: DesiredItem): Result<Compared> {
  if (refusal.code === "unavailable" || refusal.code === "computations_full") return refuse(refusal);
  const { errors = [], message, code } = refusal;
  const own = errors.length > 0 ? errors : [{ pointer: "", code, message }];
  return accept({ findings: own.map((each) => ({ ...each, pointer: pointerIn(pointer, each) })) });
}

/** A finding about a query parameter or a header of the single write concerns the whole resource. */
function pointerIn(pointer: string, found: Finding): string {
  return found.pointer.startsWith("/") ? `${pointer}${found.pointer}` : pointer;
}

/** Dry runs of the writes, for the checks that need other resources. What the document creates counts as existing. */
async function dryRuns(context: ConfigurationContext, planned: readonly PlannedStep[]): Promise<readonly Finding[]> {
  const created = planned.filter(({ step }) => step.action === "create").map(({ step }) => step);
  const isCreated = ({ kind, name }: Reference) => created.some((each) => each.kind === kind && each.name === name);
  const checked = planned.filter(({ step }) => isWrite(step) && nounOf(step.kind).isCheckedByDryRun);
  const found = await inChunks(checked, async ({ step, item }) => {
    if (item === null) return [];
    const pending = referencesOf(item).filter(isCreated);
    // A recurring action is checked by a start, which needs all that it names. So it is checked when it is written.
    if (step.kind === "recurring" && pending.length > 0) return [];
    const put = await nounOf(step.kind).put(context, item, {
      precondition: { kind: "none" },
      reason: null,
      dryRun: true,
    });
    if (put.ok) return [];
    const result = findingsOf(put.refusal, item);
    const findings = result.ok && "findings" in result.value ? result.value.findings : [];
    return findings.filter(({ pointer }) => !pending.some((each) => each.pointer === pointer));
  });
  return found.flat();
}

async function planDeletions(
  context: ConfigurationContext,
  kinds: readonly ConfigurationKind[],
  items: readonly DesiredItem[],
): Promise<Result<readonly PlannedStep[]>> {
  const users = items.flatMap(referencesOf);
  const steps: PlannedStep[] = [];
  for (const noun of configurationNouns.filter(({ kind }) => kind !== "prices" && kinds.includes(kind))) {
    const names = await listAllNames(context, noun, CONFIGURATION_ITEMS_MAX);
    if (!names.ok) return names;
    const unlisted = names.value.filter((name) => !items.some((item) => item.kind === noun.kind && item.name === name));
    for (const { name, stored } of await inChunks(unlisted, async (each) => ({
      name: each,
      stored: await noun.find(context, each),
    }))) {
      if (!stored.ok) return stored;
      // A definition that is only a draft is not part of the configuration.
      if (stored.value === null) continue;
      steps.push({ step: planDeletion(noun.kind, name, users), item: null, tag: stored.value.tag });
    }
  }
  return accept(steps);
}

async function inChunks<Item, Answer>(
  items: readonly Item[],
  work: (item: Item) => Promise<Answer>,
  atOnce = CONFIGURATION_AT_ONCE,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < items.length; at += atOnce) {
    answers.push(...(await Promise.all(items.slice(at, at + atOnce).map(work))));
  }
  return answers;
}

function repeatedNames(items: readonly DesiredItem[]): readonly Finding[] {
  return items
    .filter(({ kind, name }, n) => items.findIndex((each) => each.kind === kind && each.name === name) < n)
    .map(({ name, pointer }) => {
      return { pointer: `${pointer}/name`, code: "duplicate", message: `is the name of an earlier item: "${name}"` };
    });
}

function invalidDocument(errors: readonly Finding[]): Refusal {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const message = `${first?.pointer ?? ""}: ${first?.message ?? ""}${more}. Nothing was changed.`;
  return { code: "invalid_input", message, errors };
}

function missingScope({ scopes }: TenantCaller, planned: readonly PlannedStep[]): Refusal | null {
  const refused = planned.filter(({ step }) => isWrite(step) && !scopes.includes(nounOf(step.kind).scope));
  if (refused.length === 0) return null;
  const needed = [...new Set(refused.map(({ step }) => nounOf(step.kind).scope))];
  return {
    code: "scope_missing",
    message: `The steps of this document need a key with ${needed.join(" and ")}; this key has ${scopes.join(", ")}.`,
    hint: "No scope includes other scopes. Create a key that also has these scopes.",
    errors: refused.map(({ step }) => {
      const message = `needs the scope ${nounOf(step.kind).scope}`;
      return { pointer: step.pointer ?? "", code: "scope_missing", message };
    }),
    details: { scope: needed[0] ?? "" },
  };
}
