// What a description of an API asks of a request's body, as a flat list: one path a line, with its type and what else is
// said of it. Made alike of a provider's own description and of our extract of it, so that the two can be compared.

/** JSON Schema as OpenAPI, Swagger and Google's discovery have it; only the words that are looked at. */
export type Described = {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: { readonly [name: string]: Described };
  readonly required?: readonly string[] | boolean;
  readonly additionalProperties?: Described | boolean;
  readonly items?: Described;
  readonly allOf?: readonly Described[];
  readonly anyOf?: readonly Described[];
  readonly oneOf?: readonly Described[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
} & { readonly [limit in Limit]?: unknown };

type Limit = (typeof LIMITS)[number];
const LIMITS = [
  ...["format", "pattern", "minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"],
  "uniqueItems",
] as const;

/** `closed`: an object whose fields are all named. `said`: enum, format, pattern and limits. */
export type Fact = {
  readonly types: readonly string[];
  readonly required: boolean;
  readonly closed: boolean;
  readonly said: { readonly [word: string]: unknown };
};
export type Facts = ReadonlyMap<string, Fact>;

type Reading = {
  readonly resolve: (ref: string) => Described;
  /** Whether to look at what stands at this path. */
  readonly wants: (path: string, required: boolean) => boolean;
};
const nothingToResolve = (ref: string): Described => {
  throw new Error(`an extract refers to nothing, and this one to ${ref}`);
};
const asItStands: Reading = { resolve: nothingToResolve, wants: () => true };

export function factsOf(body: Described, reading: Reading = asItStands): Facts {
  const facts = new Map<string, Fact>();
  look({ path: "", described: body, required: true, inside: [] }, reading, facts);
  return facts;
}

type Place = {
  readonly path: string;
  readonly described: Described;
  readonly required: boolean;
  /** The names that were resolved on the way here: one that comes back is not opened again. */
  readonly inside: readonly string[];
};

function look({ path, described, required, inside }: Place, reading: Reading, facts: Map<string, Fact>): void {
  const { whole, refs } = resolved(described, reading);
  const variants = (whole.oneOf ?? whole.anyOf ?? [whole]).map((each) => resolved(each, reading));
  const isKnown = refs.some((ref) => inside.includes(ref));
  for (const { whole: variant, refs: more } of variants) {
    note(facts, path, { types: typesOf(variant), required, closed: isClosed(variant), said: saidOf(variant) });
    for (const [below, child, isRequired] of childrenOf(variant)) {
      // A list is as good as its items, which are always named.
      if (below !== "[]" && (isKnown || !reading.wants(path + below, isRequired))) continue;
      const place = {
        path: path + below,
        described: child,
        required: isRequired,
        inside: [...inside, ...refs, ...more],
      };
      look(place, reading, facts);
    }
  }
}

function childrenOf(variant: Described): (readonly [string, Described, boolean])[] {
  const { properties = {}, additionalProperties: others, items, required } = variant;
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  return [
    ...Object.entries(properties).map(([name, child]) => [`.${name}`, child, isRequired(name)] as const),
    ...(typeof others === "object" ? [[".*", others, false] as const] : []),
    ...(items === undefined ? [] : [["[]", items, false] as const]),
  ];
}

function resolved(described: Described, reading: Reading): { whole: Described; refs: readonly string[] } {
  const refs: string[] = [];
  let whole = described;
  while (whole.$ref !== undefined) {
    refs.push(whole.$ref);
    whole = reading.resolve(whole.$ref);
  }
  for (const part of whole.allOf ?? []) {
    const other = resolved(part, reading);
    refs.push(...other.refs);
    whole = { ...whole, ...other.whole };
  }
  return { whole, refs };
}

function typesOf({ type, properties }: Described): string[] {
  return [type ?? (properties === undefined ? "any" : "object")];
}

function isClosed({ properties = {}, additionalProperties: others = false }: Described): boolean {
  return Object.keys(properties).length > 0 && others === false;
}

function saidOf(variant: Described): Fact["said"] {
  const values = variant.const === undefined ? variant.enum : [variant.const];
  const limits = LIMITS.filter((word) => variant[word] !== undefined && variant[word] !== false);
  return {
    ...(values === undefined ? {} : { enum: values }),
    ...Object.fromEntries(limits.map((word) => [word, variant[word]])),
  };
}

/** A field that may be of several kinds is one line with all that is said of any. */
function note(facts: Map<string, Fact>, path: string, fact: Fact): void {
  const name = path.replace(/^\./, "");
  const known = facts.get(name);
  if (known === undefined) return void facts.set(name, fact);
  const types = [...new Set([...known.types, ...fact.types])];
  const closed = known.closed || fact.closed;
  facts.set(name, { types, required: known.required, closed, said: { ...known.said, ...fact.said } });
}

/** One fact a line: `to: string|array; required; minItems 1`. */
export function factsAsText(facts: Facts): string {
  const lines = [...facts].map(([path, { types, required, closed, said }]) => {
    const limits = Object.entries(said).map(([word, value]) => `${word} ${JSON.stringify(value)}`);
    const words = [types.join("|"), ...(required ? ["required"] : []), ...(closed ? ["closed"] : []), ...limits];
    return `${path === "" ? "(body)" : path}: ${words.join("; ")}\n`;
  });
  return lines.join("");
}

export function factsFromText(text: string): Facts {
  const lines = text.split("\n").filter((line) => line !== "");
  return new Map(lines.map(factFromLine));
}

function factFromLine(line: string): readonly [string, Fact] {
  const [, path = "", rest = ""] = /^(\S+|\(body\)): (.*)$/.exec(line) ?? [];
  const [types = "", ...words] = rest.split("; ");
  const limits = words.filter((word) => word !== "required" && word !== "closed");
  const said = limits.map((word) => {
    const at = word.indexOf(" ");
    return [word.slice(0, at), JSON.parse(word.slice(at + 1)) as unknown] as const;
  });
  const [required, closed] = [words.includes("required"), words.includes("closed")];
  return [path === "(body)" ? "" : path, { types: types.split("|"), required, closed, said: Object.fromEntries(said) }];
}
