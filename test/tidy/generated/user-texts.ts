// The texts of one source file that users see, in the order in which they stand there. The rule is simple and complete
// rather than clever: every string with a letter and a blank in it, the values of a few fields, and the names of log lines.
// SQL, styles and lists of names that are split are not texts.
import { nodesOf, type Node } from "../syntax.ts";

/** Their values are texts, also where they are one word. */
const TEXT_FIELDS = new Set(["summary", "description", "message", "hint", "title", "says", "fix"]);
/** Functions whose arguments name a line of the log. */
const LOGGERS = /^#?(log|againSoon)$/;
const HOLE = "${…}";

export function textsOf(source: string): readonly string[] {
  const seen = nodesOf(source);
  const above = new Map(seen.map(({ node, above: parent }) => [node, parent]));
  const texts = new Map<Node, string>();
  for (const { node } of seen) {
    const text = isPiece(node, above) ? null : textOf(node);
    if (text !== null && isForUsers(node, text, above, texts)) texts.set(node, text);
  }
  return [...texts]
    .toSorted(([one], [other]) => one.start - other.start)
    .map(([node, text]) => shown(node, text, above));
}

type Above = ReadonlyMap<Node, Node | null>;

/** Of a literal, of a template with its holes, and of a sum of them; null where there is no text. */
function textOf(node: Node): string | null {
  if (node.type === "Literal") return typeof node["value"] === "string" ? node["value"] : null;
  if (node.type === "TemplateLiteral")
    return nodesIn(node, "quasis")
      .map((quasi) => (quasi["value"] as { readonly cooked: string }).cooked) // so are all but those of tagged templates
      .join(HOLE);
  if (!isSum(node)) return null;
  const sides = ["left", "right"].flatMap((side) => nodesIn(node, side)).map(textOf);
  return sides.every((side) => side === null) ? null : sides.map((side) => side ?? HOLE).join("");
}

function isForUsers(node: Node, text: string, above: Above, found: ReadonlyMap<Node, string>): boolean {
  const parent = above.get(node);
  if (!/\p{L}/u.test(text) || parent === null || parent === undefined) return false;
  if (isModuleName(node, parent) || parent.type === "TSLiteralType" || isCode(node, text, parent)) return false;
  if (text.includes(" ")) return true;
  return isTextField(node, parent) || isLogName(node, text, above) || isChosen(node, above, found);
}

function isModuleName(node: Node, parent: Node): boolean {
  return parent["source"] === node;
}

/** SQL and styles; and what is split into names at once. */
function isCode(node: Node, text: string, parent: Node): boolean {
  if (parent.type === "TaggedTemplateExpression" && nodesIn(parent, "tag")[0]?.["name"] === "sql") return true;
  if (parent.type === "MemberExpression" && parent["object"] === node) return true;
  return isSqlOrStyle(text);
}

export function isSqlOrStyle(text: string): boolean {
  return SQL.test(text) || STYLES.test(text);
}

const SQL =
  /^\s*(SELECT|INSERT (OR|INTO)|UPDATE \w+ SET|DELETE FROM|CREATE (TABLE|INDEX|UNIQUE)|ALTER TABLE|DROP (TABLE|INDEX)|PRAGMA|CASE\s|FROM |\w+ AS \()|( = | < | <= |LIMIT )\?|IS (NOT )?NULL|->>? '|ON CONFLICT|ORDER BY|GROUP BY|excluded\.|\b(WHERE|INTEGER|DO NOTHING|DO UPDATE)\b/;
const STYLES = /\{ [\w-]+: [^{}]*; /;

function isTextField(node: Node, parent: Node): boolean {
  return parent.type === "Property" && parent["value"] === node && TEXT_FIELDS.has(nameOf(parent, "key"));
}

/** `event: "…"` beside a level, and what is given to a function that logs. */
function isLogName(node: Node, text: string, above: Above): boolean {
  const parent = above.get(node);
  if (!/^[a-z]+([._][a-z]+)*$/.test(text.replaceAll(HOLE, "x")) || !parent) return false;
  if (parent.type === "CallExpression") return logs(parent);
  if (parent.type === "VariableDeclarator") return nameOf(parent, "id") === "event";
  if (parent.type !== "Property" || nameOf(parent, "key") !== "event") return false;
  const object = above.get(parent);
  const hasLevel = object ? nodesIn(object, "properties").some((each) => nameOf(each, "key") === "level") : false;
  const call = object ? above.get(object) : null;
  return hasLevel || (call?.type === "CallExpression" && logs(call));
}

function logs(call: Node): boolean {
  const callee = nodesIn(call, "callee")[0];
  return callee !== undefined && LOGGERS.test(nameOf(callee, "property") || String(callee["name"]));
}

/** A word that is chosen within a text: of `${few ? "few" : "many"} of them` both. */
function isChosen(node: Node, above: Above, found: ReadonlyMap<Node, string>): boolean {
  let child = node;
  let parent = above.get(child);
  const isChoice = (each: Node) => ["ConditionalExpression", "LogicalExpression"].includes(each.type);
  if (!parent || !isChoice(parent)) return false;
  while (parent && isChoice(parent) && parent["test"] !== child) {
    child = parent;
    parent = above.get(child);
  }
  while (parent && isSum(parent) && !found.has(parent)) parent = above.get(parent);
  return parent !== null && parent !== undefined && found.has(parent);
}

/** Part of a sum that is a text as a whole. */
function isPiece(node: Node, above: Above): boolean {
  const parent = above.get(node);
  return parent !== null && parent !== undefined && isSum(parent) && textOf(parent) !== null;
}

function isSum(node: Node): boolean {
  return node.type === "BinaryExpression" && node["operator"] === "+";
}

/** On one line: HTML without its layout, of other texts each break as `\n`. */
function shown(node: Node, text: string, above: Above): string {
  const parent = above.get(node);
  const isHtml = parent?.type === "TaggedTemplateExpression";
  const line = isHtml ? text.replaceAll(/\s+/g, " ").trim() : text;
  return JSON.stringify(line)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"');
}

function nameOf(node: Node, field: string): string {
  const [name] = nodesIn(node, field);
  return String(name?.["name"] ?? name?.["value"] ?? "");
}

/** What a field of a node holds: one node, several, or none. */
function nodesIn(node: Node, field: string): readonly Node[] {
  return [node[field]].flat().filter((each): each is Node => typeof each === "object" && each !== null);
}
