// What to do about an HTTP status that no runner knew more of, and about calls that got no answer.
import { transient, obsolete, fixable, permanent, type Fixes } from "./entry.ts";

export const httpFixes: Fixes = {
  http_400: fixable(
    "The receiver found fault with the request: its answer says what. Retry with the config put right.",
  ),
  http_404: fixable("There is nothing at this address: check the URL, then retry with it put right."),
  http_409: fixable(
    "The receiver says that it conflicts with what is there, perhaps an earlier try: look, then decide.",
  ),
  http_410: obsolete("What stood at this address is gone for good. Archive it, or retry with another address."),
  http_413: fixable("The receiver takes less than was sent: retry with a smaller payload."),
  http_422: fixable("The receiver understood the request and refused its content. Retry with the config put right."),
  http_502: transient(
    "A gateway had no answer. Whether the receiver acted is unknown: look at repeatSafe, then retry.",
  ),
  http_504: transient(
    "A gateway waited in vain. Whether the receiver acted is unknown: look at repeatSafe, then retry.",
  ),
  deadline: transient(
    "Nobody answered within the action's timeout. Look at repeatSafe, then retry; if it happens again, raise the timeout.",
  ),
  connection: transient(
    "The connection failed. Check that the host is up and its name right, look at repeatSafe, then retry.",
  ),
  file_not_found: fixable("There is no such file: put it where the message says, or retry with another address."),
  file_refused: fixable("The file's server would not give it: let it, or retry with another address or headers."),
  file_unavailable: transient(
    "A file could not be fetched, so nothing was sent. See that its server is up, then retry.",
  ),
  file_timeout: transient("The files came too slowly, so nothing was sent. Retry; if it happens again, move them."),
  file_empty: fixable("The file that the message names is empty: put it right, then retry."),
  file_invalid: fixable("The content of the file that the message names is not base64: retry with one that is."),
  files_too_large: fixable("Retry with smaller files, or with links to them in the text."),
  too_many_files: fixable("Retry with fewer files to fetch: several in one archive, or several messages."),
  files_busy: transient("Too many large files were on their way at once, so nothing was sent. Retry."),
  files_not_bound: fixable("Bind a bucket to the Worker (ATTACHMENTS), or retry with files by url or content."),
  mapped_too_large: permanent(
    "The call was made, and responseMapping takes too much of its answer: map less, for the next runs. See there what was done.",
  ),
  egress_refused: fixable(
    "The address may not be called from here (private, not https, or not allowed): change the URL.",
  ),
};
