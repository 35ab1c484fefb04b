// What filters and conditions of templates must not be given. Liquid makes an empty text of nothing and zero of what is
// no number, so that a mail would begin "Dear ," and an invoice come to 0. Here the template fails and says why.
import { defaultOperators, Drop } from "liquidjs";
import type { Context, Operators } from "liquidjs";
import { fault, type FaultCode } from "../computing/fault.ts";
import { includesText } from "./search/find-text.ts";

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** They are there to be asked about nothing. */
const TAKES_NOTHING = words("default json size");
/** A field may be looked for that has nothing in it. */
const LOOKS_FOR_NOTHING = words("find reject where");
const ARITHMETIC = words("abs at_least at_most ceil divided_by floor minus modulo plus round times");
const OF_TEXTS = words(`
  append base64_decode base64_encode capitalize downcase escape escape_once lstrip newline_to_br prepend remove
  remove_first remove_last replace replace_first replace_last rstrip slugify split strip strip_html strip_newlines truncate
  truncatewords upcase url_decode url_encode
`);

export function checkGiven(name: string, value: unknown, args: readonly unknown[]): void {
  if (TAKES_NOTHING.has(name)) return;
  const isNothingWrong = LOOKS_FOR_NOTHING.has(name) ? isNothing(value) : [value, ...args].some(isNothing);
  if (isNothingWrong) throw fault("nothing_given", `gives ${name} nothing; put a default before it`);
  if (ARITHMETIC.has(name)) checkNumbers(name, [value, ...args.slice(0, 1)]);
  if (OF_TEXTS.has(name)) checkTexts(name, [value, ...args]);
  if (name === "sum" || name === "join") checkItems(name, value, args[0]);
}

/** What is calculated further must be a number: at_most would make one of infinity. */
export function checkCome(name: string, result: unknown): void {
  if (ARITHMETIC.has(name) && !Number.isFinite(result)) throw fault("not_finite", "is not a finite number");
}

/** Nothing is neither less nor more than anything; {% if amount and amount > 5 %} asks first whether it is there. */
export const strictOperators: Operators = {
  ...defaultOperators,
  "<": ordering((order) => order < 0),
  "<=": ordering((order) => order <= 0),
  ">": ordering((order) => order > 0),
  ">=": ordering((order) => order >= 0),
  contains,
};

/** As Liquid's own, but for texts in texts. */
function contains(holder: unknown, item: unknown, context: Context): OperatorResult {
  if (typeof holder === "string" && typeof item === "string") return includesText(holder, item);
  return containsOther(holder, item, context);
}

// Each of the operators of two values is called so.
const containsOther = defaultOperators["contains"] as (
  holder: unknown,
  item: unknown,
  context: Context,
) => OperatorResult;

function ordering(holds: (order: number) => boolean): (left: unknown, right: unknown) => boolean {
  return (left, right) => {
    if (isNothing(left) || isNothing(right)) return undecided("nothing_compared", OF_NOTHING);
    if (typeof left === "string" && typeof right === "string") return holds(left < right ? -1 : Number(left > right));
    return isNumber(left) && isNumber(right) ? holds(Number(left) - Number(right)) : undecided("no_order", OF_NO_ORDER);
  };
}

type OperatorResult = ReturnType<Operators[string]>;

const OF_NOTHING = "compares nothing with <, <=, > or >=; ask first whether it is there";
const OF_NO_ORDER = "compares with <, <=, > or >= what has no order";

/** Liquid works out both sides of `and` and `or` whatever the first one says: so this fails when its value is asked for. */
function undecided(code: FaultCode, sentence: string): boolean {
  const valueOf = (): never => {
    throw fault(code, sentence);
  };
  const drop: unknown = Object.assign(Object.create(Drop.prototype), { valueOf });
  return drop as boolean; // Liquid asks a drop for what it stands for wherever it wants a boolean
}

function checkNumbers(name: string, values: readonly unknown[]): void {
  if (!values.every(isNumber)) throw fault("not_a_number", `gives ${name} what is no number`);
}

function checkTexts(name: string, values: readonly unknown[]): void {
  if (values.some((value) => typeof value === "object")) {
    throw fault("not_a_text", `gives ${name} a list or an object; add | json or | join before it`);
  }
}

function checkItems(name: "join" | "sum", list: unknown, field: unknown): void {
  const items = Array.isArray(list) ? list : [list];
  const values = name === "sum" && typeof field === "string" ? items.map((item) => fieldOf(item, field)) : items;
  if (name === "sum") checkNumbers(name, values);
  else if (values.some((item) => isNothing(item) || typeof item === "object")) {
    throw fault(
      "not_a_text",
      "joins a list in which something is nothing, a list or an object; | map, | compact or | json help",
    );
  }
}

function fieldOf(item: unknown, field: string): unknown {
  const isThere = typeof item === "object" && item !== null && Object.hasOwn(item, field);
  return isThere ? (item as { readonly [name: string]: unknown })[field] : undefined; // the line above saw that it is there
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}

/** Payloads bring numbers as text, too. */
function isNumber(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value === "string" && /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value);
}
