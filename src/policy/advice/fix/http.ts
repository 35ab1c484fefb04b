// Suggested fixes by HTTP status, for calls without a more specific error code.
import { transient, obsolete, fixable, permanent, type Fixes } from "./entry.ts";

export const httpFixes: Fixes = {
  http_400: fixable("The receiver rejected the request. Read the receiver's response, correct the config, then retry."),
  http_404: fixable("The address does not exist: correct the URL, then retry."),
  http_409: fixable(
    "The receiver reports a conflict, perhaps with an earlier attempt. Check at the receiver whether that attempt took effect, then retry or archive.",
  ),
  http_410: obsolete(
    "The resource at this address was permanently removed. Archive the dead letter, or retry with another address.",
  ),
  http_413: fixable("The payload exceeds the receiver's limit. Retry with a smaller payload."),
  http_422: fixable("The receiver rejected the content. Correct the config, then retry."),
  http_502: transient(
    "A gateway got no valid response, and it is unknown whether the receiver acted. Check the field repeatSafe, then retry.",
  ),
  http_504: transient(
    "A gateway timed out, and it is unknown whether the receiver acted. Check the field repeatSafe, then retry.",
  ),
  deadline: transient(
    "No response arrived within the action's timeout. Check the field repeatSafe, then retry. If the call times out again, raise the timeout.",
  ),
  connection: transient(
    "The network connection failed. Check the host's name, its server and the field repeatSafe, then retry.",
  ),
  file_not_found: fixable(
    "The file named in the message does not exist. Store the file there, or correct its address, then retry.",
  ),
  file_refused: fixable(
    "The file's server denied access. Allow the access, or retry with another address or other headers.",
  ),
  file_unavailable: transient("A file could not be fetched, so nothing was sent. Check the file's server, then retry."),
  file_timeout: transient(
    "The files took too long to fetch, so nothing was sent. Retry. If this happens again, store the files on a faster server.",
  ),
  file_empty: fixable("The file named in the message is empty. Correct the file, then retry."),
  file_invalid: fixable("The content of the file named in the message is not base64. Correct the content, then retry."),
  files_too_large: fixable("The files are too large. Retry with smaller files, or with links in the text."),
  too_many_files: fixable(
    "The message has too many files to fetch. Combine the files in an archive, or send several messages.",
  ),
  files_busy: transient("The engine was transferring too many large files, so nothing was sent. Retry."),
  files_not_bound: fixable(
    'The Worker has no bucket for files. Bind a bucket as ATTACHMENTS, or retry with files by "url" or "content".',
  ),
  mapped_too_large: permanent(
    "The engine made the call, but responseMapping selects too much of the response. Check the effect at the receiver. For later runs, select less.",
  ),
  egress_refused: fixable(
    "The engine may not call this address, which is private or not https. Change the URL, then retry.",
  ),
};
