// Stored definition responses: the part of a response that is stored for repeats of the request.

/** Omits the definition's body from the stored response. No response contains it, and the version already stores it. */
export function withoutBody<Done extends { readonly definition: { readonly body: string } }>(done: Done): Done {
  return { ...done, definition: { ...done.definition, body: "" } };
}
