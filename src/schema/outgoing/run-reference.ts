// Run references: the text by which a message names the run that sent it. A runner attaches it to the message, and the
// provider returns it in callbacks. It contains no secret, and is only used in a callback with a valid signature.

export type RunReference = {
  readonly execution: string;
  readonly run: string;
  /** Null if all attempts must send the same bytes, because the provider compares them. */
  readonly attempt: number | null;
};

/** The name of the field, tag or query parameter that contains the reference. */
export const REFERENCE_FIELD = "escapement_ref";

/** Returns a text of at most 170 characters, which are letters, digits, - and _. Resend's tags allow no others. */
export function referenceText({ execution, run, attempt }: RunReference): string {
  return btoa(`${execution} ${run} ${attempt ?? ""}`)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Parses a reference; null for any other text. */
export function parseReference(text: unknown): RunReference | null {
  if (typeof text !== "string" || !/^[A-Za-z0-9_-]{1,256}$/.test(text)) return null;
  const decoded = decodeBase64Url(text);
  const [, execution, run, attempt] = /^(exe_[A-Za-z0-9_-]{1,96}) (\d{1,9}\.\d{1,6}) (\d{0,6})$/.exec(decoded) ?? [];
  if (execution === undefined || run === undefined) return null;
  return { execution, run, attempt: attempt ? Number(attempt) : null };
}

function decodeBase64Url(text: string): string {
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}
