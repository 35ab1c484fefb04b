// The part of zod that the bundle contains. `wrangler.toml` lets this file replace the module `zod`, because a bundler
// keeps all of that module: it does not know which parts of the object `z` are used. The unused parts, above all messages
// in fifty languages, are an eighth of the bundle. Types and tests use the whole module.
//
// The path leads into the package, because `zod` would be replaced here, too.
import * as zod from "../../node_modules/zod/v4/classic/external.js";

export { ZodError, ZodType } from "../../node_modules/zod/v4/classic/external.js";

/** Each value of `z` that the engine uses. `test/tidy/zod.test.ts` compares them with the code. */
export const z = {
  NEVER: zod.NEVER,
  ZodArray: zod.ZodArray,
  ZodDefault: zod.ZodDefault,
  ZodError: zod.ZodError,
  ZodLazy: zod.ZodLazy,
  ZodLiteral: zod.ZodLiteral,
  ZodNullable: zod.ZodNullable,
  ZodObject: zod.ZodObject,
  ZodOptional: zod.ZodOptional,
  ZodPipe: zod.ZodPipe,
  ZodReadonly: zod.ZodReadonly,
  ZodRecord: zod.ZodRecord,
  ZodString: zod.ZodString,
  ZodType: zod.ZodType,
  ZodUnion: zod.ZodUnion,
  array: zod.array,
  boolean: zod.boolean,
  coerce: zod.coerce,
  config: zod.config,
  custom: zod.custom,
  discriminatedUnion: zod.discriminatedUnion,
  enum: zod.enum,
  iso: zod.iso,
  lazy: zod.lazy,
  literal: zod.literal,
  looseObject: zod.looseObject,
  never: zod.never,
  number: zod.number,
  object: zod.object,
  record: zod.record,
  registry: zod.registry,
  strictObject: zod.strictObject,
  string: zod.string,
  toJSONSchema: zod.toJSONSchema,
  tuple: zod.tuple,
  undefined: zod.undefined,
  union: zod.union,
  unknown: zod.unknown,
  url: zod.url,
};
