// Guarded endpoints: declares the entry of an endpoint in /openapi.json together with the checks of its requests.
import { createRoute } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { z, type ZodType } from "zod";
import { textBodies } from "./body.ts";
import { access, type Access, type EndpointId } from "./endpoint-access.ts";
import type { AppEnv, RequestSchemas } from "./context.ts";
import { guard } from "./guard.ts";
import type { Tag } from "./tags.ts";

type Declaration<Path extends string, Method, Request> = {
  readonly method: Method;
  readonly path: Path;
  readonly summary: string;
  readonly description?: string;
  readonly tag: Tag;
  readonly request: Request;
  /** The schema of the response body; null: the response is 204 without a body. */
  readonly answer: ZodType | null;
  readonly mediaType?: "text/plain";
  /** Further media types of the response, each with a text as its body. */
  readonly alsoAs?: readonly string[];
  readonly status?: 200 | 201 | 202;
  /** The schema of a dry run's response (200), if it differs from `answer`. */
  readonly dryAnswer?: ZodType;
};

export function endpoint<
  const Path extends string,
  const Method extends "get" | "post" | "put" | "patch" | "delete",
  const Request extends RequestDeclaration,
>(id: EndpointId, declared: Declaration<Path, Method, Request>) {
  return createRoute({
    operationId: id,
    method: declared.method,
    path: declared.path,
    summary: declared.summary,
    description: [declared.description, scopeSentence(access[id])].filter(Boolean).join("\n\n"),
    tags: [declared.tag],
    security: [{ key: [] }],
    request: declared.request,
    middleware: [setSchemas(requestSchemas(declared.request)), guard(id)],
    responses:
      declared.answer === null
        ? { ...noContent, ...dryResponse(declared.dryAnswer) }
        : responsesOf(declared.answer, declared.status ?? 200, declared.dryAnswer, declared.mediaType, declared.alsoAs),
  });
}

function scopeSentence({ scope }: Access): string {
  return scope === null ? "Every API key may call this endpoint." : `The API key needs the scope \`${scope}\`.`;
}

/**
 * The statuses are not literal types, because the presenters already type the responses, and a second check would make
 * compiling slow. Refusals are listed in endpoint-refusals.ts.
 */
export type Responses = {
  [status: string]: { description: string; content?: { [type: string]: { schema: ZodType } } };
};

export function responsesOf(
  schema: ZodType,
  status: number,
  dryAnswer?: ZodType,
  type = "application/json",
  textTypes: readonly string[] = [],
): Responses {
  const texts = textTypes.map((textType) => [textType, { schema: z.string() }]);
  const content = { [type]: { schema }, ...Object.fromEntries(texts) };
  return {
    [status]: { description: DESCRIPTIONS[status] ?? "The response.", content },
    ...(status === 201
      ? { 200: { description: "The request was already carried out, or this is a dry run.", content } }
      : {}),
    ...dryResponse(dryAnswer),
  };
}

function dryResponse(schema: ZodType | undefined): Responses {
  return schema === undefined
    ? {}
    : { 200: { description: "The answer to a dry run.", content: { "application/json": { schema } } } };
}

const noContent: Responses = { 204: { description: "The request was carried out." } };

const DESCRIPTIONS: { readonly [status: number]: string } = { 201: "Done.", 202: "Begun." };

export function jsonBody<Schema extends ZodType>(schema: Schema, required = true) {
  return { required, content: { "application/json": { schema } } };
}

/** A JSON body that may also be a text, which is read as one of its fields. `id`: the endpoint's. */
export function jsonOrTextBody<Schema extends ZodType>(schema: Schema, id: EndpointId) {
  const type = textBodies.get(id)?.type;
  const { required, content } = jsonBody(schema);
  return { required, content: { ...content, ...(type === undefined ? {} : { [type]: { schema: z.string() } }) } };
}

type RequestDeclaration = {
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: { readonly required: boolean; readonly content: { "application/json": { schema: ZodType } } };
};

export function setSchemas(declared: RequestSchemas): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    c.set("schemas", declared);
    return next();
  };
}

function requestSchemas({ params, query, body }: RequestDeclaration): RequestSchemas {
  return {
    ...(params === undefined ? {} : { param: params }),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { json: body.content["application/json"].schema }),
  };
}
