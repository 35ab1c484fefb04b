// Action error: the one API shape of an error of an execution, an action or an attempt, in lists and in details.
import type { z } from "zod";
import { actionError } from "#schema/engine/outcome.ts";
import * as value from "#schema/values.ts";

export const errorOf = actionError
  .partial({ type: true, retryable: true })
  .extend({ details: value.anyObject.optional() })
  .meta({
    id: "ActionError",
    description:
      "An error. Lists have only the fields that the catalog stores: `message`, and for actions `type` and `code`.",
  });
export type ApiActionError = z.infer<typeof errorOf>;

type StoredError = { readonly type?: string | null; readonly code?: string | null; readonly message: string | null };

/** Presents an error from the catalog's columns. Returns null if no message is stored. */
export function presentStoredError({ type, code, message }: StoredError): ApiActionError | null {
  if (message === null) return null;
  return { ...(type != null && { type }), ...(code != null && { code }), message };
}
