// What is kept of an answer about a definition, for a repeat.

/** The answers do not show the body, so what is kept need not hold it a second time. */
export function withoutBody<Done extends { readonly definition: { readonly body: string } }>(done: Done): Done {
  return { ...done, definition: { ...done.definition, body: "" } };
}
