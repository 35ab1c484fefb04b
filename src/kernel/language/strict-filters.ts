// Strict checks of filters and conditions. Liquid turns a missing value into an empty text, and a value that is not a
// number into 0. A message would then begin with "Dear ,", or an invoice would total 0. With these checks the template
// fails instead.
import { defaultOperators, Drop, type Context, type Operators } from "liquidjs";
import { fault, type FaultCode } from "../computing/fault.ts";
import { includesText } from "./search.ts";

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Filters whose input may be missing, because they are meant for such values. */
const ACCEPT_MISSING = words("default json size");
/** Filters whose argument may be missing, because an author may search for items with an empty field. */
const ACCEPT_MISSING_ARGUMENT = words("find reject where");
const ARITHMETIC = words("abs at_least at_most ceil divided_by floor minus modulo plus round times");
const TEXT_FILTERS = words(`
  append base64_decode base64_encode capitalize downcase escape escape_once lstrip newline_to_br prepend remove
  remove_first remove_last replace replace_first replace_last rstrip slugify split strip strip_html strip_newlines truncate
  truncatewords upcase url_decode url_encode
`);

export function checkFilterInput(name: string, value: unknown, args: readonly unknown[]): void {
  if (ACCEPT_MISSING.has(name)) return;
  const isNothingWrong = ACCEPT_MISSING_ARGUMENT.has(name) ? isMissing(value) : [value, ...args].some(isMissing);
  if (isNothingWrong)
    throw fault("filter_input_missing", `passes no value to the filter ${name}; add a default before the filter`);
  if (ARITHMETIC.has(name)) checkNumbers(name, [value, ...args.slice(0, 1)]);
  if (TEXT_FILTERS.has(name)) checkTexts(name, [value, ...args]);
  if (name === "sum" || name === "join") checkItems(name, value, args[0]);
}

/**
 * Checks the result of a filter: a numeric filter must give a finite number. Without this check, `at_most` would turn
 * infinity into an ordinary number.
 */
export function checkFilterResult(name: string, result: unknown): void {
  if (ARITHMETIC.has(name) && !Number.isFinite(result)) throw fault("not_finite", "is not a finite number");
}

/**
 * Liquid's operators, with comparisons that fail if a value is missing. An author first checks the value, as in {% if
 * amount and amount > 5 %}.
 */
export const strictOperators: Operators = {
  ...defaultOperators,
  "<": ordering((order) => order < 0),
  "<=": ordering((order) => order <= 0),
  ">": ordering((order) => order > 0),
  ">=": ordering((order) => order >= 0),
  contains,
};

/**
 * The operator `contains`. Text in a text is found by the search whose cost is limited. Liquid finds everything else.
 */
function contains(holder: unknown, item: unknown, context: Context): OperatorResult {
  if (typeof holder === "string" && typeof item === "string") return includesText(holder, item);
  return containsOther(holder, item, context);
}

// Every binary operator of Liquid has this signature.
const containsOther = defaultOperators["contains"] as (
  holder: unknown,
  item: unknown,
  context: Context,
) => OperatorResult;

function ordering(holds: (order: number) => boolean): (left: unknown, right: unknown) => boolean {
  return (left, right) => {
    if (isMissing(left) || isMissing(right)) return failWhenRead("nothing_compared", COMPARES_MISSING);
    if (typeof left === "string" && typeof right === "string") return holds(left < right ? -1 : Number(left > right));
    return isNumber(left) && isNumber(right)
      ? holds(Number(left) - Number(right))
      : failWhenRead("no_order", COMPARES_UNORDERED);
  };
}

type OperatorResult = ReturnType<Operators[string]>;

const COMPARES_MISSING = "uses <, <=, > or >= with a missing value; check first whether the value exists";
const COMPARES_UNORDERED = "uses <, <=, > or >= with values that have no order";

/**
 * The result of a comparison with a missing value, which throws only when it is read. Liquid evaluates both sides of
 * `and` and `or`. The comparison must therefore not throw before its result is needed.
 */
function failWhenRead(code: FaultCode, sentence: string): boolean {
  const valueOf = (): never => {
    throw fault(code, sentence);
  };
  const drop: unknown = Object.assign(Object.create(Drop.prototype), { valueOf });
  return drop as boolean; // A drop is an object that Liquid converts to a boolean where it needs one.
}

function checkNumbers(name: string, values: readonly unknown[]): void {
  if (!values.every(isNumber)) throw fault("not_a_number", `passes a value that is not a number to the filter ${name}`);
}

function checkTexts(name: string, values: readonly unknown[]): void {
  if (values.some((value) => typeof value === "object")) {
    throw fault(
      "not_a_text",
      `passes a list or an object to the filter ${name}; add | json or | join before the filter`,
    );
  }
}

function checkItems(name: "join" | "sum", list: unknown, field: unknown): void {
  const items = Array.isArray(list) ? list : [list];
  const values = name === "sum" && typeof field === "string" ? items.map((item) => fieldOf(item, field)) : items;
  if (name === "sum") checkNumbers(name, values);
  else if (values.some((item) => isMissing(item) || typeof item === "object")) {
    throw fault(
      "not_a_text",
      "joins a list that contains a missing value, another list or an object; use | map, | compact or | json",
    );
  }
}

function fieldOf(item: unknown, field: string): unknown {
  const isThere = typeof item === "object" && item !== null && Object.hasOwn(item, field);
  return isThere ? (item as { readonly [name: string]: unknown })[field] : undefined; // The line above has checked that the item has this property.
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined;
}

/** Whether a value is a number, or a text that contains a number. Payloads often contain numbers as text. */
function isNumber(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value === "string" && /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value);
}
