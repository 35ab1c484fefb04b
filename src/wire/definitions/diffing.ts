// Diffs of two versions: API shapes.
import { z } from "zod";
import { aspects, changeKinds, partKinds, type VersionChange } from "#schema/definition/version-change.ts";
import type { Json } from "#schema/json.ts";
import { DIFF_VALUE_BYTES_MAX } from "#schema/limits/definition-sizes.ts";
import { anyJson } from "#schema/values.ts";
import * as query from "../query.ts";
import { presentDefinitionSummary } from "./present.ts";
import { definitionBody, definitionSummary } from "./shape.ts";

/** The version in a query: a number as text, `published`, `draft` or `before`. */
const versionAsked = z
  .string()
  .regex(/^(?:[1-9]\d{0,8}|published|draft|before)$/, {
    message: "must be a version's number, published, draft or before",
  })
  .transform(whichOf)
  .optional();

export const diffQuery = query.pageQueryWith({
  from: versionAsked.meta({
    description:
      "A version's number, `published`, `draft` (the newest), or `before` (the version that a rollback restores).",
    examples: ["published"],
  }),
  to: versionAsked.meta({
    description:
      "The other version, written as in `from`. Default: the newest draft; if there is no draft, the published version.",
    examples: ["draft"],
  }),
});

type Asked = number | "published" | "draft" | "before";
export type DiffOptions = {
  readonly from?: Asked;
  readonly to?: Asked;
  readonly cursor?: string;
  readonly limit?: number;
};

export const diffInlineQuery = diffQuery.omit({ to: true });
export const diffInlineBody = z
  .strictObject({ definition: definitionBody })
  .meta({ id: "DiffInlineDefinition", description: "An unsaved definition." });
export type DiffInlineBody = z.input<typeof diffInlineBody>;

const count = z.number().int();

export const versionChange = z
  .object({
    kind: z.enum(changeKinds),
    part: z.object({
      kind: z.enum(partKinds),
      name: z.string().nullable().meta({ description: "The name of the part; for a nested state, its path." }),
    }),
    what: z
      .string()
      .meta({ description: "The place of the change in words.", examples: ["state open > on > paid > guard"] }),
    aspect: z.enum(aspects),
    fromPointer: z
      .string()
      .nullable()
      .meta({ description: "A JSON pointer into the version `from`; null if that version does not have the part." }),
    pointer: z
      .string()
      .nullable()
      .meta({ description: "A JSON pointer into the version `to`; null if that version does not have the part." }),
    was: anyJson,
    is: anyJson,
    leftOut: z
      .array(z.enum(["was", "is"]))
      .meta({
        description: `The values that are null because they have more than ${DIFF_VALUE_BYTES_MAX} bytes. To see these values, read the version.`,
      }),
  })
  .meta({ id: "VersionChange" });
type ApiVersionChange = z.infer<typeof versionChange>;

export const definitionDiff = z
  .object({
    from: definitionSummary
      .nullable()
      .meta({ description: "The version `from`; null if nothing is published, so that everything is new." }),
    to: definitionSummary.nullable().meta({ description: "The version `to`; null if the definition is not stored." }),
    same: z.boolean(),
    total: count.meta({ description: "The total number of changes." }),
    counts: z.object({ added: count, removed: count, changed: count, reordered: count }),
    data: z
      .array(versionChange)
      .meta({ description: "The changes in reading order, from the head of the definition to its tests." }),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: "DefinitionDiff" });
export type ApiDefinitionDiff = z.infer<typeof definitionDiff>;

function whichOf(asked: string) {
  const words = ["published", "draft", "before"] as const;
  return words.find((word) => word === asked) ?? Number(asked);
}

type Diffed = {
  readonly from: Parameters<typeof presentDefinitionSummary>[0] | null;
  readonly to: Parameters<typeof presentDefinitionSummary>[0] | null;
  readonly changes: readonly VersionChange[];
  readonly page: query.Page<VersionChange>;
};

export function presentDiff({ from, to, changes, page }: Diffed): ApiDefinitionDiff {
  const countOf = (kind: VersionChange["kind"]) => changes.filter((change) => change.kind === kind).length;
  return {
    from: from && presentDefinitionSummary(from),
    to: to && presentDefinitionSummary(to),
    same: changes.length === 0,
    total: changes.length,
    counts: {
      added: countOf("added"),
      removed: countOf("removed"),
      changed: countOf("changed"),
      reordered: countOf("reordered"),
    },
    data: page.data.map(presentChange),
    nextCursor: page.nextCursor,
  };
}

function presentChange({ kind, part, aspect, path, fromPointer, pointer, was, is }: VersionChange): ApiVersionChange {
  const [large, larger] = [isLarge(was), isLarge(is)];
  return {
    kind,
    part: { ...part },
    aspect,
    fromPointer,
    pointer,
    what: [[part.kind, part.name].filter((each) => each !== null).join(" "), ...path].join(" > "),
    was: large ? null : was,
    is: larger ? null : is,
    leftOut: [...(large ? (["was"] as const) : []), ...(larger ? (["is"] as const) : [])],
  };
}

function isLarge(value: Json): boolean {
  return new TextEncoder().encode(JSON.stringify(value)).byteLength > DIFF_VALUE_BYTES_MAX;
}
