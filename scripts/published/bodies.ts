// Request body reader: finds an operation's body in a provider's description, in any of the supported formats.
import type { Described } from "../../test/support/published-facts.ts";
import type { Body, Source } from "./sources.ts";

/** `read` returns a file's text and records that the file was read. */
export function bodyIn({ kind, path, operation, body }: Source, read: (path: string) => string): Body {
  const [method = "", address = ""] = operation.split(" ");
  const operationAt = ["paths", address, method.toLowerCase()];
  switch (kind) {
    case "openapi": {
      const whole: unknown = JSON.parse(read(path));
      const resolve = (ref: string) => at(whole, ref.split("/").slice(1)) as Described; // the reference names a field's description
      const request = at(whole, [...operationAt, "requestBody"]) as Described; // OpenAPI: a body, or a reference to one
      const found = request.$ref === undefined ? request : resolve(request.$ref);
      return { body: at(found, ["content", body, "schema"]) as Described, resolve };
    }
    case "swagger-form": {
      const parameters = at(JSON.parse(read(path)), [...operationAt, "parameters"]) as Parameter[]; // Swagger lists parameters in this shape
      return { body: formOf(parameters.filter((each) => each.in === body)), resolve: refuseReference };
    }
    case "discovery": {
      const schemas = at(JSON.parse(read(path)), ["schemas"]);
      return { body: { $ref: body }, resolve: (ref) => at(schemas, [ref]) as Described }; // every entry is a schema
    }
    case "models":
      return { body: { $ref: body }, resolve: (ref) => modelOf(read(`${path}/${ref}.js`)) };
  }
}

type Parameter = Described & { readonly in: string; readonly name: string };

function formOf(parameters: readonly Parameter[]): Described {
  const required = parameters.filter((each) => each.required === true).map(({ name }) => name);
  return { type: "object", properties: Object.fromEntries(parameters.map((each) => [each.name, each])), required };
}

/**
 * Reads the fields from a generated JavaScript model, which converts each one: `obj['a'] =
 * ApiClient.convertToType(data['a'], 'String')`.
 */
function modelOf(text: string): Described {
  const properties: { [name: string]: Described } = {};
  for (const [, name = "", how = ""] of text.matchAll(/obj\['(\w+)'\] = (.*);$/gm)) properties[name] = fieldOf(how);
  return { type: "object", properties };
}

function fieldOf(how: string): Described {
  const object = /^(\w+)\.constructFromObject\(/.exec(how)?.[1];
  if (object !== undefined && object !== "ApiClient") return { $ref: object };
  const type = /convertToType\(data\['\w+'\], (.*)\)$/.exec(how)?.[1] ?? "";
  const items = /^\[(.*)\]$/.exec(type)?.[1];
  return items === undefined ? typeOf(type) : { type: "array", items: typeOf(items) };
}

function typeOf(word: string): Described {
  const plain = /^'(String|Boolean|Number|Date)'$/.exec(word)?.[1];
  if (plain !== undefined) return { type: plain === "Date" ? "string" : plain.toLowerCase() };
  return /^\w+$/.test(word) ? { $ref: word } : {};
}

function at(whole: unknown, path: readonly string[]): unknown {
  const value = path.reduce<unknown>((part, key) => (part as { [name: string]: unknown } | undefined)?.[key], whole);
  if (value === undefined) throw new Error(`the description has no ${path.join(" > ")}`);
  return value;
}

function refuseReference(ref: string): never {
  throw new Error(`a form's fields refer to nothing, and this one to ${ref}`);
}
