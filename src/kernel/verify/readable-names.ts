// The names that rules and templates can read. Also finds, for an unknown name, the name that the author probably
// meant.
import { didYouMean } from "#schema/suggest.ts";

const messageFields = ["id", "type", "payload", "source", "correlationId"];
/**
 * The second names of the paths that exist, by their first name. null: the definition's author chooses the second
 * names, or they are unknown.
 */
const readableNames: { readonly [root: string]: readonly string[] | null } = {
  execution: ["id", "tenant", "namespace", "definition", "correlationId", "createdAt", "variables"],
  message: messageFields,
  previousState: null,
  currentState: null,
  now: null,
  action: ["inProgress", "actionName", "startedAt", "succeeded", "failed", "errorMessage", "retries", "delivery"],
  tenant: ["id"],
};
/** Additional names that only one kind of definition has, in the form of `readableNames`. */
export type AdditionalNames = { readonly [root: string]: readonly string[] | null };
const NO_NAMES: AdditionalNames = {};
/** Additional names in journeys: the item of a list, its index, and the node that is undone. */
export const namesInJourneys: AdditionalNames = { item: null, index: null, node: null };

/** Additional names in the rules of reconcilers. Only the collector's rule can read `result`. */
export const namesInReconcilers: AdditionalNames = {
  observed: null,
  desired: null,
  variables: null,
  state: ["name", "since", "reason"],
  result: null,
};

/**
 * The canonical path of `observed.actionStatus`, by which the rules of reconcilers may also read `action`. null: the path
 * does not use this alias.
 */
export function withoutAlias(path: readonly string[], given: AdditionalNames): readonly string[] | null {
  const isAlias = Object.hasOwn(given, "observed") && path[0] === "observed" && path[1] === "actionStatus";
  return isAlias ? ["action", ...path.slice(2)] : null;
}

export const readableRoots: readonly string[] = Object.keys(readableNames);

/** Names that other workflow engines use for what is `execution.variables`, `message` or `message.payload` here. */
const NAMES_OF_VARIABLES = new Set(["variables", "vars", "context", "ctx"]);
const NAMES_OF_MESSAGE = new Set(["event", "msg"]);
const NAMES_OF_PAYLOAD = new Set(["payload", "data", "body"]);

export function isReadable(path: readonly string[], given: AdditionalNames = NO_NAMES): boolean {
  const [root, field] = [String(path[0]), path[1]];
  const names = Object.hasOwn(readableNames, root) ? readableNames : given;
  return Object.hasOwn(names, root) && (field === undefined || names[root]?.includes(field) !== false);
}

/**
 * Whether the path starts with a name of this engine or of another engine. The author then meant a path and not plain
 * text.
 */
export function resemblesPath(path: readonly string[]): boolean {
  const root = String(path[0]);
  return (
    Object.hasOwn(readableNames, root) ||
    [NAMES_OF_VARIABLES, NAMES_OF_MESSAGE, NAMES_OF_PAYLOAD].some((names) => names.has(root))
  );
}

/**
 * The path that the author probably meant; null if no existing path is similar. `variables`: the names of the
 * definition's variables.
 */
export function intendedPath(
  path: readonly string[],
  variables: ReadonlySet<string>,
  given: AdditionalNames = NO_NAMES,
): string | null {
  const [root, field] = [String(path[0]), String(path[1])];
  const [rest, inner] = [path.slice(1), path.slice(2)];
  if (variables.has(root)) return join(["execution", "variables", ...path]);
  if (NAMES_OF_VARIABLES.has(root)) return join(["execution", "variables", ...(field === "variables" ? inner : rest)]);
  if (NAMES_OF_PAYLOAD.has(root)) return join(["message", "payload", ...rest]);
  if (NAMES_OF_MESSAGE.has(root)) return rest.length === 0 ? "message" : intendedMessagePath(rest);
  if (root === "message") return intendedMessagePath(rest);
  if (root === "execution" && variables.has(field)) return join(["execution", "variables", ...rest]);
  const known = fieldsOf(root, given);
  const near = known ? didYouMean(field, known) : didYouMean(root, [...readableRoots, ...Object.keys(given)]);
  if (near === null) return null;
  const meant = known ? [root, near, ...inner] : [near, ...rest];
  return isReadable(meant, given) ? join(meant) : intendedPath(meant, variables, given);
}

function intendedMessagePath(rest: readonly string[]): string {
  const [field, inner] = [String(rest[0]), rest.slice(1)];
  if (messageFields.includes(field)) return join(["message", ...rest]);
  if (NAMES_OF_PAYLOAD.has(field)) return join(["message", "payload", ...inner]);
  const near = didYouMean(field, messageFields);
  return near === null ? join(["message", "payload", ...rest]) : join(["message", near, ...inner]);
}

/** A sentence that lists the names that exist where the path goes wrong. */
export function existingNames(path: readonly string[], given: AdditionalNames): string {
  const root = String(path[0]);
  const fields = fieldsOf(root, given);
  const roots = [...readableRoots, ...Object.keys(given)];
  return fields ? `${root} has ${fields.join(", ")}.` : `Known names: ${roots.join(", ")}.`;
}

function fieldsOf(root: string, given: AdditionalNames): readonly string[] | null {
  const names = readableRoots.includes(root) ? readableNames : given;
  return Object.entries(names).find(([name]) => name === root)?.[1] ?? null;
}

function join(names: readonly string[]): string {
  return names.join(".");
}
