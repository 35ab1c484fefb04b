// Origins: the web origins from which a browser may call the API.
import { z } from "zod";
import { URL_CHARS_MAX } from "#schema/limits/api-requests.ts";
import { TENANT_ORIGINS_MAX } from "#schema/limits/tenants/tenant-quotas.ts";

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

export const origin = z
  .string()
  .max(URL_CHARS_MAX)
  .refine(isOrigin, {
    message: "must be an origin such as https://app.example.com: no path, no *, and https except for loopback",
  })
  .meta({ examples: ["https://app.example.com"] });

export const origins = z
  .array(origin)
  .max(TENANT_ORIGINS_MAX)
  .meta({
    description:
      "The origins of web pages that may call the API with this tenant's keys. An empty list allows no origin.",
  });

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const isPrivate = url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.test(url.hostname));
  return isPrivate && url.origin === text && !text.includes("*");
}
