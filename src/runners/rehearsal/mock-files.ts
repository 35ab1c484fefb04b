// Mock files of rehearsals: replace each file by a short text. No file is fetched.
import type { Json } from "#schema/json.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { utf8 } from "../core/bytes.ts";
import type { StoredFile } from "../core/runner.ts";
import type { Answer, RehearsedRequest } from "./answers.ts";

/** The config fields that contain files. */
const FIELDS = new Set(["attachments", "documents"]);
const TYPES = new Set(["email", "docusign_envelope"]);
const PLACEHOLDER = "[placeholder for the file: a rehearsal fetches none]";

/**
 * Returns true if the request fetches one of the message's own files. Such a request precedes the action's own call.
 */
export function isFileRequest(
  { type, config }: Pick<Ticket, "type" | "config">,
  { method, url }: RehearsedRequest,
): boolean {
  return method === "GET" && TYPES.has(type) && addressesIn(config).includes(url.href);
}

export function fileAnswer(): Answer {
  return { status: 200, headers: {}, body: PLACEHOLDER };
}

export function placeholderFile(): StoredFile {
  const bytes = utf8(PLACEHOLDER);
  return { body: new Blob([bytes]).stream(), bytes: bytes.byteLength, type: null, disposition: null };
}

/** Lists the files' URLs at any depth, because composite templates contain documents. */
function addressesIn(value: Json): string[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, item]: [string, Json]) => {
    const files = FIELDS.has(name) && Array.isArray(item) ? item.flatMap(addressOf) : [];
    return [...files, ...addressesIn(item)];
  });
}

function addressOf(file: Json): string[] {
  if (file === null || typeof file !== "object" || !("url" in file)) return [];
  return typeof file.url === "string" && URL.canParse(file.url) ? [new URL(file.url).href] : [];
}
