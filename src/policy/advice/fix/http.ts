// Suggested fixes by HTTP status, for calls without a more specific error code.
import { transient, obsolete, fixable, permanent, type Fixes } from "./entry.ts";

export const httpFixes: Fixes = {
  http_400: fixable("The receiver rejected the request: see its response. Correct the config, then retry."),
  http_404: fixable("The address does not exist: correct the URL, then retry."),
  http_409: fixable(
    "The receiver reports a conflict, perhaps with an earlier attempt. Check at the receiver before you retry or archive.",
  ),
  http_410: obsolete(
    "The resource at this address was permanently removed. Archive the dead letter, or retry with another address.",
  ),
  http_413: fixable("The payload exceeds the receiver's limit. Retry with a smaller payload."),
  http_422: fixable("The receiver rejected the content. Correct the config, then retry."),
  http_502: transient(
    "A gateway got no valid response. It is unknown whether the receiver acted: check repeatSafe, then retry.",
  ),
  http_504: transient("A gateway timed out. It is unknown whether the receiver acted: check repeatSafe, then retry."),
  deadline: transient(
    "No response arrived within the action's timeout. Check repeatSafe, then retry; if it happens again, raise the timeout.",
  ),
  connection: transient("The connection failed. Check the host and its name, check repeatSafe, then retry."),
  file_not_found: fixable(
    "The file does not exist: store it where the message says, or correct the address, then retry.",
  ),
  file_refused: fixable("The file's server denied access: allow it, or retry with another address or headers."),
  file_unavailable: transient("A file could not be fetched, so nothing was sent. Check the file's server, then retry."),
  file_timeout: transient(
    "The files took too long to fetch, so nothing was sent. Retry. If this happens again, store the files on a faster server.",
  ),
  file_empty: fixable("The file named in the message is empty: correct it, then retry."),
  file_invalid: fixable("The content of the file named in the message is not base64: correct it, then retry."),
  files_too_large: fixable("The files are too large. Retry with smaller files, or with links in the text."),
  too_many_files: fixable(
    "The message has too many files to fetch. Combine the files in an archive, or send several messages.",
  ),
  files_busy: transient("The engine was transferring too many large files, so nothing was sent. Retry."),
  files_not_bound: fixable(
    'The Worker has no bucket for files. Bind one as ATTACHMENTS, or retry with files by "url" or "content".',
  ),
  mapped_too_large: permanent(
    "The call was made, but responseMapping selects too much of the response. Check at the receiver what was done. Select less for later runs.",
  ),
  egress_refused: fixable("The engine may not call this address: it is private or not https. Change the URL."),
};
