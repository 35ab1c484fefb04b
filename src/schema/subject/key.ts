// A subject's key, as its journeys' rules give it and as callers name it.
import { z } from "zod";
import { SUBJECT_KEY_CHARS_MAX } from "../limits/subjects.ts";

export const subjectKey = z
  .string()
  .min(1)
  .max(SUBJECT_KEY_CHARS_MAX)
  .refine((key) => !/\p{Cc}/u.test(key), { message: "no control characters" })
  .meta({ examples: ["couple-17"] });
