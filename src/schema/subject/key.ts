// Subject keys: as journeys' rules return them, and as clients send them.
import { z } from "zod";
import { SUBJECT_KEY_CHARS_MAX } from "../limits/subjects/subject-rows.ts";

export const subjectKey = z
  .string()
  .min(1)
  .max(SUBJECT_KEY_CHARS_MAX)
  .refine((key) => !/\p{Cc}/u.test(key), { message: "must have no control characters" })
  .meta({ examples: ["couple-17"] });
