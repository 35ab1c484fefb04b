// Subject keys: their form, both from the rules of journeys and from clients.
import { z } from "zod";
import { SUBJECT_KEY_CHARS_MAX } from "../limits/subjects/subject-rows.ts";

export const subjectKey = z
  .string()
  .min(1)
  .max(SUBJECT_KEY_CHARS_MAX)
  .refine((key) => !/\p{Cc}/u.test(key), { message: "must have no control characters" })
  .meta({ examples: ["couple-17"] });
