// Reference endpoints: reads endpoints from the OpenAPI document and renders them for the reference page.
import { html } from "hono/html";
import type { Document } from "./openapi.ts";
import { inline, paragraphs } from "./text.ts";
import { asSchema, typeLabel, type Schema } from "./schemas.ts";

type Parameter = {
  readonly name: string;
  readonly place: string;
  readonly required: boolean;
  readonly meaning: string;
  readonly schema: Schema;
};
export type Endpoint = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  readonly answers: readonly { readonly status: string; readonly schema: Schema | null }[];
  readonly refusals: readonly { readonly status: string; readonly codes: readonly string[] }[];
};

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

export function endpointsByTag(document: Document): readonly (readonly [string, readonly Endpoint[]])[] {
  const byTag = new Map<string, Endpoint[]>();
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined) continue;
      const tag = operation.tags?.[0] ?? "Other";
      byTag.set(tag, [...(byTag.get(tag) ?? []), endpointOf(method, path, operation, document)]);
    }
  }
  return [...byTag];
}

type Operation = NonNullable<NonNullable<Document["paths"]>[string]["get"]>;

function endpointOf(method: string, path: string, operation: Operation, document: Document): Endpoint {
  const responses = Object.entries(operation.responses ?? {}).map(([status, response]: [string, unknown]) => {
    const schema = bodyOf(resolveReference(response, document));
    return { status, schema, codes: codesOf(schema) };
  });
  return {
    id: operation.operationId ?? `${method}${path}`,
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? "",
    description: operation.description ?? "",
    parameters: parametersOf(operation),
    body: bodyOf(operation.requestBody),
    answers: responses.filter(({ codes }) => codes.length === 0),
    refusals: responses.filter(({ codes }) => codes.length > 0),
  };
}

/**
 * Returns the parameters of an operation. The engine's document contains them in the operation itself, never as a
 * reference.
 */
function parametersOf({ parameters = [] }: Operation): readonly Parameter[] {
  return parameters.flatMap((parameter) => {
    if ("$ref" in parameter) return [];
    const { name, in: place, required = false, description: meaning = "", schema } = parameter;
    return [{ name, place, required, meaning, schema: asSchema(schema) }];
  });
}

/** Resolves a reference to a response that several endpoints share. */
function resolveReference(response: unknown, { components }: Document): unknown {
  const { $ref } = asSchema(response);
  return $ref === undefined ? response : components?.responses?.[$ref.split("/").at(-1) ?? ""];
}

/** Returns the problem codes that the schema of a refusal lists; empty for a success. */
function codesOf(schema: Schema | null): readonly string[] {
  const [, narrower] = schema?.allOf ?? [];
  return (narrower?.properties?.["code"]?.enum ?? []).map(String);
}

function bodyOf(holder: unknown): Schema | null {
  const { content } = asSchema(holder) as { content?: Record<string, { schema?: unknown }> }; // OpenAPI's own shape of responses and request bodies
  const [first] = Object.values(content ?? {});
  return first === undefined ? null : asSchema(first.schema);
}

export function renderEndpoint(endpoint: Endpoint) {
  return html`<section id="${endpoint.id}">
    <h3><code class="${endpoint.method.toLowerCase()}">${endpoint.method}</code> <code>${endpoint.path}</code></h3>
    <p><strong>${endpoint.summary}</strong></p>
    ${paragraphs(endpoint.description)} ${endpoint.parameters.length > 0 ? renderParameters(endpoint.parameters) : ""}
    <dl>
      ${
        endpoint.body === null
          ? ""
          : html`<dt>Body</dt>
              <dd>${typeLabel(endpoint.body)}</dd>`
      }
      ${endpoint.answers.map(
        ({ status, schema }) =>
          html`<dt>${status}</dt>
            <dd>${schema === null ? "–" : typeLabel(schema)}</dd>`,
      )}
      ${endpoint.refusals.map(
        ({ status, codes }) =>
          html`<dt>${status}</dt>
            <dd>${codes.map((code) => html`<a href="#${code}"><code>${code}</code></a> `)}</dd>`,
      )}
    </dl>
  </section>`;
}

function renderParameters(parameters: readonly Parameter[]) {
  return html`<table>
    <thead>
      <tr>
        <th>Parameter</th>
        <th>In</th>
        <th>Type</th>
        <th>Meaning</th>
      </tr>
    </thead>
    <tbody>
      ${parameters.map(
        (one) =>
          html`<tr>
            <td><code>${one.name}</code>${one.required ? html` <em>required</em>` : ""}</td>
            <td>${one.place}</td>
            <td>${typeLabel(one.schema)}</td>
            <td>${inline(one.meaning)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
