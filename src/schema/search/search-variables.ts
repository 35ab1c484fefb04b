// Search variables: the variables of a definition by which lists of executions can be searched, with their types.
import { z } from "zod";
import { SEARCH_NAME_CHARS_MAX, SEARCH_VARIABLES_MAX } from "../limits/definition-sizes.ts";

export const searchTypes = ["string", "number", "date"] as const;
export type SearchType = (typeof searchTypes)[number];

/** Names have no dots, because a query separates the name and the comparison with a dot. */
export const searchName = z
  .string()
  .max(SEARCH_NAME_CHARS_MAX)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
    message: "must begin with a letter or _ and contain only letters, digits and _",
  });

export const searchVariables = z
  .record(searchName, z.enum(searchTypes))
  .refine((declared) => Object.keys(declared).length <= SEARCH_VARIABLES_MAX, {
    message: `must declare at most ${SEARCH_VARIABLES_MAX} variables (SEARCH_VARIABLES_MAX)`,
  });
export type SearchVariables = z.infer<typeof searchVariables>;

/** The values of an execution's search variables. A date is in epoch milliseconds. */
export type SearchValues = { readonly [name: string]: string | number };
