// The API's description, read once for all that is made from it, and its operations.
import type { JsonObject } from "./contract.ts";
import { described } from "./described.ts";

export type Operation = {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly tag: string;
  /** null: it needs no key. */
  readonly scope: string | null;
  readonly hasBody: boolean;
  /** What it may be refused with. */
  readonly codes: readonly string[];
};

/** As far as it is read here; scripts/openapi/described.ts prints it. */
type Document = JsonObject & {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: { readonly [path: string]: { readonly [method: string]: Described } };
  readonly components: { readonly responses: { readonly [name: string]: Answer } };
};
type Described = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly JsonObject[];
  readonly requestBody?: JsonObject;
  readonly responses: { readonly [status: string]: Answer };
};
type Answer = { readonly $ref?: string; readonly content?: { readonly [type: string]: { readonly schema: Schema } } };
type Schema = {
  readonly allOf?: readonly { readonly properties?: { readonly code?: { readonly enum: readonly string[] } } }[];
};

let read: Document | null = null;

export function apiDocument(): Document {
  return (read ??= JSON.parse(described()) as Document);
}

/** In the order of the description. */
export function operations(): readonly Operation[] {
  return Object.entries(apiDocument().paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      operationId: described.operationId,
      summary: described.summary,
      tag: described.tags[0] ?? "",
      scope: scopeOf(described),
      hasBody: described.requestBody !== undefined,
      codes: Object.values(described.responses).flatMap(codesOf),
    })),
  );
}

function scopeOf({ operationId, security = [], description = "" }: Described): string | null {
  if (security.length === 0) return null;
  if (description.endsWith("Every API key may call this endpoint.")) return "any";
  const scope = /scope `(\w+)`/.exec(description)?.[1];
  if (scope === undefined) throw new Error(`the description of ${operationId} names no scope`);
  return scope;
}

function codesOf({ $ref, content }: Answer): readonly string[] {
  if ($ref !== undefined) return codesOf(apiDocument().components.responses[$ref.split("/").at(-1) ?? ""] ?? {});
  const schema = content?.["application/problem+json"]?.schema;
  return (schema?.allOf ?? []).flatMap(({ properties }) => properties?.code?.enum ?? []);
}
