// Language: reads the client's preferred language from Accept-Language; English if the header is absent.
import { LANGUAGES_CHARS_MAX } from "#schema/limits/api-requests.ts";
import type { AppContext } from "../http/context.ts";

export function languageOf(c: AppContext): string {
  return (c.req.header("Accept-Language") ?? "en").slice(0, LANGUAGES_CHARS_MAX);
}
