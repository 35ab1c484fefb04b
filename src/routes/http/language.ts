// Language: the client's preferred language as the browser sends it, or English.
import { LANGUAGES_CHARS_MAX } from "#schema/limits/browsers.ts";
import type { AppContext } from "./context.ts";

export function languageOf(c: AppContext): string {
  return (c.req.header("Accept-Language") ?? "en").slice(0, LANGUAGES_CHARS_MAX);
}
