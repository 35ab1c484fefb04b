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
  const tagged = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const found = item[method];
      return found === undefined
        ? []
        : [{ tag: found.tags?.[0] ?? "Other", endpoint: read(method, path, found, document) }];
    }),
  );
  return Array.from(
    Map.groupBy(tagged, ({ tag }) => tag),
    ([tag, members]) => [tag, members.map((m) => m.endpoint)] as const,
  );
}

type Raw = NonNullable<NonNullable<Document["paths"]>[string]["get"]>;

function read(method: string, path: string, raw: Raw, document: Document): Endpoint {
  const responses = Object.entries(raw.responses ?? {}).map(([status, response]: [string, unknown]) => ({
    status,
    schema: bodyOf(resolveReference(response, document)),
  }));
  return {
    id: raw.operationId ?? `${method}${path}`,
    method: method.toUpperCase(),
    path,
    summary: raw.summary ?? "",
    description: raw.description ?? "",
    parameters: (raw.parameters ?? []).flatMap((parameter) =>
      "$ref" in parameter
        ? []
        : [
            {
              name: parameter.name,
              place: parameter.in,
              required: parameter.required === true,
              meaning: parameter.description ?? "",
              schema: asSchema(parameter.schema),
            },
          ],
    ),
    body: bodyOf(raw.requestBody),
    answers: responses.filter(({ schema }) => codesOf(schema).length === 0),
    refusals: responses
      .map(({ status, schema }) => ({ status, codes: codesOf(schema) }))
      .filter(({ codes }) => codes.length > 0),
  };
}

/** Resolves a reference to a response that several endpoints share. */
function resolveReference(response: unknown, { components }: Document): unknown {
  const { $ref } = asSchema(response);
  return $ref === undefined ? response : components?.responses?.[$ref.split("/").at(-1) ?? ""];
}

/** Returns the codes of a refusal; empty for a response of success. */
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
