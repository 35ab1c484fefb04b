// Reference schemas: renders the schemas and the problem codes for the reference page.
import { html } from "hono/html";
import { problemCode } from "#wire/problem.ts";
import type { Document } from "./openapi.ts";
import { refusalStatus } from "../http/refusal-status.ts";
import { problemGuide } from "./problem-guide.ts";
import { inline } from "./text.ts";

/** The keywords of JSON Schema that the page reads. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
  readonly additionalProperties?: unknown;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly description?: string;
  readonly examples?: readonly unknown[];
};

/** Casts a part of the engine's own document to a schema. A value that is not an object becomes an empty schema. */
export function asSchema(value: unknown): Schema {
  return typeof value === "object" && value !== null ? (value as Schema) : {};
}

type Markup = ReturnType<typeof html> | string | readonly Markup[];

export function typeLabel(schema: Schema): Markup {
  if (schema.$ref !== undefined) return link(schema.$ref.split("/").at(-1) ?? "");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return joined(choices, " | ");
  if (schema.allOf !== undefined) return joined(schema.allOf, " and ");
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.items !== undefined) return ["list of ", typeLabel(schema.items)];
  if (schema.properties !== undefined) return fields(schema);
  return typeof schema.type === "string" ? schema.type : (schema.type ?? ["any"]).join(" | ");
}

function joined(schemas: readonly Schema[], by: string): Markup {
  return schemas.map((each, n) => (n === 0 ? typeLabel(each) : [by, typeLabel(each)]));
}

function link(name: string): Markup {
  return html`<a href="#schema-${name}">${name}</a>`;
}

export function renderSchemas(document: Document): Markup {
  const named = Object.entries(document.components?.schemas ?? {});
  return html`<h2 id="schemas">Schemas</h2>
    ${named.map(([name, schema]) => renderSchema(name, asSchema(schema)))}`;
}

function renderSchema(name: string, schema: Schema): Markup {
  const [example] = schema.examples ?? [];
  return html`<section id="schema-${name}">
    <h3>${name}</h3>
    ${schema.description === undefined ? "" : html`<p>${inline(schema.description)}</p>`}
    ${schema.properties === undefined ? html`<p>${typeLabel(schema)}</p>` : fields(schema)}
    ${example === undefined ? "" : html`<pre>${JSON.stringify(example, null, 2)}</pre>`}
  </section>`;
}

function fields(schema: Schema): Markup {
  return html`<table>
    <tbody>
      ${Object.entries(schema.properties ?? {}).map(
        ([name, field]) =>
          html`<tr>
            <td><code>${name}</code>${schema.required?.includes(name) ? "" : html` <em>optional</em>`}</td>
            <td>${typeLabel(field)}</td>
            <td>${inline(field.description ?? "")}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

export function renderProblems(): Markup {
  return html`<h2 id="problems">Problem codes</h2>
    <table>
      <thead>
        <tr>
          <th>Code</th>
          <th>Status</th>
          <th>Meaning</th>
          <th>What to do</th>
        </tr>
      </thead>
      <tbody>
        ${problemCode.options.map((code) => {
          const { status, retryAfterS } = refusalStatus(code);
          const again = retryAfterS === undefined ? "" : " A retry of the same request may succeed.";
          const { meaning, fix } = problemGuide[code];
          return html`<tr id="${code}">
            <td><code>${code}</code></td>
            <td>${status}</td>
            <td>${inline(`${meaning}${again}`)}</td>
            <td>${inline(fix)}</td>
          </tr>`;
        })}
      </tbody>
    </table>`;
}
