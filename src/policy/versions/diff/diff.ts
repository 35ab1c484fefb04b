// Computes the diff of two versions of a definition, in reading order. Each change is listed once, for the smallest
// part that can be understood alone, such as a guard or an added state.
import type { Computation } from "#kernel/computing/computation.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { Aspect, ChangeKind, Part, VersionChange } from "#schema/definition/version-change.ts";
import { jsonPointer } from "#schema/findings.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { alignLists, alignNames, canonicalText, isList } from "./align.ts";
import type { Fields, Shape } from "./comparison-rule.ts";
import { shapes } from "./shapes.ts";

/** Yields its cost after each part, so that it can pause. Two large versions may have tens of thousands of changes. */
export function* diffDefinitions(from: Definition, to: Definition): Computation<readonly VersionChange[]> {
  const part: Part = { kind: "definition", name: null };
  const [was, is] = [from, to] as unknown as [JsonObject, JsonObject]; // A definition is parsed JSON.
  const place: Place = { was, is, from: [], to: [], part, path: [] };
  const found: VersionChange[] = [];
  for (const each of from.kind === to.kind ? diffAt(shapes[to.kind], place) : [changed(place, "whole")]) {
    found.push(each);
    if (found.length % CHANGES_IN_PART === 0) yield CHANGES_IN_PART * UNITS_PER_CHANGE;
  }
  return found;
}

const CHANGES_IN_PART = 100;
/** The cost units of one change, which takes about eight microseconds. */
const UNITS_PER_CHANGE = 150;

/** Returns the diff of one part that is stored outside of a definition, such as a template. */
export function diffPart(shape: Shape, part: Part, was: Json, is: Json): readonly VersionChange[] {
  return [...diffAt(shape, { was, is, from: [], to: [], part, path: [] })];
}

/** A generator of changes, so that the caller can pause between them. */
type Changes = Generator<VersionChange, void, void>;

/**
 * The two values at a place of a definition, with their paths. undefined: the value is missing. `bare`: on each side,
 * the text that was written instead of an object with one field.
 */
type Place = {
  readonly was: Json | undefined;
  readonly is: Json | undefined;
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly part: Part;
  readonly path: readonly string[];
  readonly bare?: { readonly from: string | null; readonly to: string | null };
};

/** Yields the changes at one place. */
function* diffAt(shape: Shape, place: Place): Changes {
  const { was, is } = place;
  if (was === undefined || is === undefined) return was === is ? undefined : yield* oneSided(shape, place);
  if (canonicalText(was) === canonicalText(is)) return;
  // The values are equal but written in different forms, which is a change too.
  yield* orElse(innerChanges(shape, place, was, is), () => changed(place, aspectOf(shape)));
}

/** Yields `changes`. If there are none, yields the change that `other` returns. */
function* orElse(changes: Iterable<VersionChange>, other: () => VersionChange): Changes {
  let isEmpty = true;
  for (const each of changes) {
    isEmpty = false;
    yield each;
  }
  if (isEmpty) yield other();
}

/** Returns the changes inside a value that both versions have. */
function innerChanges(shape: Shape, place: Place, was: Json, is: Json): Iterable<VersionChange> {
  switch (shape.kind) {
    case "leaf":
      return [];
    case "content":
      return contentChanges(shape, place, was, is);
    case "fields":
      return isObject(was) && isObject(is) ? fieldChanges(shape.fields, place, was, is) : [];
    case "named":
      return isObject(was) && isObject(is) ? namedChanges(shape, place, was, is) : [];
    case "keyed":
      return keyedChanges(shape, place, was, is);
    case "list":
      return listChanges(shape, place, was, is);
  }
}

function* contentChanges(shape: Shape, place: Place, was: Json, is: Json): Changes {
  if (isObject(was) && isObject(is)) {
    const names = alignNames(Object.keys(was), Object.keys(is));
    for (const name of names) yield* diffAt(shape, within(place, name, was, is));
  } else if (isList(was) && isList(is)) {
    yield* listChanges({ kind: "list", item: shape, aspect: "flow" }, place, was, is);
  }
}

const UNNAMED: Shape = { kind: "content", aspect: "setting" };

function* fieldChanges(known: Fields, place: Place, was: JsonObject, is: JsonObject): Changes {
  const all = new Set([...Object.keys(known), ...alignNames(Object.keys(was), Object.keys(is))]);
  for (const field of all) {
    const shape = Object.hasOwn(known, field) ? known[field] : undefined;
    yield* diffAt(shape ?? UNNAMED, within(place, field, was, is));
  }
}

type Named = Extract<Shape, { kind: "named" }>;

function* namedChanges({ part, item }: Named, place: Place, was: JsonObject, is: JsonObject): Changes {
  for (const name of alignNames(Object.keys(was), Object.keys(is))) {
    const inside = within(place, name, was, is);
    yield* diffAt(item(), part === null ? inside : asPart(inside, part, named(place.part, part, name)));
  }
}

/** Returns the name of a part. The name of a nested state is its path. */
function named(outer: Part, kind: Part["kind"], name: string): string {
  return outer.kind === kind && outer.name !== null ? `${outer.name}.${name}` : name;
}

type Keyed = Extract<Shape, { kind: "keyed" }>;

function* keyedChanges(shape: Keyed, place: Place, was: Json, is: Json): Changes {
  const [old, now] = [keysOf(was, shape.key), keysOf(is, shape.key)];
  // Some items have no name, or the same name. The lists are therefore compared by position.
  if (old === null || now === null)
    return yield* listChanges({ kind: "list", item: shape.item, aspect: "flow" }, place, was, is);
  for (const name of alignNames([...old.keys.keys()], [...now.keys.keys()])) {
    const inside = at(place, [old.keys.get(name), was, old.items], [now.keys.get(name), is, now.items]);
    yield* diffAt(shape.item, asPart(inside, shape.part, name));
  }
  const [before, after] = [orderOf(old, now), orderOf(now, old)];
  const isInOrder = canonicalText(before) === canonicalText(after);
  if (!isInOrder) yield change("reordered", { ...place, was: before, is: after }, "whole");
}

type Keys = { readonly items: readonly Json[]; readonly keys: ReadonlyMap<string, number> };

/** Returns the index of each name. null if the value is not a list of items with different names. */
function keysOf(items: Json, key: string): Keys | null {
  if (!isList(items)) return null;
  const names = items.map((item) => (isObject(item) ? item[key] : null));
  const keys = new Map(names.flatMap((name, n) => (isText(name) ? [[name, n] as const] : [])));
  return keys.size === items.length ? { items, keys } : null;
}

/** Returns the names that both lists contain, in the order of the first list. */
function orderOf({ keys }: Keys, others: Keys): readonly string[] {
  return [...keys.keys()].filter((name) => others.keys.has(name));
}

type List = Extract<Shape, { kind: "list" }>;

function* listChanges({ item, single }: List, place: Place, was: Json, is: Json): Changes {
  const [old, now] = [listed(was, single), listed(is, single)];
  if (old === null || now === null) return;
  for (const { from, to } of alignLists(old, now)) {
    yield* diffAt(item, at(place, [from ?? undefined, was, old], [to ?? undefined, is, now]));
  }
}

/** Returns the value as a list. A single item counts as a list of one, and a text as an object with one field. */
function listed(value: Json, single: string | undefined): readonly Json[] | null {
  if (isList(value)) return value;
  if (single === undefined) return null;
  return [isText(value) ? { [single]: value } : value];
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string";
}

type Side = readonly [index: number | undefined, written: Json, items: readonly Json[]];

/**
 * Returns the place of an item, from its index in each list. A single item that is not in a list has the place of the
 * list.
 */
function at(place: Place, [from, was, old]: Side, [to, is, now]: Side): Place {
  return {
    ...place,
    was: from === undefined ? undefined : old[from],
    is: to === undefined ? undefined : now[to],
    from: isList(was) && from !== undefined ? [...place.from, String(from)] : place.from,
    to: isList(is) && to !== undefined ? [...place.to, String(to)] : place.to,
    path: isList(was) || isList(is) ? [...place.path, String(Number(to ?? from) + 1)] : place.path,
    bare: { from: isText(was) && from !== undefined ? was : null, to: isText(is) && to !== undefined ? is : null },
  };
}

/** Returns the place of a field. */
function within({ from, to, path, part, bare }: Place, field: string, was: JsonObject, is: JsonObject): Place {
  return {
    was: Object.hasOwn(was, field) ? was[field] : undefined,
    is: Object.hasOwn(is, field) ? is[field] : undefined,
    from: isText(bare?.from) ? from : [...from, field],
    to: isText(bare?.to) ? to : [...to, field],
    path: [...path, field],
    part,
  };
}

/** Returns the place of a named part. Paths inside the part are relative to it. */
function asPart(place: Place, kind: Part["kind"], name: string): Place {
  return { ...place, part: { kind, name }, path: [] };
}

/**
 * Yields the change for an added or removed value. If the value is a list of named items, yields one change per item.
 */
function* oneSided(shape: Shape, place: Place): Changes {
  const none = shape.kind === "named" ? {} : shape.kind === "keyed" ? [] : null;
  const each = none === null ? [] : innerChanges(shape, place, place.was ?? none, place.is ?? none);
  const kind = place.was === undefined ? "added" : "removed";
  yield* orElse(each, () => change(kind, place, place.path.length === 0 ? "whole" : aspectOf(shape)));
}

function changed(place: Place, aspect: Aspect): VersionChange {
  return change("changed", place, aspect);
}

function change(kind: ChangeKind, { was, is, from, to, part, path, bare }: Place, aspect: Aspect): VersionChange {
  return {
    kind,
    part,
    path,
    aspect: aspect === "text" && !isText(was) && !isText(is) ? "setting" : aspect,
    fromPointer: was === undefined ? null : jsonPointer(from),
    pointer: is === undefined ? null : jsonPointer(to),
    was: bare?.from ?? was ?? null,
    is: bare?.to ?? is ?? null,
  };
}

/** Returns the aspect of a place whose value is not compared further. */
function aspectOf(shape: Shape): Aspect {
  switch (shape.kind) {
    case "leaf":
    case "content":
    case "fields":
    case "list":
      return shape.aspect;
    case "named":
    case "keyed":
      return "setting";
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
