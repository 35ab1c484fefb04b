// The Liquid engine: a fixed set of tags and filters that read own properties only. Templates have no files, clock or
// randomness. Budgets count work and not time, so a template fails after the same work on any machine.
import {
  Context,
  filters,
  Liquid,
  LiquidError,
  toValueSync,
  type Emitter,
  type FilterImplOptions,
  type Template,
  type Value,
} from "liquidjs";
import type { JsonObject } from "#schema/json.ts";
import {
  TEMPLATE_MEMORY_BYTES_MAX,
  TEMPLATE_OUTPUT_BYTES_MAX,
  TEMPLATE_STEPS_MAX,
} from "#schema/limits/definition-sizes.ts";
import { driveTemplate } from "./drive-template.ts";
import { budgetOf, failureOf, fault, type Budget, type Failure } from "../computing/fault.ts";
import { instant } from "./instant.ts";
import { byteLength, sizeOf } from "./json-values.ts";
import { strftime } from "./strftime.ts";
import { checkFilterResult, checkFilterInput, strictOperators } from "./strict-filters.ts";
import { textFilters } from "./search.ts";
import { BYTES_PER_UNIT, openWork, charge, countUncharged, workOf, type Work } from "../computing/work.ts";

export const tagNames: readonly string[] = "assign break capture case comment continue for if raw unless #".split(" ");

export const filterNames: readonly string[] = `
  abs append at_least at_most base64_decode base64_encode capitalize ceil compact concat date default divided_by
  downcase escape escape_once find first floor has join json last lstrip map minus modulo newline_to_br plus prepend
  reject remove remove_first remove_last replace replace_first replace_last reverse round rstrip size slice slugify
  sort sort_natural split strip strip_html strip_newlines sum times truncate truncatewords uniq upcase url_decode
  url_encode where`
  .trim()
  .split(/\s+/);

/** Filters whose output is already escaped HTML. If it were escaped again, readers would see the entities. */
const ESCAPING_FILTERS: ReadonlySet<string> = new Set(["escape", "escape_once"]);

/**
 * Filters with an argument that Liquid would parse as template code. This engine accepts only the name of a field
 * there.
 */
const FIELD_FILTERS: ReadonlySet<string> = new Set(["find", "has", "reject", "where"]);

/**
 * The cost units of a template step, and of formatting a date. They decide when a pause is due, but are not charged to
 * the budget.
 */
const STEP_UNITS_UNCHARGED = 20;
const DATE_UNITS_UNCHARGED = 800;

/** The budget of rendering one config. All strings of the config share it. */
export type RenderBudget = {
  readonly steps: Budget;
  readonly memory: Budget;
  readonly output: Budget;
  readonly work: Work;
};

/**
 * Opens the budget of rendering one config. `whole`: the name of the config in messages. `work`: the budget of the step
 * that renders it.
 */
export function openBudget(whole = "the configuration", work = openWork()): RenderBudget {
  return {
    steps: chargingBudget(work, {
      budget: budgetOf(
        TEMPLATE_STEPS_MAX,
        "steps_exceeded",
        `takes more than ${TEMPLATE_STEPS_MAX} steps (TEMPLATE_STEPS_MAX)`,
      ),
      chargedUnits: workOf.templateStep,
      unchargedUnits: STEP_UNITS_UNCHARGED,
    }),
    memory: chargingBudget(work, {
      budget: budgetOf(
        TEMPLATE_MEMORY_BYTES_MAX,
        "memory_exceeded",
        `uses more than ${TEMPLATE_MEMORY_BYTES_MAX} bytes of text and lists`,
      ),
      chargedUnits: 1 / BYTES_PER_UNIT,
    }),
    output: chargingBudget(work, {
      budget: budgetOf(
        TEMPLATE_OUTPUT_BYTES_MAX,
        "output_exceeded",
        `${whole} is longer than ${TEMPLATE_OUTPUT_BYTES_MAX} bytes (TEMPLATE_OUTPUT_BYTES_MAX)`,
      ),
      chargedUnits: 1 / BYTES_PER_UNIT,
    }),
    work,
  };
}

/**
 * `chargedUnits` and `unchargedUnits`: the step's cost units per unit of this budget, charged and only counted for
 * pauses.
 */
type ChargedBudget = { readonly budget: Budget; readonly chargedUnits: number; readonly unchargedUnits?: number };

/** A budget that also takes cost units from the step's budget at each use. */
function chargingBudget(work: Work, { budget, chargedUnits, unchargedUnits = 0 }: ChargedBudget): Budget {
  return {
    use: (amount) => {
      budget.use(amount);
      countUncharged(work, amount * unchargedUnits);
      charge(work, amount * chargedUnits);
    },
  };
}

/**
 * text: output is written unchanged. html: output is escaped, unless its last filter is raw or a filter that escapes.
 */
export type TemplateFormat = "text" | "html";

export function parseTemplate(text: string, format: TemplateFormat = "text"): Template[] {
  return engines[format].parse(text);
}

export function renderTemplate(template: Template, context: Context, work: Work): string {
  return String(driveTemplate(work, () => engines.text.renderer.renderTemplates([template], context)));
}

export function evaluateValue(value: Value, context: Context): unknown {
  return toValueSync(value.value(context));
}

/**
 * A Liquid context with the budget of its step. A WeakMap from contexts to budgets would cost more than rendering most
 * templates.
 */
type ContextWithBudget = Context & { work?: Work };

export function openContext(scope: JsonObject, { memory, steps, work }: RenderBudget): Context {
  const limiters = {
    memoryLimit: { use: memory.use, check: memory.use },
    // Liquid calls `check` before each template, to compare the time with a limit. Here the call counts as one step of
    // work.
    renderLimit: { use: steps.use, check: () => steps.use(1) },
  };
  // Liquid does not export the class of its limiters. It calls only these two methods.
  const context = new Context(
    scope,
    engines.text.options,
    { sync: true },
    { ...(limiters as object), liquid: engines.text },
  );
  (context as ContextWithBudget).work = work;
  const readProperty = context.readProperty.bind(context);
  // Liquid reads any property of null as null, and then writes an empty text. Here such a property is undefined, so
  // that the template fails.
  context.readProperty = (holder, key) => (holder === null ? undefined : readProperty(holder, key));
  const getFromScope = context._getFromScope.bind(context);
  context._getFromScope = function* charged(...path) {
    const value: unknown = yield getFromScope(...path);
    memory.use(sizeOf(value));
    return value;
  };
  return context;
}

/** Converts an exception of Liquid into a failure, with a message for the template's author. */
export function liquidFailure(thrown: unknown): Failure {
  if (!LiquidError.is(thrown)) return failureOf(thrown, FAILED);
  const written = thrown.token.getText().slice(0, 100);
  const { originalError } = thrown;
  if (originalError?.name === "InternalUndefinedVariableError")
    return { code: "variable_undefined", message: `variable ${written} is undefined` };
  if (originalError === undefined || LIQUID_OWN.has(originalError.name))
    return { code: "template_invalid", message: thrown.message };
  const { code, message } = failureOf(originalError, FAILED);
  return { code, message: `${written} ${message}` };
}

const FAILED: Failure = { code: "not_rendered", message: "cannot be rendered" };
/** The names of errors that Liquid throws itself. Errors of the JavaScript runtime have other names. */
const LIQUID_OWN = new Set(["AssertionError", "Error"]);

/**
 * One engine for text and one for HTML, because the parser decides which outputs are escaped. Everything else is the
 * same.
 */
const engines: { readonly [format in TemplateFormat]: Liquid } = { text: openLiquid("text"), html: openLiquid("html") };

function openLiquid(format: TemplateFormat): Liquid {
  const engine = new Liquid({
    strictFilters: true,
    strictVariables: true,
    // Conditions, and values before the filter `default`, may name a missing variable.
    lenientIf: true,
    ownPropertyOnly: true,
    operators: strictOperators,
    locale: "en-US",
    timezoneOffset: 0,
    templates: {},
    ...(format === "html" ? { outputEscape: escapeHtml } : {}),
  });
  for (const name of Object.keys(engine.tags)) if (!tagNames.includes(name)) delete engine.tags[name];
  for (const name of Object.keys(engine.filters)) engine.unregisterFilter(name);
  for (const name of filterNames) registerFilter(engine, name, ESCAPING_FILTERS.has(name));
  if (format === "html") engine.registerFilter("raw", { handler: (value: unknown) => value, raw: true });
  const render = engine.renderer.renderTemplates.bind(engine.renderer);
  engine.renderer.renderTemplates = (templates, context, emitter) =>
    render(templates, context, emitter ?? openOutput(context));
  return engine;
}

/**
 * Registers a filter, and charges each use by the size of the filter's input. Some filters of Liquid do not count their
 * own work.
 */
function registerFilter(engine: Liquid, name: string, isEscaped: boolean): void {
  const implementations: { readonly [name: string]: unknown } = { ...filters, ...textFilters, date };
  const filter = implementations[name];
  const handler: FilterHandler = function charged(value: unknown, ...args: unknown[]) {
    this.context.memoryLimit.use(sizeOf(value) + sizeOf(args));
    if (FIELD_FILTERS.has(name) && !isField(args[0])) throw fault("field_expected", FIELD_WANTED);
    const work = name === "date" ? (this.context as ContextWithBudget).work : undefined;
    if (work) charge(work, workOf.date);
    if (work) countUncharged(work, DATE_UNITS_UNCHARGED);
    checkFilterInput(name, value, args);
    const result: unknown = Reflect.apply(filter as () => unknown, this, [value, ...args]); // Every entry of Liquid's list of filters is a function.
    checkFilterResult(name, result);
    return result;
  };
  engine.registerFilter(name, { handler, raw: isEscaped });
}

/** Escapes texts. Objects and lists are returned unchanged, because the output of a template refuses them later. */
function escapeHtml(value: unknown): string {
  const escaped = typeof value === "string" ? value.replace(/[&<>"']/g, (letter) => String(ENTITIES[letter])) : value;
  return escaped as string; // Liquid types the result as text only.
}

const ENTITIES: { readonly [letter: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function isField(property: unknown): boolean {
  return typeof property === "string" && /^[\w-]+(\.[\w-]+)*$/.test(property);
}

const FIELD_WANTED = "requires the name of a field, such as 'status' or 'owner.id'";

/** The output of a template. It throws for objects, because Liquid would write them as "[object Object]". */
function openOutput(context: Context): Emitter {
  return {
    buffer: "",
    write(value: unknown) {
      if (value === null || value === undefined)
        throw fault("output_missing", "has no value; add a default with | default");
      if (typeof value === "object")
        throw fault(
          "not_a_text",
          "is a list or an object; add | json or | join, or make it the only content of the text",
        );
      if (typeof value === "number" && !Number.isFinite(value)) throw fault("not_finite", "is not a finite number");
      const text = String(value);
      context.memoryLimit.use(byteLength(text));
      this.buffer += text;
    },
  };
}

type FilterHandler = Exclude<FilterImplOptions, { readonly handler: unknown }>;

const DATE_FORMAT = "%A, %B %-e, %Y at %-l:%M %P %z";

/** The filter `date`, as in `{{ now | date: "%F", "Europe/Zurich" }}`. A number is read as epoch milliseconds. */
function date(value: unknown, format: unknown = DATE_FORMAT, timezone: unknown = "UTC"): unknown {
  if (value === "now" || value === "today")
    throw fault(
      "clock_not_read",
      'the date filter cannot read the text "now" or "today": use {{ now | date }}, without quotes',
    );
  const zone = String(timezone);
  const epochMs = typeof value === "string" || typeof value === "number" ? instant(value, zone) : null;
  const printed = epochMs === null ? undefined : strftime(epochMs, String(format), zone);
  if (printed === undefined) throw fault("not_a_date", "is not a date, or the time zone does not exist");
  return printed;
}
