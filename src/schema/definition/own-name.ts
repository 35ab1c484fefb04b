// Own names: the names of a definition's delays, windows and caps.
import { z } from "zod";
import { ID_CHARS_MAX } from "../limits/api-requests.ts";

/** The name of a delay, a window or a cap that a definition declares. */
export const ownName = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, { message: "must begin with a letter and contain only letters, digits, _ and -" });
