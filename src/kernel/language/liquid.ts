// The Liquid engine as we allow it: a named set of tags and filters, own properties only, no files, no clock, no
// chance, and budgets that count work instead of time, so that a template fails at the same place on any machine.
import { Context, filters, Liquid, LiquidError, toValueSync } from "liquidjs";
import type { Emitter, FilterImplOptions, Template, Value } from "liquidjs";
import type { JsonObject } from "#schema/json.ts";
import { limits } from "#schema/limits.ts";
import { TEMPLATE_MEMORY_BYTES_MAX } from "#schema/limits/kernel.ts";
import { driveTemplate } from "./drive-template.ts";
import { budgetOf, failureOf, fault, type Budget, type Failure } from "../computing/fault.ts";
import { instant } from "./instant.ts";
import { byteLength, sizeOf } from "./size.ts";
import { strftime } from "./strftime.ts";
import { checkCome, checkGiven, strictOperators } from "./strict-filters.ts";
import { textFilters } from "./search/text-filters.ts";
import { BYTES_PER_UNIT, openWork, spend, weigh, workOf, type Work } from "../computing/work.ts";

export const tagNames: readonly string[] = "assign break capture case comment continue for if raw unless #".split(" ");

export const filterNames: readonly string[] = `
  abs append at_least at_most base64_decode base64_encode capitalize ceil compact concat date default divided_by
  downcase escape escape_once find first floor has join json last lstrip map minus modulo newline_to_br plus prepend
  reject remove remove_first remove_last replace replace_first replace_last reverse round rstrip size slice slugify
  sort sort_natural split strip strip_html strip_newlines sum times truncate truncatewords uniq upcase url_decode
  url_encode where`
  .trim()
  .split(/\s+/);

/** What they give is HTML already: escaping it again would show its letters. */
const HTML_MADE: ReadonlySet<string> = new Set(["escape", "escape_once"]);

/** These parse the field they are given as template code; so it may only be a field. */
const FIELD_FILTERS: ReadonlySet<string> = new Set(["find", "has", "reject", "where"]);

/** What rendering one configuration may use up, over all its strings. */
export type RenderBudget = {
  readonly steps: Budget;
  readonly memory: Budget;
  readonly output: Budget;
  readonly work: Work;
};

/** `work`: what the step around it may still cost. */
export function openBudget(whole = "the configuration", work = openWork()): RenderBudget {
  const { templateSteps, templateOutputBytesMax } = limits;
  return {
    steps: paying(
      budgetOf(templateSteps, "steps_exceeded", `takes more than ${templateSteps} steps (templateSteps)`),
      work,
      workOf.templateStep,
      UNITS_UNCOUNTED,
    ),
    memory: paying(
      budgetOf(
        TEMPLATE_MEMORY_BYTES_MAX,
        "memory_exceeded",
        `handles more than ${TEMPLATE_MEMORY_BYTES_MAX} bytes of text and lists`,
      ),
      work,
      1 / BYTES_PER_UNIT,
    ),
    output: paying(
      budgetOf(
        templateOutputBytesMax,
        "output_exceeded",
        `${whole} comes to more than ${templateOutputBytesMax} bytes (templateOutputBytesMax)`,
      ),
      work,
      1 / BYTES_PER_UNIT,
    ),
    work,
  };
}

/** A step of a template takes as long as so many more units than it is charged, and so does a date that is spelled. */
const UNITS_UNCOUNTED = 20;
const DATE_UNITS_UNCOUNTED = 800;

function paying(own: Budget, work: Work, each: number, uncounted = 0): Budget {
  return {
    use: (cost) => {
      own.use(cost);
      weigh(work, cost * uncounted);
      spend(work, cost * each);
    },
  };
}

/** text: what is put out stays as it is. html: it is escaped, unless the last filter is raw (or escapes by itself). */
export type Flavour = "text" | "html";

export function parseTemplate(text: string, flavour: Flavour = "text"): Template[] {
  return liquids[flavour].parse(text);
}

export function renderTemplate(template: Template, context: Context, work: Work): string {
  return String(driveTemplate(work, () => liquids.text.renderer.renderTemplates([template], context)));
}

export function evaluateValue(value: Value, context: Context): unknown {
  return toValueSync(value.value(context));
}

/** A context that knows what its step may still cost: a map beside it would cost more than most templates. */
type Paying = Context & { work?: Work };

export function openContext(scope: JsonObject, { memory, steps, work }: RenderBudget): Context {
  const limiters = {
    memoryLimit: { use: memory.use, check: memory.use },
    // Liquid asks here before each template whether time is up; we count that it asked.
    renderLimit: { use: steps.use, check: () => steps.use(1) },
  };
  // Its limiter is a class that is not exported; these two methods are all that is ever called.
  const context = new Context(
    scope,
    liquids.text.options,
    { sync: true },
    { ...(limiters as object), liquid: liquids.text },
  );
  (context as Paying).work = work;
  const readProperty = context.readProperty.bind(context);
  // Reading through null would quietly give null: an undefined variable must not become an empty text.
  context.readProperty = (holder, key) => (holder === null ? undefined : readProperty(holder, key));
  const getFromScope = context._getFromScope.bind(context);
  context._getFromScope = function* charged(...path) {
    const value: unknown = yield getFromScope(...path);
    memory.use(sizeOf(value));
    return value;
  };
  return context;
}

/** What a thrown error has to say to the author of the template. */
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
/** What Liquid itself throws; the runtime's own errors have other names. */
const LIQUID_OWN = new Set(["AssertionError", "Error"]);

/** Escaping is decided when a template is parsed; both render alike. */
const liquids: { readonly [flavour in Flavour]: Liquid } = { text: openLiquid("text"), html: openLiquid("html") };

function openLiquid(flavour: Flavour): Liquid {
  const engine = new Liquid({
    strictFilters: true,
    strictVariables: true,
    // What asks for a thing to be there or not may: conditions, and the default filter.
    lenientIf: true,
    ownPropertyOnly: true,
    operators: strictOperators,
    locale: "en-US",
    timezoneOffset: 0,
    templates: {},
    ...(flavour === "html" ? { outputEscape: escapeHtml } : {}),
  });
  for (const name of Object.keys(engine.tags)) if (!tagNames.includes(name)) delete engine.tags[name];
  for (const name of Object.keys(engine.filters)) engine.unregisterFilter(name);
  for (const name of filterNames) registerFilter(engine, name, HTML_MADE.has(name));
  if (flavour === "html") engine.registerFilter("raw", { handler: (value: unknown) => value, raw: true });
  const render = engine.renderer.renderTemplates.bind(engine.renderer);
  engine.renderer.renderTemplates = (templates, context, emitter) =>
    render(templates, context, emitter ?? collect(context));
  return engine;
}

/** Filters pay for what they are given, since not all of them count their work. */
function registerFilter(engine: Liquid, name: string, raw: boolean): void {
  const own: { readonly [name: string]: unknown } = { ...filters, ...textFilters, date };
  const filter = own[name];
  const handler: FilterHandler = function charged(value: unknown, ...args: unknown[]) {
    this.context.memoryLimit.use(sizeOf(value) + sizeOf(args));
    if (FIELD_FILTERS.has(name) && !isField(args[0])) throw fault("field_expected", FIELD_WANTED);
    const work = name === "date" ? (this.context as Paying).work : undefined;
    if (work) spend(work, workOf.date);
    if (work) weigh(work, DATE_UNITS_UNCOUNTED);
    checkGiven(name, value, args);
    const result: unknown = Reflect.apply(filter as () => unknown, this, [value, ...args]); // each name above is one
    checkCome(name, result);
    return result;
  };
  engine.registerFilter(name, { handler, raw });
}

/** Only text is escaped: what is none, and must not be put out, is found out where it is put out. */
function escapeHtml(value: unknown): string {
  const escaped = typeof value === "string" ? value.replace(/[&<>"']/g, (letter) => String(ENTITIES[letter])) : value;
  return escaped as string; // Liquid's type for it knows only text
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

const FIELD_WANTED = "needs the name of a field, such as 'status' or 'owner.id'";

/** Takes only what is text in an e-mail: an object would read "[object Object]", and nothing at all like a mistake. */
function collect(context: Context): Emitter {
  return {
    buffer: "",
    write(value: unknown) {
      if (value === null || value === undefined) throw fault("nothing_put_out", "comes to nothing; give it a default");
      if (typeof value === "object")
        throw fault("not_a_text", "is a list or an object; add | json or | join, or let it stand alone");
      if (typeof value === "number" && !Number.isFinite(value)) throw fault("not_finite", "is not a finite number");
      const text = String(value);
      context.memoryLimit.use(byteLength(text));
      this.buffer += text;
    },
  };
}

type FilterHandler = Exclude<FilterImplOptions, { readonly handler: unknown }>;

const DATE_FORMAT = "%A, %B %-e, %Y at %-l:%M %P %z";

/** `{{ now | date: "%F", "Europe/Zurich" }}`; a number is epoch milliseconds, as everywhere here. */
function date(value: unknown, format: unknown = DATE_FORMAT, timezone: unknown = "UTC"): unknown {
  if (value === "now" || value === "today")
    throw fault("clock_not_read", "the moment is not read from a clock here: use {{ now | date }}");
  const zone = String(timezone);
  const epochMs = typeof value === "string" || typeof value === "number" ? instant(value, zone) : null;
  const printed = epochMs === null ? undefined : strftime(epochMs, String(format), zone);
  if (printed === undefined) throw fault("not_a_date", "is not a date, or the time zone does not exist");
  return printed;
}
