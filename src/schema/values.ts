// Shared values: parts that occur in many shapes, in the schema and on the wire. The API reference and /openapi.json
// show their `meta`.
import { z } from "zod";
import type { Json, JsonObject } from "./json.ts";
import { isOwnId, ownIdMessage } from "./ids.ts";
import { ID_CHARS_MAX } from "./limits/api-requests.ts";

/** The JSON Schema of any JSON value. It names lists and objects explicitly, because type generators need them. */
export const ANY_JSON = {
  type: ["string", "number", "boolean", "null", "array", "object"],
  items: {},
  additionalProperties: true,
} as const;

/** Any JSON value. It is not checked again, because a parsed request body contains only JSON. */
export const anyJson = z
  .custom<Json>((value) => value !== undefined, { message: "any JSON value is expected" })
  .meta({ ...ANY_JSON, type: [...ANY_JSON.type] });
export const anyObject = z
  .custom<JsonObject>((value) => typeof value === "object" && value !== null && !Array.isArray(value), {
    message: "a JSON object is expected",
  })
  .meta({ type: "object", additionalProperties: true });

export const instant = z.string().meta({ format: "date-time", examples: ["2026-11-18T10:00:00.000Z"] });

export const tenantId = z
  .string()
  .max(63)
  .regex(/^[a-z0-9][a-z0-9-]*$/, { message: "must be lower-case letters, digits and -, at most 63" })
  .meta({ examples: ["acme"] });

export const namespace = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/, {
    message: "must begin with a letter or digit and contain only letters, digits, . _ and -",
  })
  .meta({ description: "A label by which lists can be filtered.", examples: ["default"] });

export const correlationId = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: "An id that the client chooses. The engine stores the id, and lists can be filtered by it." });

export const reason = z
  .string()
  .min(1)
  .max(500)
  .meta({ description: "The reason, which is stored in the history and in the audit log." });

export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, { message: "must be 1 to 200 visible ASCII characters" })
  .refine((key) => !isOwnId(key), { message: ownIdMessage });

export function toInstant(at: number): string;
export function toInstant(at: number | null): string | null;
export function toInstant(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
