// What a secret may be called: whatever can stand in {{ secrets.name }}.
import { z } from "zod";
import { limits } from "./limits.ts";

export const secretName = z
  .string()
  .max(limits.idLengthMax)
  .regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, { message: "a letter or _, then letters, digits, _ or -" });
