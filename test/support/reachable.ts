// What the sources can reach from a function: the functions and constants it names, those that these name, and so on,
// through imports and through the two doors that no import shows, an execution's object and an operation's. It reads; it
// runs nothing. More is found than can happen, never less.
import { globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parseAst } from "vitest/node";
import manifest from "../../package.json";

type Node = { readonly type: string; readonly [field: string]: unknown };
type Declared = { readonly names: ReadonlySet<string>; readonly words: ReadonlySet<string> };

const root = join(import.meta.dirname, "../..");
const ROOMS = "{src/{routes,services,schema,kernel,policy},durable-objects}/**/*.ts";
/** Objects are asked for by the name of their folder; of an execution's it matters what is asked. */
const objects = new Set(readdirSync(join(root, "durable-objects")).filter((name) => name !== "execution"));
const UNREADABLE = "durable-objects/execution/heads/unreadable.ts";
const nothing: Node = { type: "" };
const known = new Map<string, ReadonlyMap<string, string>>();
const declared = new Map<string, Declared>();
const programs = new Map(globSync(ROOMS, { cwd: root }).map((file) => [normalize(file), parsed(file)] as const));
for (const [file, program] of programs) declare(file, program);

/** What the handler of an endpoint names, by its constant; it may stand in another file than that declares it. */
export function handlerOf(file: string, constant: string): ReadonlySet<string> | undefined {
  const here = handlersIn(file).get(constant);
  if (here !== undefined) return here;
  return routeFiles.map((each) => handlersIn(each).get(`${file}#${constant}`)).find((found) => found !== undefined);
}

/** The handlers of a file of routes, by the name of the endpoint's constant (with its file, where it is another): what they name. */
export function handlersIn(file: string): ReadonlyMap<string, ReadonlySet<string>> {
  const program = programs.get(file) ?? nothing;
  const found = new Map<string, ReadonlySet<string>>();
  for (const call of all(program, "CallExpression")) {
    const [route, handler] = list(call["arguments"]);
    if (nameOf(node(call["callee"])["property"]) !== "openapi" || route === undefined || handler === undefined)
      continue;
    const { names, words } = read(handler, file);
    const space = importsOf(file).get(nameOf(route["object"]));
    const name = space === undefined ? nameOf(route) : space.replace("*", nameOf(route["property"]));
    found.set(name, new Set([...names, ...words]));
  }
  return found;
}

/** What an endpoint of crudRoutes names: its object there has the id. Undefined: the endpoint is declared in another way. */
export function crudHandlerOf(file: string, id: string): ReadonlySet<string> | undefined {
  const declares = (object: Node) =>
    list(object["properties"]).some(({ key, value }) => nameOf(key) === "id" && node(value)["value"] === id);
  const declaration = all(programs.get(file) ?? nothing, "ObjectExpression").find(declares);
  if (declaration === undefined) return undefined;
  const { names, words } = read(declaration, file);
  return new Set([...names, ...words, "src/routes/http/crud.ts#crudRoutes"]);
}

/** By the id it was declared with: the constant that an endpoint has in this file. Null: it is declared in another way. */
export function constantOf(file: string, id: string): string | null {
  for (const each of all(programs.get(file) ?? nothing, "VariableDeclarator"))
    if (all(each["init"], "Literal").some(({ value }) => value === id)) return nameOf(each["id"]);
  return null;
}

export const routeFiles = [...programs.keys()].filter((file) => file.startsWith("src/routes/"));

export function mentions(file: string, id: string): boolean {
  return all(programs.get(file) ?? nothing, "Literal").some(({ value }) => value === id);
}

/** Whatever a file declares. */
export function everythingIn(file: string): ReadonlySet<string> {
  return new Set([...declared.keys()].filter((name) => name.startsWith(`${file}#`)));
}

export function canSay(words: ReadonlySet<string>, code: string): boolean {
  return words.has(code) || [...words].some((word) => /^\*\w+$/.test(word) && code.endsWith(word.slice(1)));
}

/** The texts that stand where a code may: in a `code`, as an argument, as a constant. */
export function wordsFrom(names: ReadonlySet<string>): ReadonlySet<string> {
  const seen = new Set(names);
  const words = new Set<string>();
  for (const name of seen) {
    const whole = name.endsWith("#*") ? everythingIn(name.slice(0, -2)) : new Set<string>();
    const { names: next, words: own } = declared.get(name) ?? { names: whole, words: new Set([name]) };
    for (const each of next) seen.add(each);
    for (const each of own) words.add(each);
  }
  return words;
}

function declare(file: string, program: Node): void {
  for (const statement of list(program["body"])) {
    const inner = statement.type === "ExportNamedDeclaration" ? node(statement["declaration"]) : statement;
    for (const each of list(inner["declarations"])) declared.set(`${file}#${nameOf(each["id"])}`, read(each, file));
    if (inner["id"]) declared.set(`${file}#${nameOf(inner["id"])}`, read(inner, file));
  }
}

function read(from: Node, file: string): Declared {
  const imports = importsOf(file);
  const names = new Set<string>();
  const words = new Set<string>();
  for (const each of all(from, "Identifier")) names.add(imports.get(nameOf(each)) ?? `${file}#${nameOf(each)}`);
  for (const { object, property } of all(from, "MemberExpression")) {
    const space = imports.get(nameOf(object));
    if (space?.endsWith("#*")) names.add(space.replace("*", nameOf(property)));
    const port = nameOf(node(node(object)["callee"])["property"]);
    // Asked of the port on the spot, or handed on under that name.
    if (port === "cell" || nameOf(object) === "cell") for (const door of doorsOf(nameOf(property))) names.add(door);
    const asked = nameOf(property);
    if (objects.has(asked)) names.add(`durable-objects/${asked}/${asked}.ts#*`);
  }
  for (const each of codesIn(from)) words.add(each);
  return { names, words };
}

/** What a method of an execution's object leads to. */
function doorsOf(method: string): readonly string[] {
  const isCommand = method === "control" || method === "start";
  const more = method === "start" ? ["durable-objects/execution/apply-input.ts#cellIsFull"] : [];
  return [...(isCommand ? ["src/kernel/execution/step.ts#step"] : []), ...more, `${UNREADABLE}#*`];
}

function codesIn(from: Node): readonly string[] {
  const values = [
    ...all(from, "Property")
      .filter(({ key }) => nameOf(key) === "code")
      .map(({ value }) => value),
    ...all(from, "CallExpression").flatMap((call) => list(call["arguments"])),
    ...all(from, "VariableDeclarator").map(({ init }) => init),
  ];
  return values.flatMap((value) => {
    const { type, consequent, alternate, expression } = node(value);
    const inner =
      type === "ConditionalExpression" ? [consequent, alternate] : [type.startsWith("TS") ? expression : value];
    return inner.map((each) => textOf(node(each))).filter((each) => each !== "");
  });
}

/** With * for what is only known when it runs. */
function textOf({ type, value, quasis }: Node): string {
  if (type === "TemplateLiteral")
    return list(quasis)
      .map((part) => cooked(part["value"]))
      .join("*");
  return typeof value === "string" ? value : "";
}

function cooked(value: unknown): string {
  return (value as { readonly cooked: string }).cooked; // a template's piece, as the parser has it
}

function importsOf(file: string): ReadonlyMap<string, string> {
  const found = known.get(file);
  if (found !== undefined) return found;
  const made = new Map<string, string>();
  for (const each of all(programs.get(file) ?? parsed(file), "ImportDeclaration")) {
    const target = resolved(file, String(node(each["source"])["value"]));
    for (const { type, local, imported } of list(each["specifiers"]))
      made.set(nameOf(local), `${target}#${type === "ImportNamespaceSpecifier" ? "*" : nameOf(imported)}`);
  }
  known.set(file, made);
  return made;
}

function resolved(from: string, name: string): string {
  if (name.startsWith(".")) return normalize(join(dirname(from), name));
  const room = Object.entries(manifest.imports).find(([key]) => name.startsWith(key.replace("*", "")));
  return room === undefined ? name : normalize(room[1].replace("*", name.slice(room[0].length - 1)));
}

function parsed(file: string): Node {
  return node(parseAst(readFileSync(join(root, file), "utf8"), { lang: "ts" }));
}

/** Types say nothing of what happens. */
function all(from: unknown, type: string): Node[] {
  const found: Node[] = [];
  const visit = (each: Node): void => {
    if (each.type === type) found.push(each);
    if (/^TS(?!As|Satisfies|NonNull)/.test(each.type)) return;
    for (const [field, child] of Object.entries(each))
      if (field !== "typeAnnotation")
        for (const inner of Array.isArray(child) ? child : [child]) if (isNode(inner)) visit(inner);
  };
  if (isNode(from)) visit(from);
  return found;
}

function node(value: unknown): Node {
  return isNode(value) ? value : nothing;
}
function list(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}
function nameOf(value: unknown): string {
  return String(node(value)["name"] ?? "");
}
function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}
