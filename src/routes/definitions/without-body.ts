// Stored definition responses: what is stored of an answer for a repeated request.

/** The answers do not contain the body, so it is not stored a second time. */
export function withoutBody<Done extends { readonly definition: { readonly body: string } }>(done: Done): Done {
  return { ...done, definition: { ...done.definition, body: "" } };
}
